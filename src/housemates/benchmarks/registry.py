"""Finds the benchmark folders beside this file: a folder whose package has a `SPEC` is a benchmark.

Nothing is imported until it is asked for, so a new benchmark is a new folder and nothing else.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from housemates.errors import HousematesError

if TYPE_CHECKING:
    from housemates.benchmarks.base import Benchmark
    from housemates.benchmarks.envs import Encoding


@dataclass(frozen=True)
class Spec:
    """What a benchmark's folder offers; every value is `module:name` inside that folder."""

    name: str
    summary: str
    benchmarks: Mapping[str, str] = field(default_factory=dict)
    """Name for `housemates eval` -> a class that follows `base.Benchmark`."""
    environments: Mapping[str, str] = field(default_factory=dict)
    """Gymnasium id -> the `envs.Encoding` of the seat that learns."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """`verb noun` on the command line -> a dataclass of its options with a `run()` method."""
    demo: str = ""
    """A function that plays a little and returns the rows of a table for `housemates demo`."""

    def load(self, where: str) -> Any:
        """Import `module:name` from this benchmark's folder."""
        module, _, attribute = where.partition(":")
        return getattr(importlib.import_module(f"{__package__}.{self.name}.{module}"), attribute)


@cache
def specs() -> dict[str, Spec]:
    """Every benchmark folder's spec by name."""
    found = {}
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if module.ispkg:
            spec = getattr(importlib.import_module(f"{__package__}.{module.name}"), "SPEC", None)
            if spec is not None:
                found[spec.name] = spec
    return found


def commands(verb: str) -> Iterator[tuple[str, Spec, str]]:
    """Yield `(noun, spec, where)` for each benchmark command under a verb."""
    for spec in specs().values():
        for words, where in spec.commands.items():
            found_verb, _, noun = words.partition(" ")
            if found_verb == verb:
                yield noun, spec, where


def benchmark_class(name: str) -> type[Benchmark]:
    """The class of the benchmark that `housemates eval` knows by this name."""
    from housemates.benchmarks.understanding import nearest

    known = {key: spec for spec in specs().values() for key in spec.benchmarks}
    if name not in known:
        raise HousematesError(f"Unknown benchmark {name!r}: {nearest(name, sorted(known))}.")
    found: type[Benchmark] = known[name].load(known[name].benchmarks[name])
    return found


def played(name: str) -> str:
    """The benchmark that is meant by its own name, or by a folder's: there, the one with most roles."""
    known = {key: spec for spec in specs().values() for key in spec.benchmarks}
    if name in known or name not in specs():
        return name
    return max(specs()[name].benchmarks, key=lambda each: len(benchmark_class(each).roles))


def benchmark(name: str, **options: Any) -> Benchmark:
    """Make the benchmark of this name with its own options, given as values or as text."""
    from housemates.benchmarks.options import read_options

    made = benchmark_class(name)
    return made(read_options(made.Options, options, name))


def encoding_class(env_id: str) -> type[Encoding]:
    """How the seats of the environment of this Gymnasium id look to learners."""
    from housemates.benchmarks.understanding import nearest

    known = {key: spec for spec in specs().values() for key in spec.environments}
    if env_id not in known:
        raise HousematesError(f"Unknown environment {env_id!r}: {nearest(env_id, sorted(known))}.")
    found: type[Encoding] = known[env_id].load(known[env_id].environments[env_id])
    return found


def register_environments() -> None:
    """Make every environment known to Gymnasium by its id."""
    import gymnasium

    for spec in specs().values():
        for env_id in spec.environments:
            if env_id not in gymnasium.registry:
                gymnasium.register(
                    env_id,
                    entry_point=f"{__package__}.envs:SeatEnv",
                    vector_entry_point=f"{__package__}.vector:SeatVectorEnv",
                    kwargs={"env_id": env_id},
                )
