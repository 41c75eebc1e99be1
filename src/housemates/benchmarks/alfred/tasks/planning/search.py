"""Small planning problems, and A* search for the shortest plan of each; every one is searched only once."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from housemates.benchmarks.alfred.tasks.planning.problem import TREATMENTS

HELD, UNCUT, STACKED, GONE = -1, -2, -3, -4
"""Where a thing can be besides a place: in the hand, not yet cut, in the movable receptacle, cut up."""
TREATING = {kind: action for kind, (action, _, _) in TREATMENTS.items()}


class Move(NamedTuple):
    """A high-level action by the numbers of a thing and a place; -1 for no thing."""

    action: str
    thing: int
    place: int
    """For `StackObject`, the number of the movable receptacle."""


class Small(NamedTuple):
    """A goal with all its roles filled: things and places are numbers, sets of places are bits."""

    kind: str
    at: tuple[int, ...]
    """Where each thing is."""
    treated: bool
    """Whether the first target is heated, cooled or cleaned already."""
    targets: tuple[int, ...]
    whole: int
    knife: int
    base: int
    appliance: int
    goal: int
    shuts: tuple[bool, ...]
    opened: int
    to_close: int
    lit: bool
    fits: tuple[int, ...]
    """For each thing, where it can be put."""
    bars: frozenset[Move]
    """Moves that are impossible."""


class State(NamedTuple):
    """A moment of a small problem."""

    near: int
    at: tuple[int, ...]
    treated: bool
    opened: int
    lit: bool


Edge = tuple[tuple[Move, ...], State]


@lru_cache(maxsize=65536)
def shortest(small: Small) -> tuple[Move, ...] | None:
    """The shortest sequence of moves that reaches the goal; None if there is none."""
    first = State(-1, small.at, small.treated, small.opened, small.lit)
    queue = [(left_to_do(small, first), 0, 0, first)]
    best = {first: 0}
    came: dict[State, tuple[State, tuple[Move, ...]]] = {}
    count = 0
    while queue:
        _, _, cost, state = heapq.heappop(queue)
        if cost > best[state]:
            continue
        if reached(small, state):
            return _trace_back(came, state)
        for moves, after in edges(small, state):
            total = cost + len(moves)
            if total < best.get(after, 1 << 30):
                best[after] = total
                came[after] = (state, moves)
                count += 1
                heapq.heappush(queue, (total + left_to_do(small, after), count, total, after))
    return None


def _trace_back(came: dict[State, tuple[State, tuple[Move, ...]]], state: State) -> tuple[Move, ...]:
    found: list[Move] = []
    while state in came:
        state, moves = came[state]
        found[:0] = moves
    return tuple(found)


def reached(small: Small, state: State) -> bool:
    """Whether the goal is."""
    if state.opened & small.to_close:
        return False
    at = state.at
    if small.kind == "look_at_obj_in_light":
        return at[small.targets[0]] == HELD and state.lit and state.near == small.goal
    if small.base >= 0:
        return at[small.targets[0]] == STACKED and at[small.base] == small.goal
    return all(at[each] == small.goal for each in small.targets) and (
        state.treated or small.kind not in TREATING
    )


def left_to_do(small: Small, state: State) -> int:
    """A lower bound on the moves that are left: those that nothing else can stand in for."""
    at = state.at
    count = (state.opened & small.to_close).bit_count()
    visits = 0
    """Places to be touched, as bits."""
    if any(at[each] == UNCUT for each in small.targets):
        count += 1 if at[small.knife] == HELD else 2
        visits |= _bit(at[small.knife]) | _bit(at[small.whole])
    if small.kind == "look_at_obj_in_light":
        taken = at[small.targets[0]] == HELD
        visits |= 0 if taken else _bit(at[small.targets[0]])
        return count + (not taken) + (not state.lit) + _trips(small, state, visits)
    goal = STACKED if small.base >= 0 else small.goal
    for each in (*small.targets, *([small.base] if small.base >= 0 else [])):
        wanted = small.goal if each == small.base else goal
        again = small.kind in TREATING and not state.treated
        if at[each] != wanted or again:
            count += 1 if at[each] == HELD else 2
            visits |= _bit(at[each]) | _bit(small.goal)
    if small.base >= 0 and at[small.targets[0]] != STACKED:
        visits |= _bit(at[small.base])
    if small.kind in TREATING and not state.treated:
        away = state.near != small.appliance and not visits & _bit(small.appliance)
        count += 1 + away
    return count + _trips(small, state, visits)


def _trips(small: Small, state: State, visits: int) -> int:
    """How much going, opening and closing it takes at least to touch things at these places."""
    shut = sum(1 << place for place, shuts in enumerate(small.shuts) if shuts) & visits & ~state.opened
    away = visits & ~_bit(state.near)
    return away.bit_count() + shut.bit_count() + (shut & small.to_close).bit_count()


def _bit(place: int) -> int:
    return 1 << place if place >= 0 else 0


def edges(small: Small, state: State) -> Iterator[Edge]:
    """What can be done now, each with the going and opening that it takes."""
    held = next((thing for thing, where in enumerate(state.at) if where == HELD), None)
    if state.near >= 0 and state.opened & small.to_close & (1 << state.near):
        closed = state.opened & ~(1 << state.near)
        yield (Move("CloseObject", -1, state.near),), state._replace(opened=closed)
    if small.kind == "look_at_obj_in_light":
        yield from _light(small, state)
    if held is None:
        yield from _pick_up(small, state)
    else:
        yield from _put(small, state, held)
        yield from _use(small, state, held)


def _light(small: Small, state: State) -> Iterator[Edge]:
    toggle = Move("ToggleObject", -1, small.goal)
    if not state.lit and toggle not in small.bars:
        yield (*_go(state, small.goal), toggle), state._replace(near=small.goal, lit=True)
    elif state.near != small.goal:
        yield _go(state, small.goal), state._replace(near=small.goal)


def _pick_up(small: Small, state: State) -> Iterator[Edge]:
    """Take something; what is to be cut is cut where it lies."""
    for thing, where in enumerate(state.at):
        place = state.at[small.base] if where == STACKED else where
        move = Move("PickupObject", thing, place)
        if place >= 0 and thing != small.whole and move not in small.bars:
            opened = state.opened | _lid(small, place)
            moved = _moved(state.at, thing, HELD)
            yield (*_reach(small, state, place), move), state._replace(near=place, at=moved, opened=opened)


def _put(small: Small, state: State, held: int) -> Iterator[Edge]:
    for place in range(len(small.shuts)):
        if small.fits[held] & (1 << place):
            opened = state.opened | _lid(small, place)
            moved = _moved(state.at, held, place)
            move = Move("PutObject", held, place)
            yield (*_reach(small, state, place), move), state._replace(near=place, at=moved, opened=opened)
    place = state.at[small.base] if small.base >= 0 else HELD
    stack = Move("StackObject", held, small.base)
    if place >= 0 and held in small.targets and stack not in small.bars:
        opened = state.opened | _lid(small, place)
        moved = _moved(state.at, held, STACKED)
        yield (*_reach(small, state, place), stack), state._replace(near=place, at=moved, opened=opened)


def _use(small: Small, state: State, held: int) -> Iterator[Edge]:
    """Cut with a knife; heat, cool or clean what is held."""
    place = state.at[small.whole] if small.whole >= 0 else HELD
    cut = Move("SliceObject", small.whole, place)
    if held == small.knife and place >= 0 and cut not in small.bars:
        opened = state.opened | _lid(small, place)
        moved = tuple(place if where == UNCUT else where for where in _moved(state.at, small.whole, GONE))
        yield (*_reach(small, state, place), cut), state._replace(near=place, at=moved, opened=opened)
    if small.appliance >= 0 and held == small.targets[0] and not state.treated:
        treat = Move(TREATING[small.kind], held, small.appliance)
        if treat not in small.bars:
            opened = state.opened & ~(1 << small.appliance)
            after = state._replace(near=small.appliance, treated=True, opened=opened)
            yield (*_go(state, small.appliance), treat), after


def _go(state: State, place: int) -> tuple[Move, ...]:
    return () if state.near == place else (Move("GotoLocation", -1, place),)


def _reach(small: Small, state: State, place: int) -> tuple[Move, ...]:
    """Go to a place and open it, as far as that is needed."""
    moves = _go(state, place)
    if small.shuts[place] and not state.opened & (1 << place):
        moves = (*moves, Move("OpenObject", -1, place))
    return moves


def _lid(small: Small, place: int) -> int:
    return 1 << place if small.shuts[place] else 0


def _moved(at: tuple[int, ...], thing: int, where: int) -> tuple[int, ...]:
    return (*at[:thing], where, *at[thing + 1 :])
