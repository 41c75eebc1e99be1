"""The actions of the domain: what each needs, what it does, and which of them are possible now.

Each is a small function that does it, or answers None where its precondition does not hold; what it answers
is the binding of its parameters for the text that tells it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from housemates.benchmarks.alfworld.world.state import State

Numbers = tuple[int, ...]
Bound = dict[str, int]
Act = Callable[..., Bound | None]
AGENT = 0


def look(state: State) -> Bound | None:
    """Look around where one is."""
    return {"a": AGENT, "l": state.location}


def alone(state: State) -> Bound | None:
    """What needs nothing: the inventory, and help."""
    return {"a": AGENT}


def examine_receptacle(state: State, receptacle: int) -> Bound | None:
    """Look at a receptacle where one is."""
    there = state.game.place_of[receptacle] == state.location
    return {"a": AGENT, "r": receptacle} if there else None


def examine_object(state: State, thing: int) -> Bound | None:
    """Look at what is in hand.

    The published domains also mean things that are seen, but a comma in a type keeps that from ever holding.
    """
    return {"a": AGENT, "o": thing} if thing == state.held else None


def go(state: State, receptacle: int) -> Bound | None:
    """Go to a receptacle; where one is already, nothing would change, so that is no action."""
    start, end = state.location, state.game.place_of[receptacle]
    if end in (start, -1):
        return None
    state.location = end
    return {"a": AGENT, "lstart": start, "lend": end, "r": receptacle}


def open_receptacle(state: State, receptacle: int) -> Bound | None:
    """Open a receptacle where one is."""
    game, bit = state.game, 1 << receptacle
    if not game.openable & bit or state.opened & bit or game.place_of[receptacle] != state.location:
        return None
    state.opened |= bit
    return {"a": AGENT, "l": state.location, "r": receptacle}


def close_receptacle(state: State, receptacle: int) -> Bound | None:
    """Close a receptacle where one is."""
    game, bit = state.game, 1 << receptacle
    if not game.openable & state.opened & bit or game.place_of[receptacle] != state.location:
        return None
    state.opened &= ~bit
    return {"a": AGENT, "l": state.location, "r": receptacle}


def take(state: State, thing: int, receptacle: int) -> Bound | None:
    """Take a thing from a receptacle that is open."""
    game, here = state.game, state.location
    if state.held >= 0 or game.place_of[receptacle] != here or not state.is_open(receptacle):
        return None
    inside = state.inside[receptacle]
    if thing not in inside or not game.flags["pickupable"] >> thing & 1:
        return None
    state.inside[receptacle] = tuple([each for each in inside if each != thing])
    state.removed |= {(thing, receptacle)}
    state.object_at -= {(thing, here)}
    state.held = thing
    return {"a": AGENT, "l": here, "o": thing, "r": receptacle}


def put(state: State, thing: int, receptacle: int) -> Bound | None:
    """Put what is in hand in or on a receptacle that can take it and is open."""
    game, here = state.game, state.location
    if thing != state.held or game.place_of[receptacle] != here or not state.is_open(receptacle):
        return None
    if receptacle not in game.fits[thing]:
        return None
    state.inside[receptacle] = tuple(sorted({*state.inside[receptacle], thing}))
    state.removed -= {(thing, receptacle)}
    state.object_at |= {(thing, here)}
    state.held = -1
    return {"a": AGENT, "l": here, "o": thing, "r": receptacle}


def _with(action: str, able: str, becomes: str, no_longer: str = "") -> Act:
    """Clean, heat or cool what is in hand with a receptacle where one is, open or not."""

    def act(state: State, thing: int, receptacle: int) -> Bound | None:
        game = state.game
        if thing != state.held or game.place_of[receptacle] != state.location:
            return None
        if receptacle not in game.works[action] or not game.flags[able] >> thing & 1:
            return None
        state.flags[becomes] |= 1 << thing
        if no_longer:
            state.flags[no_longer] &= ~(1 << thing)
        return {"a": AGENT, "l": state.location, "o": thing, "r": receptacle}

    return act


def use(state: State, thing: int) -> Bound | None:
    """Switch a thing that is in a receptacle where one is, even in a closed one."""
    if not state.game.flags["toggleable"] >> thing & 1:
        return None
    for receptacle in state.game.receptacles_at[state.location]:
        if thing in state.inside[receptacle]:
            state.flags["istoggled"] |= 1 << thing
            return {"a": AGENT, "l": state.location, "o": thing, "r": receptacle}
    return None


def cut(state: State, thing: int, knife: int) -> Bound | None:
    """Slice a thing that is told to be where one is with the knife in hand."""
    game, here = state.game, state.location
    if knife != state.held or knife not in game.knives or (thing, here) not in state.object_at:
        return None
    if not game.flags["sliceable"] >> thing & 1:
        return None
    state.flags["issliced"] |= 1 << thing
    return {"a": AGENT, "l": here, "co": thing, "ko": knife}


ACTIONS: Mapping[str, Act] = {
    "look": look,
    "inventory": alone,
    "help": alone,
    "examinereceptacle": examine_receptacle,
    "examineobject": examine_object,
    "gotolocation": go,
    "openobject": open_receptacle,
    "closeobject": close_receptacle,
    "pickupobject": take,
    "putobject": put,
    "cleanobject": _with("cleanobject", "cleanable", "isclean"),
    "heatobject": _with("heatobject", "heatable", "ishot", "iscool"),
    "coolobject": _with("coolobject", "coolable", "iscool", "ishot"),
    "toggleobject": use,
    "sliceobject": cut,
}
CHANGES: Mapping[str, frozenset[str]] = {
    "gotolocation": frozenset({"atlocation"}),
    "openobject": frozenset({"opened"}),
    "closeobject": frozenset({"opened"}),
    "pickupobject": frozenset({"inreceptacle", "holds", "holdsany", "objectatlocation"}),
    "putobject": frozenset({"inreceptacle", "holds", "holdsany", "objectatlocation"}),
    "cleanobject": frozenset({"isclean"}),
    "heatobject": frozenset({"ishot", "iscool"}),
    "coolobject": frozenset({"ishot", "iscool"}),
    "toggleobject": frozenset({"istoggled"}),
    "sliceobject": frozenset({"issliced"}),
}
"""The predicates that an action changes, for those that change any a goal may speak of."""


def possible(state: State) -> Iterator[tuple[str, Numbers]]:
    """The actions that can be done here and now, except going, looking and the like, with their arguments."""
    game, held = state.game, state.held
    for receptacle in game.receptacles_at[state.location]:
        yield "examinereceptacle", (receptacle,)
        if game.openable >> receptacle & 1:
            is_open = state.opened >> receptacle & 1
            yield "closeobject" if is_open else "openobject", (receptacle,)
        else:
            is_open = 1
        inside = state.inside[receptacle]
        if is_open and held < 0:
            for thing in inside:
                if game.flags["pickupable"] >> thing & 1:
                    yield "pickupobject", (thing, receptacle)
        elif is_open and receptacle in game.fits[held]:
            yield "putobject", (held, receptacle)
        for thing in inside if game.flags["toggleable"] else ():
            if game.flags["toggleable"] >> thing & 1:
                yield "toggleobject", (thing,)
        for action, able in _TREATMENTS if held >= 0 else ():
            if receptacle in game.works[action] and game.flags[able] >> held & 1:
                yield action, (held, receptacle)
    if held >= 0:
        yield "examineobject", (held,)
        if held in game.knives:
            for thing, location in state.object_at:
                if location == state.location and game.flags["sliceable"] >> thing & 1:
                    yield "sliceobject", (thing, held)


_TREATMENTS = (("cleanobject", "cleanable"), ("heatobject", "heatable"), ("coolobject", "coolable"))
