"""The predicates of the domain as questions to a state; conditions of texts and goals are made of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from housemates.benchmarks.alfworld.world.game import ABLE, FLAGS
from housemates.benchmarks.alfworld.world.state import State

Numbers = tuple[int, ...]
Select = Callable[[State, Sequence[int | None]], Sequence[Numbers]]


class Predicate(NamedTuple):
    """The kinds of its arguments, and what fulfils it, in order, where some arguments are given."""

    kinds: tuple[str, ...]
    select: Select


def _flag(name: str) -> Select:
    def select(state: State, given: Sequence[int | None]) -> Sequence[Numbers]:
        return _bits(state.flags[name], given[0])

    return select


def _able(name: str) -> Select:
    def select(state: State, given: Sequence[int | None]) -> Sequence[Numbers]:
        return _bits(state.game.flags[name], given[0])

    return select


def _bits(bits: int, given: int | None) -> Sequence[Numbers]:
    if given is not None:
        return ((given,),) if bits >> given & 1 else ()
    return [(each,) for each in range(bits.bit_length()) if bits >> each & 1]


def _inside(state: State, given: Sequence[int | None]) -> Sequence[Numbers]:
    thing, receptacle = given
    if receptacle is not None:
        inside = state.inside[receptacle]
        if thing is not None:
            return ((thing, receptacle),) if thing in inside else ()
        return [(each, receptacle) for each in inside]
    found = ((each, number) for number, inside in enumerate(state.inside) for each in inside)
    return sorted(pair for pair in found if thing in (None, pair[0]))


def _receptacle_at(state: State, given: Sequence[int | None]) -> Sequence[Numbers]:
    receptacle, location = given
    if location is not None:
        there = state.game.receptacles_at[location]
        return [(each, location) for each in there if receptacle in (None, each)]
    return _among(((each, at) for each, at in enumerate(state.game.place_of) if at >= 0), given)


def _among(pairs: Iterable[Numbers], given: Sequence[int | None]) -> Sequence[Numbers]:
    """Those of the pairs that have what is given, in order."""
    first, second = given
    if first is not None:
        pairs = [pair for pair in pairs if pair[0] == first]
    if second is not None:
        pairs = [pair for pair in pairs if pair[1] == second]
    return sorted(pairs)


def _one(fact: Numbers, given: Sequence[int | None]) -> Sequence[Numbers]:
    """The one fact that there is, if it has what is given."""
    first, second = given
    return (fact,) if first in (None, fact[0]) and second in (None, fact[1]) else ()


def _inner(state: State, given: Sequence[int | None]) -> Sequence[Numbers]:
    return _among(((each, outer) for outer, held in state.game.inner.items() for each in held), given)


AGENT = 0
PREDICATES: Mapping[str, Predicate] = {
    **{name: Predicate(("object",), _flag(name)) for name in FLAGS},
    **{name: Predicate(("object",), _able(name)) for name in ABLE},
    # Nothing that was turned on is ever turned off, and no text asks before: the fact is never told.
    "not_istoggled": Predicate(("object",), lambda state, given: ()),
    "openable": Predicate(("receptacle",), lambda state, given: _bits(state.game.openable, given[0])),
    "opened": Predicate(("receptacle",), lambda state, given: _bits(state.opened, given[0])),
    "holdsany": Predicate(("agent",), lambda state, given: ((AGENT,),) if state.held >= 0 else ()),
    "holds": Predicate(
        ("agent", "object"),
        lambda state, given: _one((AGENT, state.held), given) if state.held >= 0 else (),
    ),
    "atlocation": Predicate(("agent", "location"), lambda state, given: _one((AGENT, state.location), given)),
    "receptacleatlocation": Predicate(("receptacle", "location"), _receptacle_at),
    "objectatlocation": Predicate(
        ("object", "location"), lambda state, given: _among(state.object_at, given)
    ),
    "inreceptacle": Predicate(("object", "receptacle"), _inside),
    "not_inreceptacle": Predicate(
        ("object", "receptacle"), lambda state, given: _among(state.removed, given)
    ),
    "inreceptacleobject": Predicate(("object", "object"), _inner),
}
