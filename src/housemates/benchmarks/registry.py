"""Finds the benchmark folders beside this file: a folder whose package has a `SPEC` is a benchmark.

Nothing is imported until it is asked for, so a new benchmark is a new folder and nothing else.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
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


def specs_below(package: str) -> dict[str, Any]:
    """The `SPEC` of each folder of a package that has one, by its name."""
    below = pkgutil.iter_modules(importlib.import_module(package).__path__)
    folders = [importlib.import_module(f"{package}.{each.name}") for each in below if each.ispkg]
    return {each.SPEC.name: each.SPEC for each in folders if hasattr(each, "SPEC")}


@cache
def specs() -> dict[str, Spec]:
    """Every benchmark folder's spec by name."""
    return specs_below(__package__)


def commands(verb: str) -> Iterator[tuple[str, Spec, str]]:
    """Yield `(noun, spec, where)` for each benchmark command under a verb."""
    for spec in specs().values():
        for words, where in spec.commands.items():
            found_verb, _, noun = words.partition(" ")
            if found_verb == verb:
                yield noun, spec, where


def benchmark_class(name: str) -> type[Benchmark]:
    """The class of the benchmark that `housemates eval` knows by this name."""
    found: type[Benchmark] = _offered("benchmark", name, lambda spec: spec.benchmarks)
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
    found: type[Encoding] = _offered("environment", env_id, lambda spec: spec.environments)
    return found


def _offered(what: str, name: str, table: Callable[[Spec], Mapping[str, str]]) -> Any:
    """Import what one of the folders offers by this name."""
    known = {key: spec for spec in specs().values() for key in table(spec)}
    if name not in known:
        from housemates.benchmarks.understanding import nearest

        raise HousematesError(f"Unknown {what} {name!r}: {nearest(name, sorted(known))}.")
    return known[name].load(table(known[name])[name])


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
