"""Finding agents by name: those of a benchmark, those that sit anywhere, and anybody's own.

`talk` is an agent of the benchmark, `first` and `random` sit in any seat, `package.module:Class` and
`path/to/agent.py:Class` are anybody's own, `http://host:port/` is a program that listens there, `llm:MODEL` a
language model, and a folder with a `model.json` is a model that was trained.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from housemates.benchmarks.base import Agent, Benchmark
from housemates.benchmarks.options import arguments_of, read_arguments
from housemates.benchmarks.understanding import nearest
from housemates.errors import HousematesError

ANYWHERE = {
    "first": "housemates.agents.first:FirstAgent",
    "random": "housemates.agents.random:RandomAgent",
}
"""Agents that can sit in any seat; a benchmark's own of the same name comes first."""


class Door(NamedTuple):
    """The agent for names of one kind."""

    agent: str
    argument: str
    """What it is told the name by."""
    incidental: frozenset[str] = frozenset()
    """Options that do not decide what it answers."""
    record: str = ""
    """An option that names a file of all its calls."""
    waits: bool = False
    """Whether it does little but wait for answers, so that threads play it best."""


_REMOTE = Door("housemates.doors.remote:RemoteAgent", "url")
DOORS = {
    "http": _REMOTE,
    "https": _REMOTE,
    "llm": Door(
        "housemates.doors.llm:LanguageModel",
        "name",
        frozenset(("budget", "calls", "offline", "retries", "timeout")),
        "calls",
        waits=True,
    ),
}
"""What comes before the first colon of a name -> the agent for such names."""

CHECKPOINT = "model.json"
"""What makes a folder the name of a trained model."""
TRAINED = ("housemates.models.registry:agent_of", "folder")
"""What tells the agent for such a folder, and that agent's argument for it."""


_importing = threading.RLock()
"""One thread at a time imports files, so that none finds a module half done."""


class Seating(msgspec.Struct, frozen=True):
    """Who sits in a seat, and how they are made."""

    name: str
    """As it was given: a name, `module:Class` or `file.py:Class`."""
    options: dict[str, str] = {}
    """For this seat."""
    shared: dict[str, str] = {}
    """For every seat whose agent has such an option."""


def seat_all(
    benchmark: type[Benchmark], words: Sequence[str], options: Mapping[str, str]
) -> dict[str, Seating]:
    """Who sits where, as the command line says it.

    Args:
        benchmark: Whose roles they are.
        words: `ROLE=AGENT` for each role, or one `AGENT` for all of them.
        options: Of agents; `ROLE.KEY` is for one role only, others are for all who have such an option.
    """
    own: dict[str, dict[str, str]] = {role: {} for role in benchmark.roles}
    shared = {}
    for key, value in options.items():
        owner, dot, rest = key.partition(".")
        if not dot:
            shared[key] = value
        elif owner in own:
            own[owner][rest] = value
        else:
            raise HousematesError(
                f"--agent-option {key}: {benchmark.name} has no role {owner!r}: {nearest(owner, own)}."
            )
    named = _named(benchmark, words)
    return {role: Seating(named[role], own[role], shared) for role in benchmark.roles}


def _named(benchmark: type[Benchmark], words: Sequence[str]) -> dict[str, str]:
    """The name of who sits in each seat."""
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
    return named


def seat_others(
    benchmark: type[Benchmark],
    role: str | None,
    words: Sequence[str],
    options: Mapping[str, Any] | None = None,
) -> tuple[str, dict[str, Seating]]:
    """A seat that somebody else takes, and who sits in the others.

    Args:
        benchmark: Whose roles they are.
        role: The seat that is taken; the last of the benchmark's roles if None.
        words: As for `seat_all`; the benchmark's usual partners where a role is not named.
        options: Of the agents.
    """
    role = benchmark.roles[-1] if role is None else role
    if role not in benchmark.roles:
        raise HousematesError(f"{benchmark.name} has no role {role!r}: {nearest(role, benchmark.roles)}.")
    usual = [f"{each}={name}" for each, name in benchmark.partners.items()]
    seats = seat_all(benchmark, [*usual, *words, f"{role}=first"], options or {})
    return role, {each: seating for each, seating in seats.items() if each != role}


def recorded(seats: Mapping[str, Seating], folder: Path) -> dict[str, Seating]:
    """The same seats; agents that can record their calls do it in a folder, unless they are told where."""
    found = dict(seats)
    for role, seating in seats.items():
        door = door_of(seating.name)
        if door is not None and door.record:
            there = {door.record: str(folder / f"{door.record}.jsonl")}
            found[role] = msgspec.structs.replace(seating, shared=there | seating.shared)
    return found


def waits(seats: Mapping[str, Seating]) -> bool:
    """Whether somebody in these seats does little but wait for answers."""
    return any(door is not None and door.waits for door in (door_of(each.name) for each in seats.values()))


def deciding(seating: Seating) -> dict[str, str]:
    """The options of a seat that decide what its agent answers."""
    door = door_of(seating.name)
    options = seating.shared | seating.options
    return {key: value for key, value in options.items() if door is None or key not in door.incidental}


def make_agent(benchmark: type[Benchmark], role: str, seating: Seating) -> Agent:
    """Make the agent of a seat; what cannot be imported or is no agent is refused in one sentence."""
    return make_agents(benchmark, {role: seating})[role]


def make_agents(benchmark: type[Benchmark], seats: Mapping[str, Seating]) -> dict[str, Agent]:
    """Make all agents of an episode."""
    makers = {
        role: _imported(_found(benchmark, role, seating.name), seating.name)
        for role, seating in seats.items()
    }
    known = {role: arguments_of(maker) for role, maker in makers.items()}
    for key in {key: None for seating in seats.values() for key in seating.shared}:
        if not any(_has(names, key) for names in known.values()):
            there = sorted({name for names in known.values() for name in names or ()})
            expected = nearest(key, there) if there else "they have none"
            raise HousematesError(f"--agent-option {key}: no agent has this option: {expected}.")
    agents = {}
    for role, seating in seats.items():
        shared = {key: value for key, value in seating.shared.items() if _has(known[role], key)}
        argument = _argument(benchmark, role, seating.name)
        own = {argument: seating.name} if argument else {}
        agents[role] = _made(makers[role], shared | seating.options | own, seating.name)
    return agents


def _has(names: Sequence[str] | None, key: str) -> bool:
    return names is None or key in names


def is_foreign(name: str) -> bool:
    """Whether an agent is somebody's own code."""
    return ":" in name


def _made(maker: Any, options: Mapping[str, str], name: str) -> Agent:
    arguments = read_arguments(maker, options, name)
    try:
        agent: Agent = maker(**arguments)
    except (HousematesError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise HousematesError(f"{name}: cannot be made ({_told(error)}).") from error
    if not _is_agent(agent):
        raise HousematesError(f"{name} is no agent: expected reset(brief) and act(percept).")
    return agent


def _is_agent(thing: Any) -> bool:
    return all(callable(getattr(thing, each, None)) for each in ("reset", "act"))


def _told(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")


def door_of(name: str) -> Door | None:
    """The agent for names of this kind, if it is such a name."""
    kind, colon, _ = name.partition(":")
    return DOORS.get(kind) if colon else None


def _argument(benchmark: type[Benchmark], role: str, name: str) -> str:
    """The argument of an agent that its own name is given to; nothing if it has none."""
    if not is_foreign(name) and name not in _known(benchmark, role) and is_trained(name):
        return TRAINED[1]
    door = door_of(name)
    return "" if door is None else door.argument


def is_trained(name: str) -> bool:
    """Whether a name is that of a folder with a trained model."""
    return os.path.isfile(Path(name) / CHECKPOINT)  # noqa: PTH113, a name too long for a file is none


def _known(benchmark: type[Benchmark], role: str) -> dict[str, str]:
    return {**ANYWHERE, **benchmark.agents.get(role, {})}


def _found(benchmark: type[Benchmark], role: str, name: str) -> str:
    """The `module:Class` of an agent."""
    if is_foreign(name):
        door = door_of(name)
        return name if door is None else door.agent
    known = _known(benchmark, role)
    if name not in known and is_trained(name):
        module, _, function = TRAINED[0].partition(":")
        where: str = getattr(importlib.import_module(module), function)(name, benchmark.name, role)
        return where
    if name not in known:
        raise HousematesError(
            f"Unknown agent {name!r} for the {role} of {benchmark.name}: {nearest(name, known)}; "
            "or give module:Class, file.py:Class, http://ADDRESS, llm:MODEL or the folder of a trained model."
        )
    return known[name]


def _imported(where: str, name: str) -> Any:
    module_name, _, attribute = where.rpartition(":")
    if not module_name or not attribute:
        raise HousematesError(f"{name}: expected module:Class or file.py:Class.")
    try:
        module = _module(module_name)
    except (HousematesError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise HousematesError(f"{name}: cannot be imported ({_told(error)}).") from error
    if not hasattr(module, attribute):
        public = [each for each in vars(module) if not each.startswith("_")]
        raise HousematesError(
            f"{name}: there is no {attribute!r} in {module_name}: {nearest(attribute, public)}."
        )
    found = getattr(module, attribute)
    if not callable(found) or (isinstance(found, type) and not _is_agent(found)):
        raise HousematesError(f"{name} is no agent: expected a class with reset(brief) and act(percept).")
    return found


def _module(name: str) -> Any:
    """A module by its dotted name, also beside where the program was started, or a file by its path.

    A file is imported once, and finds its neighbours behind everything that is installed.
    """
    if not name.endswith(".py"):
        _look_in(Path.cwd())
        return importlib.import_module(name)
    path = Path(name).resolve()
    if not os.path.isfile(path):  # noqa: PTH113
        raise HousematesError(f"{name}: no such file.")
    known = f"_agent_{path.stem}_{hashlib.blake2b(bytes(path), digest_size=6).hexdigest()}"
    with _importing:
        if known not in sys.modules:
            spec = importlib.util.spec_from_file_location(known, path)
            assert spec is not None and spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            sys.modules[known] = module
            _look_in(path.parent)
            try:
                spec.loader.exec_module(module)
            except BaseException:
                del sys.modules[known]
                raise
    return sys.modules[known]


def _look_in(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
