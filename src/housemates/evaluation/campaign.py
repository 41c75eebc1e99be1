"""A campaign: benchmarks x agents x seeds from one TOML file, each run in a folder of its own.

```toml
[[runs]]
benchmarks = ["handmethat", "cerealbar"]
agents = ["first", "random"]       # for all roles, or "leader=talking follower=first"
seeds = [0, 1]
episodes = 20
```
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec

from housemates.core import registry
from housemates.core.isolation.agent import isolation
from housemates.core.loading import seat_all
from housemates.core.options import AtLeastOne
from housemates.errors import HousematesError, one_line
from housemates.evaluation.episodes import Run
from housemates.evaluation.runner import evaluate
from housemates.files import file_name, read_text
from housemates.parallel import Workers
from housemates.typed_json import MOST, convert

Seed = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Seconds = Annotated[float, msgspec.Meta(ge=0.001, le=MOST)]

Megabytes = Annotated[int, msgspec.Meta(ge=250, le=MOST)]
"""Less is not enough for a process to begin with."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file: all combinations of what it lists."""

    benchmarks: list[str]
    agents: list[str]
    seeds: tuple[Seed, ...] = (0,)
    split: str = "generated"
    episodes: AtLeastOne | None = None
    options: dict[str, Any] = {}
    agent_options: dict[str, Any] = {}
    act_timeout: Seconds | None = None
    memory: Megabytes | None = None
    isolate: bool = False


class CampaignFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A campaign as its TOML file says it: runs, seeds and options."""

    runs: list[Part]


class Named(NamedTuple):
    """A run and the name of its folder."""

    name: str
    run: Run


def read_campaign(path: Path, limit: int | None = None) -> list[Named]:
    """All runs of a file, of no more episodes each than `limit`; unknown names are refused first."""
    text = read_text(path)
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise HousematesError(f"{path}: expected TOML ({one_line(str(error))}).") from None
    except ValueError:
        raise HousematesError(f"{path}: expected TOML, found a number with too many digits.") from None
    except RecursionError:
        raise HousematesError(f"{path}: expected TOML, found lists within lists too deep to read.") from None
    plan = convert(values, CampaignFile, str(path))
    runs = [run for part in plan.runs for run in _runs(_limited(part, limit))]
    names = [each.name for each in runs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise HousematesError(f"{path}: {twice} is listed twice.")
    if not runs:
        raise HousematesError(f"{path}: lists no runs.")
    return runs


def _limited(part: Part, limit: int | None) -> Part:
    few = min(filter(None, (part.episodes, limit)), default=None)
    return msgspec.structs.replace(part, episodes=few)


def _runs(part: Part) -> Iterator[Named]:
    for name in part.benchmarks:
        made = registry.benchmark_class(name)
        registry.benchmark(name, **part.options)
        settings = {key: str(value) for key, value in part.agent_options.items()}
        for words in part.agents:
            apart = isolation(part.memory, part.act_timeout) if part.isolate else None
            seats = seat_all(made, words.split(), settings, apart)
            for seed in part.seeds:
                run = Run(
                    name,
                    seats,
                    part.split,
                    part.episodes,
                    seed,
                    {key: str(value) for key, value in part.options.items()},
                    part.act_timeout,
                    part.memory,
                )
                said = "-".join([name, part.split, *words.replace("=", "-").split(), str(seed)])
                yield Named(file_name(said), run)


def run_campaign(
    runs: list[Named], out: Path, workers: Workers = None, progress: bool = True
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Run what is not finished, one after the other; the name and the report of each as it is done."""
    for name, run in runs:
        yield name, evaluate(run, workers, out / name, progress)
