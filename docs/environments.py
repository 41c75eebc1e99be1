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
SECTIONS = ("Observation Space", "Action Space", "Rewards", "Episode End", "Version History")
INTRODUCTION = f"""\
# Environments

Every seat of every benchmark is a Gymnasium environment. `python docs/environments.py` generates this
page from the code; a test checks that it is current.

```python
import gymnasium
import housemates

env = gymnasium.make("housemates/home-v3", size=96, actions="flat")  # one seat, agents in the others
observation, info = env.reset(seed=7)
envs = housemates.make_vec("housemates/handmethat-v1", num_envs=8, vector_kwargs={{"copy": False}})
both = housemates.make_aec("housemates/teach-tatc-v3", observations="text")  # all seats, by PettingZoo
```

- `info` has `success`, `reason` (one of the [reasons](your-agent.md#reasons)), `message` and the
  instance's `id`; at the end `ended` and `scores`. `reset(options={{"id": ...}})` begins that instance.
- **Actions.** The tables below describe `actions="structured"`, the default. `actions="flat"` gives one
  discrete action space and plain arrays as observations, so Stable-Baselines3 (including MaskablePPO),
  CleanRL's loops, TorchRL and RLlib (with its own connector `FlattenObservations`) work without a
  wrapper. An act without arguments is one action. An act with a point has one action for each of
  {CELLS}x{CELLS} cells of the picture and selects the pixel nearest to the cell's centre that shows a
  fitting object. An act with choices has one action for each; where the choices vary, for the first
  {LISTED} offered (`choices` has their words). Acts that need free text are left out. `action_mask` and
  `env.unwrapped.action_masks()` tell which actions are possible now,
  `env.unwrapped.seats.flat[role].meanings()` what each means. Texts become the ids of their last {WORDS}
  words and signs (`DishSponge` is two), hashed to 1 to {VOCABULARY - 1}, with 0 as padding. With
  `acts=skills` the flat actions are skills.
- **Text.** `observations="text"` turns any environment into a text game: read a text, answer with a line.
- **Forks.** `env.unwrapped.fork()` returns an independent copy of the environment; `snapshot()` returns a
  state that `restore(...)` returns to, here or in another environment with the same options. Vectors have
  the same methods; `envs.restore([envs.snapshot()[0]] * n)` starts n rollouts from one state.
- **Vectors.** `housemates.make_vec` has the arguments of `gymnasium.make_vec`. By default all
  environments share this process and their pictures are drawn in one call; `vectorization_mode="async"`
  gives each a process, with `step_async` and `step_wait`. With `vector_kwargs={{"copy": False}}` batches
  are the environment's own arrays, which the next step overwrites.
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
