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
import re
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from housemates.core import registry
from housemates.core.agent import Agent
from housemates.core.benchmark import Benchmark
from housemates.core.isolation.agent import IsolatedAgent, Isolation, absolute
from housemates.core.options import arguments_of, read_arguments
from housemates.core.registry import AgentSpec
from housemates.errors import HousematesError, nearest
from housemates.files import read_json

CHECKPOINT = "model.json"
"""What makes a folder the name of a trained model; its field `model` says of which."""
FOLDER = "folder"
"""The argument by which an agent is told the folder of its model."""
RENAMED = {"reader-told": "reader-oracle-task"}
"""Agents of 0.1 -> what they are called now."""

DRIVE = re.compile(r"^[A-Za-z]:(?=[\\/])")
"""How a path begins that names a drive; its colon parts no module from a class."""
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
    isolation: Isolation | None = None
    """What the agent may use up in a process of its own; None if it need not have one."""


def seat_all(
    benchmark: type[Benchmark],
    words: Sequence[str],
    options: Mapping[str, str],
    isolation: Isolation | None = None,
) -> dict[str, Seating]:
    """Who sits where, as the command line says it.

    Args:
        benchmark: Whose roles they are.
        words: `ROLE=AGENT` for each role, or one `AGENT` for all of them.
        options: Of agents; `ROLE.KEY` is for one role only, others are for all who have such an option.
        isolation: What each of them may use up in a process of its own, if they are kept apart.
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
    return {role: Seating(named[role], own[role], shared, isolation) for role in benchmark.roles}


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
    isolation: Isolation | None = None,
) -> tuple[str, dict[str, Seating]]:
    """A seat that somebody else takes, and who sits in the others.

    Args:
        benchmark: Whose roles they are.
        role: The seat that is taken; the last of the benchmark's roles if None.
        words: As for `seat_all`; the benchmark's usual partners where a role is not named.
        options: Of the agents.
        isolation: What each of them may use up in a process of its own, if they are kept apart.
    """
    role = benchmark.roles[-1] if role is None else role
    if role not in benchmark.roles:
        raise HousematesError(f"{benchmark.name} has no role {role!r}: {nearest(role, benchmark.roles)}.")
    partners = {each: registry.partner(benchmark.name, each) for each in benchmark.roles}
    usual = [f"{each}={name}" for each, name in partners.items() if name]
    seats = seat_all(benchmark, [*usual, *words, f"{role}=first"], options or {}, isolation)
    return role, {each: seating for each, seating in seats.items() if each != role}


def recorded(seats: Mapping[str, Seating], folder: Path) -> dict[str, Seating]:
    """The same seats; agents that can record their calls do it in a folder, unless they are told where."""
    found = dict(seats)
    for role, seating in seats.items():
        spec = scheme_of(seating.name)
        if spec is not None and spec.record:
            there = {spec.record: str(folder / f"{spec.record}.jsonl")}
            found[role] = msgspec.structs.replace(seating, shared=there | seating.shared)
    return found


def waits(seats: Mapping[str, Seating]) -> bool:
    """Whether somebody in these seats does little but wait for answers."""
    return any(spec is not None and spec.waits for spec in (scheme_of(each.name) for each in seats.values()))


def deciding(seating: Seating) -> dict[str, str]:
    """The options of a seat that decide what its agent answers."""
    spec = scheme_of(seating.name)
    options = seating.shared | seating.options
    return {key: value for key, value in options.items() if spec is None or key not in spec.incidental}


def maker(benchmark: str, role: str, name: str) -> Any:
    """What makes the agent of this name for a seat: a class or a function, to be called with its options."""
    return _imported(registry.agents_of(benchmark, role)[name].where, name)


def make_alike(
    benchmark: type[Benchmark], name: str, options: Mapping[str, str] | None = None
) -> dict[str, Agent]:
    """An agent of the same name in every seat, such as a pair that was made for one another.

    A seat that it cannot take has the usual partner. The options are for whoever has them.
    """
    named = {role: name in registry.agents_of(benchmark.name, role) for role in benchmark.roles}
    alike = {
        role: name if own or not any(named.values()) else registry.partner(benchmark.name, role)
        for role, own in named.items()
    }
    return make_agents(
        benchmark, {role: Seating(each, shared=dict(options or {})) for role, each in alike.items()}
    )


def make_agent(benchmark: type[Benchmark], role: str, seating: Seating) -> Agent:
    """Make the agent of a seat; what cannot be imported or is no agent is refused in one sentence."""
    return make_agents(benchmark, {role: seating})[role]


def make_agents(benchmark: type[Benchmark], seats: Mapping[str, Seating]) -> dict[str, Agent]:
    """Make all agents of an episode; those that are kept apart, each in a process of its own."""
    apart: dict[str, IsolatedAgent] = {}
    try:
        for role, seating in seats.items():
            if seating.isolation is not None and can_be_apart(benchmark.name, role, seating.name):
                options = seating.shared | seating.options
                apart[role] = IsolatedAgent(benchmark.name, role, seating.name, options, seating.isolation)
        return _made_all(benchmark.name, seats, apart)
    except BaseException:
        for agent in apart.values():
            agent.close()
        raise


def _made_all(
    benchmark: str, seats: Mapping[str, Seating], apart: Mapping[str, IsolatedAgent]
) -> dict[str, Agent]:
    makers = {
        role: found_maker(benchmark, role, seating.name)
        for role, seating in seats.items()
        if role not in apart
    }
    known = {role: apart[role].arguments if role in apart else arguments_of(makers[role]) for role in seats}
    for key in {key: None for seating in seats.values() for key in seating.shared}:
        if not any(_has(names, key) for names in known.values()):
            there = sorted({name for names in known.values() for name in names or ()})
            expected = nearest(key, there) if there else "they have none"
            raise HousematesError(f"--agent-option {key}: no agent has this option: {expected}.")
    agents: dict[str, Agent] = dict(apart)
    for role, seating in seats.items():
        options = {key: value for key, value in seating.shared.items() if _has(known[role], key)}
        argument = _argument(benchmark, role, seating.name)
        if role in apart:
            own = {argument: absolute(seating.name)} if argument else {}
            apart[role].make(options | seating.options | own)
        else:
            own = {argument: seating.name} if argument else {}
            agents[role] = made(makers[role], options | seating.options | own, seating.name)
    return agents


def can_be_apart(benchmark: str, role: str, name: str) -> bool:
    """Whether an agent has no need of this process: one of ours that is privileged has.

    So have those that speak with somebody elsewhere, who is apart already.
    """
    spec = registry.agents_of(benchmark, role).get(name)
    return scheme_of(name) is None and (spec is None or not spec.privileged)


def found_maker(benchmark: str, role: str, name: str) -> Any:
    """What makes the agent of any name that can be given, imported."""
    return _imported(_found(benchmark, role, name), name)


def _has(names: Sequence[str] | None, key: str) -> bool:
    return names is None or key in names


def is_foreign(name: str) -> bool:
    """Whether an agent is somebody's own code."""
    return ":" in DRIVE.sub("", name)


def made(maker: Any, options: Mapping[str, str], name: str) -> Agent:
    """The agent that a class or a function makes with these options."""
    arguments = read_arguments(maker, options, name)
    try:
        agent: Agent = maker(**arguments)
    except (HousematesError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise HousematesError(f"{name}: cannot be made ({_one_line(error)}).") from error
    if not _is_agent(agent):
        raise HousematesError(f"{name} is no agent: expected reset(brief) and act(percept).")
    return agent


def _is_agent(thing: Any) -> bool:
    return all(callable(getattr(thing, each, None)) for each in ("reset", "act"))


def _one_line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")


def scheme_of(name: str) -> AgentSpec | None:
    """The agent for names that begin like this one, such as `llm:`, if there is one."""
    scheme, colon, _ = name.partition(":")
    return next((spec for spec in registry.agent_specs() if colon and scheme in spec.schemes), None)


def _argument(benchmark: str, role: str, name: str) -> str:
    """The argument of an agent that its own name is given to; nothing if it has none."""
    if not is_foreign(name) and name not in registry.agents_of(benchmark, role) and is_trained(name):
        return FOLDER
    spec = scheme_of(name)
    return "" if spec is None else spec.argument


def is_trained(name: str) -> bool:
    """Whether a name is that of a folder with a trained model."""
    return os.path.isfile(Path(name) / CHECKPOINT)  # noqa: PTH113, a name too long for a file is none


def _found(benchmark: str, role: str, name: str) -> str:
    """The `module:Class` of an agent."""
    if is_foreign(name):
        spec = scheme_of(name)
        return name if spec is None else spec.where
    known = registry.agents_of(benchmark, role)
    if name in known:
        return known[name].where
    if is_trained(name):
        return _player(name, benchmark, role).where
    if name in RENAMED:
        raise HousematesError(f"The agent {name!r} is called {RENAMED[name]!r} now.")
    raise HousematesError(
        f"Unknown agent {name!r} for the {role} of {benchmark}: {nearest(name, known)}; "
        "or give module:Class, file.py:Class, http://ADDRESS, llm:MODEL or the folder of a trained model."
    )


def _player(folder: str, benchmark: str, role: str) -> AgentSpec:
    """The agent that plays a seat with the model in a folder."""
    card = read_json(Path(folder) / CHECKPOINT)
    model = card.get("model") if isinstance(card, dict) else None
    players = [spec for spec in registry.agent_specs() if model and spec.model == model]
    if not players:
        known = sorted({spec.model for spec in registry.agent_specs() if spec.model})
        raise HousematesError(f"{folder}: model: Unknown model {model!r}: {nearest(str(model), known)}.")
    for spec in players:
        if spec.sits(benchmark, role):
            return spec
    seats = ", ".join(
        f"the {role} of {name}" for spec in players for name in spec.benchmarks for role in spec.roles
    )
    raise HousematesError(
        f"{folder}: {model} does not know the seat of the {role} of {benchmark}: it can be {seats}."
    )


def _imported(where: str, name: str) -> Any:
    module_name, _, attribute = where.rpartition(":")
    named = module_name.endswith(".py") or all(part.isidentifier() for part in module_name.split("."))
    if not named or not attribute.isidentifier():
        raise HousematesError(f"{name}: expected module:Class or file.py:Class.")
    try:
        module = _module(module_name)
    except (HousematesError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise HousematesError(f"{name}: cannot be imported ({_one_line(error)}).") from error
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
