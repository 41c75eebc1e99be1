"""Writes docs/environments.md from the code: `python docs/environments.py`.

What an environment is stands in the docstring of its encoding, under the headings of `SECTIONS`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gymnasium import spaces

from housemates.benchmarks.encoding import Encoding
from housemates.core import registry
from housemates.core.options import helps
from housemates.envs.base import Seats
from housemates.envs.flat import CELLS, LISTED, VOCABULARY, WORDS
from housemates.envs.seats import SeatEnv

OUT = Path(__file__).parent / "environments.md"
SECTIONS = ("Observation Space", "Action Space", "Rewards", "Episode End")
INTRODUCTION = f"""\
# Environments

Every seat of every benchmark is a Gymnasium environment. `python docs/environments.py` writes this page from
the code; a test holds that it is current.

```python
import gymnasium
import housemates

env = gymnasium.make("housemates/home-v3", size=96, actions="flat")  # one seat, agents in the others
observation, info = env.reset(seed=7)
envs = housemates.make_vec("housemates/handmethat-v1", num_envs=8, vector_kwargs={{"copy": False}})
both = housemates.make_aec("housemates/teach-tatc-v3", observations="text")  # all seats, by PettingZoo
```

- `info` has `success`, `reason` (one of the [reasons](your-agent.md#reasons)), `message` and the instance's
  `id`; at the end `ended` and `scores`. `reset(options={{"id": ...}})` begins a certain instance.
- **Actions.** `actions="structured"` is what the tables below call so. `actions="flat"` makes of it one
  number, and of observations plain arrays, so that Stable-Baselines3 (MaskablePPO too), CleanRL's loops,
  TorchRL and RLlib (with its own connector `FlattenObservations`) take environments as they are. An act that
  needs nothing is one number; one that points has a number for each of {CELLS}x{CELLS} cells of the picture,
  and means the pixel nearest to the cell's middle that shows something it is for; one that needs a choice has
  a number for each, where choices differ from moment to moment for the first {LISTED} that are offered
  (`choices` has their words). What needs words of one's own is left out. `action_mask`, and
  `env.unwrapped.action_masks()`, say which numbers make sense now, and
  `env.unwrapped.seats.flat[role].meanings()` what each means. Texts become the numbers of their last {WORDS}
  words and signs (`DishSponge` is two), from 1 to {VOCABULARY - 1} by a checksum, and 0 for none. With
  `acts=skills` flat actions are skills.
- **Words.** `observations="text"` makes a text game of any of them: a text to read, a line to answer.
- **Forks.** `env.unwrapped.fork()` is an independent environment at the same moment, `snapshot()` a moment to
  which `restore(...)` goes back, here or in another environment of the same options; vectors have the same,
  and `envs.restore([envs.snapshot()[0]] * n)` begins n rollouts at one moment.
- **Many.** `housemates.make_vec` takes the names of `gymnasium.make_vec`. By default all environments are in
  this process and their pictures are drawn in one call; `vectorization_mode="async"` gives each a process,
  `step_async` and `step_wait`. With `vector_kwargs={{"copy": False}}` batches are the environment's own
  arrays, which the next step overwrites.
"""


def section(kind: type[Encoding], heading: str) -> str:
    """What the docstring of an encoding, or of what it derives from, says under a heading."""
    for each in kind.__mro__:
        found = re.search(rf"## {heading}\n(.*?)(?=\n\n##|\n\nArgs:|\Z)", inspect.getdoc(each) or "", re.S)
        if found and each.__dict__.get("__doc__"):
            return found[1].strip()
    return ""


def shape(space: spaces.Space[Any]) -> str:
    """A space in a few words."""
    if isinstance(space, spaces.Text):
        return f"text, at most {space.max_length} characters"
    if isinstance(space, spaces.Discrete):
        return f"Discrete({space.n})"
    if isinstance(space, spaces.Dict):
        return "; ".join(f"`{name}`: {shape(each)}" for name, each in space.spaces.items())
    size = "x".join(map(str, space.shape or ()))
    return f"{size} {space.dtype}"


def options(kind: type[Encoding], benchmark: type[Any]) -> Iterator[str]:
    """Rows of the options of a benchmark, and of its encoding."""
    told = helps(benchmark.Options)
    for name, field in benchmark.Options.__dataclass_fields__.items():
        yield f"| `{name}` | {field.default!r} | {' '.join(told.get(name, '').split())} |"
    described = arguments(kind)
    for name, each in inspect.signature(kind).parameters.items():
        if name != "benchmark" and each.kind is not each.VAR_KEYWORD:
            yield f"| `{name}` | {each.default!r} | {described.get(name, '')} |"


def arguments(kind: type[Any]) -> dict[str, str]:
    """What a class says of its arguments."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        told = (inspect.getdoc(each) or "").partition("Args:\n")[2]
        rows = re.findall(r"^    (\w+): (.*(?:\n {8}.*)*)", told, re.M)
        found |= {name: " ".join(text.split()) for name, text in rows}
    return found


def environment(env_id: str) -> Iterator[str]:
    """The part of the page about one environment."""
    kind = registry.encoding_class(env_id)
    benchmark = registry.benchmark_class(kind.benchmark)
    structured, flat = (
        Seats(env_id, "arrays", actions, None, 0, 1, {}) for actions in ("structured", "flat")
    )
    limits = benchmark.limits
    yield f"## {env_id}\n"
    yield f"{(inspect.getdoc(kind) or '').splitlines()[0]}\n"
    roles, most = ", ".join(benchmark.roles), f"{limits.steps} acts, {limits.failures} failed ones"
    yield f"Benchmark `{kind.benchmark}`; roles: {roles}; learner: {kind.learner}.\n"
    yield f"Instances come from `{kind.split}` unless `split` says otherwise. At most {most}.\n"
    for heading in SECTIONS:
        yield f"### {heading}\n\n{section(kind, heading)}\n"
    yield "### Spaces\n"
    yield "| role | part | structured | flat |\n| --- | --- | --- | --- |"
    for role in benchmark.roles:
        (seen, act), (plain, number) = structured.spaces[role], flat.spaces[role]
        assert isinstance(seen, spaces.Dict)
        assert isinstance(plain, spaces.Dict)
        for name in {**seen.spaces, **plain.spaces}:
            cells = [shape(each[name]) if name in each.spaces else "" for each in (seen, plain)]
            yield f"| {role} | `{name}` | {cells[0]} | {cells[1]} |"
        yield f"| {role} | action | {shape(act)} | {shape(number)} |"
    yield "\n### Options\n\n| option | default | |\n| --- | --- | --- |"
    yield from options(kind, benchmark)
    yield ""


def common() -> Iterator[str]:
    """The options of all environments."""
    yield "## Options of all environments\n\n| option | default | |\n| --- | --- | --- |"
    described = {
        **arguments(Seats),
        **arguments(SeatEnv),
        "observations": arguments(Seats)["observations"],
    }
    for name, each in inspect.signature(SeatEnv).parameters.items():
        if name != "env_id" and each.kind is not each.VAR_KEYWORD:
            yield f"| `{name}` | {each.default!r} | {described[name]} |"
    yield ""


def page() -> str:
    """The whole page."""
    known = [env_id for spec in registry.specs().values() for env_id in spec.environments]
    parts = [INTRODUCTION, *common()]
    for env_id in known:
        parts += environment(env_id)
    return "\n".join(parts).rstrip() + "\n"


if __name__ == "__main__":
    OUT.write_text(page(), encoding="utf-8", newline="\n")
