"""Nobody is given more than its role may know: neither the session nor the world, the instance, the task, the
goal, the future nor what others see can be reached from a brief and a percept."""

from __future__ import annotations

import functools
import importlib.util
import sys
import types
import weakref
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, get_origin

import pytest

from housemates.agents.basic import RandomAgent
from housemates.core import registry
from housemates.core.actions import Act, Offer
from housemates.core.benchmark import Benchmark, Instance, Reference
from housemates.core.outcome import Outcome, done
from housemates.core.percepts import Brief, Limits, Percept
from housemates.core.session import Session
from housemates.home.things import Scene
from housemates.home.world import World

spec = importlib.util.spec_from_file_location("walking", Path(__file__).with_name("walking.py"))
assert spec is not None and spec.loader is not None
walking = importlib.util.module_from_spec(spec)
sys.modules["walking"] = walking
spec.loader.exec_module(walking)

NAMES = sorted(name for each in registry.specs().values() for name in each.benchmarks)
TURNS = 4
"""Turns of each role that are looked at."""
SEES_ALL = {("teach-tatc", "commander"), ("cerealbar", "leader")}
"""Roles that know what is asked and see the whole world; they get copies of it."""
COPIES = ("_mirror",)
"""What a session keeps only to give it away: changing it changes nothing, as digests show after each turn."""
ROOMS = ("tasks", "files", "generate")
"""Parts of a benchmark's folder that tell what is asked and how it was made."""
SHARED = (
    *(str, bytes, int, float, type(None), Enum, tuple, frozenset, types.MappingProxyType),
    *(Act, Limits, Offer, Outcome),
)
"""What a session may have in common with what it gives away, as it cannot be changed."""


@functools.cache
def opened(name: str) -> tuple[Benchmark, Instance]:
    """A benchmark and its first generated instance."""
    benchmark = registry.benchmark(name)
    for reference in benchmark.references("generated", 1):
        for instance in benchmark.open(reference):
            return benchmark, instance
    raise AssertionError


def turns(benchmark: Benchmark, instance: Instance) -> Iterator[tuple[Session, Brief, Percept]]:
    """What each role is given at its first turns, while everybody does anything at all."""
    session = benchmark.session(instance)
    agents = {role: RandomAgent() for role in benchmark.roles}
    for role, agent in agents.items():
        agent.reset(session.brief(role))
    left = dict.fromkeys(benchmark.roles, TURNS)
    while session.role is not None and session.turn < 40 * TURNS and any(left.values()):
        role, percept = session.role, session.observe()
        if left[role]:
            left[role] -= 1
            yield session, session.brief(role), percept
        act = agents[role].act(percept)
        session.act("Pass" if act.name == "Stop" else act)


def own(session: Session, instance: Instance, sees_all: bool) -> dict[int, str]:
    """The parts of a session and its instance that a role may not share, by identity.

    Who sees all may share what cannot be changed.
    """
    found = {id(instance.data): "Instance.data", id(instance): "Instance", id(session): "the session"}
    for name, value in vars(session).items():
        if name in COPIES:
            continue
        frozen = getattr(getattr(value, "__dataclass_params__", None), "frozen", False)
        if not isinstance(value, SHARED) and not (sees_all and frozen):
            found[id(value)] = f"session.{name}"
    return found


def forbidden(benchmark: Benchmark, sees_all: bool) -> tuple[type, ...]:
    """What nobody may reach whatever it is, and what those who do not see all may not reach either."""
    data = get_origin(benchmark.Data) or benchmark.Data
    kinds = [Session, Instance, Reference, Benchmark, *([data] if data not in (dict, int) else [])]
    return tuple(kinds) if sees_all else (*kinds, World, Scene)


@pytest.mark.parametrize("name", NAMES)
def test_nobody_can_reach_more_than_its_role_may_know_nor_change_anything(name: str) -> None:
    benchmark, instance = opened(name)
    folder = type(benchmark).__module__.rpartition(".")[0]
    roles = set()
    for session, brief, percept in turns(benchmark, instance):
        role, before = percept.role, session.digest()
        roles.add(role)
        sees_all = (name, role) in SEES_ALL
        private, kinds = own(session, instance, sees_all), forbidden(benchmark, sees_all)
        rooms = ("-",) if sees_all else tuple(f"{folder}.{room}" for room in ROOMS)
        for draw in percept.pictures.values():
            draw()[:] = 0
        for thing, way in walking.given(brief, percept):
            assert id(thing) not in private, f"{role}: {private[id(thing)]} by {way}"
            assert not isinstance(thing, kinds), f"{role}: {type(thing).__name__} by {way}"
            assert not type(thing).__module__.startswith(rooms), f"{role}: {way}"
        assert session.digest() == before
    assert roles == set(benchmark.roles)


@pytest.mark.parametrize("name", NAMES)
def test_the_id_of_an_instance_is_not_told(name: str) -> None:
    benchmark, instance = opened(name)
    session = benchmark.session(instance)
    for role in benchmark.roles:
        brief = session.brief(role)
        told = " ".join([brief.id, brief.rules, brief.goal, str(brief.data)])
        assert instance.id not in told


class Slotted:
    """Hides something in a slot."""

    __slots__ = ("hidden",)


def nested(secret: Any) -> dict[str, Any]:
    """Every way to hide something that we can think of."""
    slotted = Slotted()
    slotted.hidden = secret

    def closure() -> Any:
        return secret

    def default(value: Any = secret, *, named: Any = None) -> Any:
        return value

    def wrapped() -> None:
        """Hides it as functools.wraps does."""

    wrapped.__wrapped__ = closure  # type: ignore[attr-defined]
    owner = types.SimpleNamespace(secret=secret)
    return {
        "slot": slotted,
        "closure": closure,
        "default": default,
        "wrapped": wrapped,
        "partial": functools.partial(print, secret),
        "method": types.MethodType(lambda self: None, secret),
        "attribute": owner,
        "container": [{"deep": ({1: [secret]},)}],
        "key": {secret: 1},
        "proxy": types.MappingProxyType({"a": secret}),
        "iterator": iter([secret]),
        "generator": (each for each in [secret]),
        "weakly": weakref.ref(secret),
        "map": map(closure, []),
    }


class Secret:
    """Must not be found."""


@pytest.mark.parametrize("how", list(nested(Secret())))
def test_the_walk_finds_what_is_hidden(how: str) -> None:
    secret = Secret()
    assert any(found.thing is secret for found in walking.reachable(nested(secret)[how]))


def test_the_walk_calls_handles_and_ends(counting) -> None:
    session = counting.Counting().session(Instance("x", "odd", 3))
    session.view = lambda role: {"call": session.handle("digest")}
    things = [found.thing for found in walking.given(session.brief("counter"), session.observe())]
    assert session.digest() in things
    assert not any(each is session for each in things)
    loop: list[Any] = []
    loop.append(loop)
    assert len(list(walking.reachable(loop))) == 1


def test_acts_and_outcomes_lead_nowhere() -> None:
    things = [found.thing for found in walking.reachable(Act("Say", {"text": "hi"}), done("Done."))]
    assert {type(each).__module__ for each in things} <= {
        "builtins",
        "housemates.core.actions",
        "housemates.core.outcome",
    }
