"""Walking over everything that can be reached from an object, as somebody who wants to cheat would."""

from __future__ import annotations

import functools
import gc
import types
import weakref
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from housemates.core.percepts import Brief, Handle, Percept
from housemates.errors import HousematesError

MOST = 1_000_000
"""Objects; whoever leads to more than that leads to a world."""
BEYOND = (type, types.ModuleType, types.CodeType, types.BuiltinFunctionType)
"""Not followed: what is the same for everybody, and known from the source."""
PLAIN = (str, bytes, int, float, complex, bool, type(None), np.generic, np.dtype)


class Found(NamedTuple):
    """An object, and the way to it."""

    thing: Any
    way: str


def given(brief: Brief, percept: Percept) -> Iterator[Found]:
    """Everything that an agent can get hold of at its turn, pictures and calls included."""
    asked = [percept.text, percept.offers, percept.said, percept.data, dict(percept.pictures), percept.last]
    return reachable(brief, percept, *asked)


def reachable(*roots: Any) -> Iterator[Found]:
    """Yield the roots and whatever they lead to, each once.

    That is attributes, slots, containers, closures, `__self__`, `__wrapped__`, partials, weak references,
    generators, and what handles answer; not classes, modules and the globals of functions.
    """
    waiting = deque(Found(root, type(root).__name__) for root in roots)
    seen: dict[int, Any] = {}
    while waiting:
        found = waiting.popleft()
        if id(found.thing) in seen or isinstance(found.thing, BEYOND):
            continue
        seen[id(found.thing)] = found.thing
        assert len(seen) < MOST, found.way
        yield found
        if not isinstance(found.thing, PLAIN):
            for step, thing in _beneath(found.thing):
                waiting.append(Found(thing, f"{found.way} > {step}{type(thing).__name__}"))


def _beneath(thing: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(thing, types.FunctionType):
        for cell in thing.__closure__ or ():
            yield "closure ", _content(cell)
        yield "defaults ", thing.__defaults__
        yield "defaults ", thing.__kwdefaults__
        yield "attributes ", thing.__dict__
    elif isinstance(thing, types.CellType):
        yield "", _content(thing)
    elif isinstance(thing, weakref.ref):
        yield "weakly ", thing()
    elif isinstance(thing, functools.partial):
        yield from (("partial ", each) for each in (thing.func, thing.args, thing.keywords))
    elif isinstance(thing, np.ndarray):
        yield "base ", thing.base
        if thing.dtype == object:
            yield from (("", each) for each in thing.flat)
    else:
        if isinstance(thing, Handle):
            yield "call ", _answer(thing)
        yield from (("", each) for each in gc.get_referents(thing))


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _answer(handle: Handle) -> Any:
    try:
        return handle()
    except HousematesError:
        return None
