"""Finding agents by name: those of a benchmark, those that sit anywhere, and anybody's own.

`talk` is an agent of the benchmark, `first` and `random` sit in any seat, `package.module:Class` and
`path/to/agent.py:Class` are anybody's own.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from housemates.benchmarks.base import Agent, Benchmark
from housemates.benchmarks.options import read_arguments
from housemates.benchmarks.understanding import nearest
from housemates.errors import HousematesError

ANYWHERE = {
    "first": "housemates.agents.first:FirstAgent",
    "random": "housemates.agents.random:RandomAgent",
}
"""Agents that can sit in any seat; a benchmark's own of the same name comes first."""


class Seating(msgspec.Struct, frozen=True):
    """Who sits in a seat, and how they are made."""

    name: str
    """As it was given: a name, `module:Class` or `file.py:Class`."""
    options: dict[str, str] = {}


def seat_all(
    benchmark: type[Benchmark], words: Sequence[str], options: Mapping[str, str]
) -> dict[str, Seating]:
    """Who sits where, as the command line says it.

    Args:
        benchmark: Whose roles they are.
        words: `ROLE=AGENT` for each role, or one `AGENT` for all of them.
        options: Of agents; `ROLE.KEY` is for one role only, others go to all whom they fit.
    """
    named: dict[str, str] = {}
    for word in words:
        role, separator, name = word.partition("=")
        if not separator or ":" in role or "/" in role:
            named |= {each: word for each in benchmark.roles if each not in named}
        elif role not in benchmark.roles:
            raise HousematesError(f"{benchmark.name} has no role {role!r}: {nearest(role, benchmark.roles)}.")
        else:
            named[role] = name
    missing = [role for role in benchmark.roles if role not in named]
    if missing:
        raise HousematesError(
            f"{benchmark.name}: nobody is the {missing[0]}: give --agents {missing[0]}=NAME."
        )
    return {
        role: Seating(named[role], _options_of(role, options, benchmark.roles)) for role in benchmark.roles
    }


def seat_others(
    benchmark: type[Benchmark], role: str | None, words: Sequence[str]
) -> tuple[str, dict[str, Seating]]:
    """A seat that somebody else takes, and who sits in the others.

    Args:
        benchmark: Whose roles they are.
        role: The seat that is taken; the last of the benchmark's roles if None.
        words: As for `seat_all`; the benchmark's usual partners where a role is not named.
    """
    role = benchmark.roles[-1] if role is None else role
    if role not in benchmark.roles:
        raise HousematesError(f"{benchmark.name} has no role {role!r}: {nearest(role, benchmark.roles)}.")
    usual = [f"{each}={name}" for each, name in benchmark.partners.items()]
    seats = seat_all(benchmark, [*usual, *words, f"{role}=first"], {})
    return role, {each: seating for each, seating in seats.items() if each != role}


def make_agent(benchmark: type[Benchmark], role: str, seating: Seating) -> Agent:
    """Make the agent of a seat; what cannot be imported or is no agent is refused in one sentence."""
    where = _found(benchmark, role, seating.name)
    made = _imported(where, seating.name)
    if isinstance(made, type) and not (callable(getattr(made, "act", None)) and hasattr(made, "reset")):
        raise HousematesError(
            f"{seating.name} is no agent: expected a class with reset(brief) and act(percept)."
        )
    arguments = read_arguments(made, seating.options, seating.name)
    try:
        agent = made(**arguments)
    except HousematesError:
        raise
    except Exception as error:
        raise HousematesError(f"{seating.name}: cannot be made ({type(error).__name__}: {error}).") from error
    if not callable(getattr(agent, "act", None)) or not callable(getattr(agent, "reset", None)):
        raise HousematesError(f"{seating.name} is no agent: expected reset(brief) and act(percept).")
    return agent  # type: ignore[no-any-return]


def make_agents(benchmark: type[Benchmark], seats: Mapping[str, Seating]) -> dict[str, Agent]:
    """Make all agents of an episode."""
    return {role: make_agent(benchmark, role, seating) for role, seating in seats.items()}


def is_foreign(name: str) -> bool:
    """Whether an agent is somebody's own code."""
    return ":" in name


def _options_of(role: str, options: Mapping[str, str], roles: Sequence[str]) -> dict[str, str]:
    found = {}
    for key, value in options.items():
        owner, dot, rest = key.partition(".")
        if dot and owner in roles:
            if owner == role:
                found[rest] = value
        else:
            found[key] = value
    return found


def _found(benchmark: type[Benchmark], role: str, name: str) -> str:
    """The `module:Class` of an agent."""
    if is_foreign(name):
        return name
    known = {**ANYWHERE, **benchmark.agents.get(role, {})}
    if name not in known:
        raise HousematesError(
            f"Unknown agent {name!r} for the {role} of {benchmark.name}: {nearest(name, known)}; "
            "or give module:Class or file.py:Class."
        )
    return known[name]


def _imported(where: str, name: str) -> Any:
    module_name, _, attribute = where.rpartition(":")
    try:
        module = _module(module_name)
    except HousematesError:
        raise
    except Exception as error:
        raise HousematesError(f"{name}: cannot be imported ({type(error).__name__}: {error}).") from error
    if not hasattr(module, attribute):
        public = [each for each in vars(module) if not each.startswith("_")]
        raise HousematesError(
            f"{name}: there is no {attribute!r} in {module_name}: {nearest(attribute, public)}."
        )
    found = getattr(module, attribute)
    if not callable(found):
        raise HousematesError(f"{name} is no agent: expected a class with reset(brief) and act(percept).")
    return found


def _module(name: str) -> Any:
    """A module by its dotted name, or a file, which is imported once and may import its neighbours."""
    if not name.endswith(".py"):
        return importlib.import_module(name)
    path = Path(name).resolve()
    if not path.is_file():
        raise HousematesError(f"{name}: no such file.")
    known = f"_agent_{path.stem}_{abs(hash(str(path)))}"
    if known not in sys.modules:
        spec = importlib.util.spec_from_file_location(known, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[known] = module
        sys.path.insert(0, str(path.parent))
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[known]
            raise
        finally:
            sys.path.remove(str(path.parent))
    return sys.modules[known]
