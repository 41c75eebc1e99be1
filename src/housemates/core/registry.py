"""Finds what is offered below this package: benchmarks and agents, each by the spec that lies beside it.

A folder of `housemates.benchmarks` with a `SPEC` is a benchmark, one of `housemates.agents` with `SPECS` has
agents. Nothing is imported until it is asked for, so a new one is a new folder and nothing else.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from housemates.errors import HousematesError, nearest

if TYPE_CHECKING:
    from housemates.core.benchmark import Benchmark


ROOT = __package__.partition(".")[0]
BENCHMARKS, AGENTS = f"{ROOT}.benchmarks", f"{ROOT}.agents"
"""Where they are looked for."""
ANY = "*"


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
        return getattr(importlib.import_module(f"{BENCHMARKS}.{self.name}.{module}"), attribute)


@dataclass(frozen=True)
class AgentSpec:
    """An agent that comes with the package, and the seats that it can take."""

    name: str
    """As on the command line; for agents of a trained model alone, that of the model."""
    where: str
    """`module:Class` inside its folder, or a function that makes it."""
    benchmarks: tuple[str, ...] = (ANY,)
    roles: tuple[str, ...] = (ANY,)
    privileged: bool = False
    """Whether it looks at what its role may not know."""
    partner: bool = False
    """Whether it takes the seat where nobody says who does."""
    expert: tuple[str, ...] = ()
    """The kinds of acts, `low` and `skills`, in which it shows what can be done."""
    model: str = ""
    """The trained model that it plays with; a folder of its weights may be named instead of the agent."""
    shipped: bool = True
    """Whether it can be named; else it needs the folder of weights, or a name with its scheme."""
    schemes: tuple[str, ...] = ()
    """What comes before the first colon of a name that means it, such as `llm`."""
    argument: str = ""
    """The argument by which it is told such a name."""
    incidental: frozenset[str] = frozenset()
    """Options that do not decide what it answers."""
    record: str = ""
    """An option that names a file of all its calls."""
    waits: bool = False
    """Whether it does little but wait for answers, so that threads play it best."""

    def sits(self, benchmark: str, role: str) -> bool:
        """Whether it can take a seat."""
        return not {benchmark, ANY}.isdisjoint(self.benchmarks) and not {role, ANY}.isdisjoint(self.roles)


def specs_below(package: str) -> dict[str, Any]:
    """The `SPEC` of each folder of a package that has one, by its name."""
    below = pkgutil.iter_modules(importlib.import_module(package).__path__)
    folders = [importlib.import_module(f"{package}.{each.name}") for each in below if each.ispkg]
    return {each.SPEC.name: each.SPEC for each in folders if hasattr(each, "SPEC")}


@cache
def specs() -> dict[str, Spec]:
    """Every benchmark folder's spec by name."""
    return specs_below(BENCHMARKS)


@cache
def agent_specs() -> tuple[AgentSpec, ...]:
    """Every agent's spec, those that can sit anywhere first."""
    root = importlib.import_module(AGENTS)
    below = [f"{AGENTS}.{each.name}" for each in pkgutil.iter_modules(root.__path__) if each.ispkg]
    folders = [root, *map(importlib.import_module, below)]
    return tuple(
        replace(spec, where=f"{folder.__name__}.{spec.where}")
        for folder in folders
        for spec in getattr(folder, "SPECS", ())
    )


def agents_of(benchmark: str, role: str) -> dict[str, AgentSpec]:
    """The agents that can be named for a seat; a benchmark's own one comes before one for any seat."""
    return {spec.name: spec for spec in agent_specs() if spec.shipped and spec.sits(benchmark, role)}


def partner(benchmark: str, role: str) -> str:
    """The agent that takes a seat where nobody says who does; nothing if there is none."""
    return next((name for name, spec in agents_of(benchmark, role).items() if spec.partner), "")


def expert(played: Benchmark, role: str) -> str:
    """The agent that knows best what to do in a seat, for trying things out."""
    acts = getattr(played.options, "acts", "low")
    there = agents_of(played.name, role)
    return next((name for name, spec in there.items() if acts in spec.expert), "") or (
        partner(played.name, role) or "first"
    )


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
    from housemates.core.options import read_options

    made = benchmark_class(name)
    return made(read_options(made.Options, options, name))


def encoding_class(env_id: str) -> Any:
    """The class that says how the seats of the environment of this Gymnasium id look to learners."""
    return _offered("environment", env_id, lambda spec: spec.environments)


def _offered(what: str, name: str, table: Callable[[Spec], Mapping[str, str]]) -> Any:
    """Import what one of the folders offers by this name."""
    known = {key: spec for spec in specs().values() for key in table(spec)}
    if name not in known:
        raise HousematesError(f"Unknown {what} {name!r}: {nearest(name, sorted(known))}.")
    return known[name].load(table(known[name])[name])
