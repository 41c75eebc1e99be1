"""Menus on a picture of a home: what can be done to the thing under the pointer, and why not, where it fails.

Whether an act would work is tried in the world itself, which is then as it was before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

import msgspec

from housemates.home import ACTIONS, Outcome, Thing
from housemates.home.actions import HANDS
from housemates.home.containment import has_inside
from housemates.home.kinds import BASINS
from housemates.studio.pages.names import called, worded

LACKING = {
    "empty": "Your hand is full. Put down first what you hold.",
    "full": "Your hand is empty.",
    "cuts": "You need a knife in your hand.",
    "filled": "You need something filled with a liquid in your hand.",
}
"""What is said where the hand is not as an action needs it, by the words of `home.actions.HANDS`."""
PAD = 6
"""Buttons to walk and turn with; those after them look."""
ON_HELD = ("full", "filled")
"""Needs of actions that do something with what is held; without it they are in no menu."""
VESSELS = ("GarbageCan", "LaundryHamper", "Pan", *BASINS)
"""What things are put in rather than on, beside what can be filled or shut."""


class Choice(msgspec.Struct, frozen=True):
    """An entry of a thing's menu."""

    act: str
    object: str
    label: str
    refusal: str
    """Why it would fail; empty if it would not."""

    def told(self) -> dict[str, str]:
        """What the browser is told of it; ids are no part of that."""
        return {"act": self.act, "label": self.label, "refusal": self.refusal}


class Restorable(Protocol):
    """A world that can go back to a moment."""

    def snapshot(self) -> Any:
        """Return a copy of the state, as `restore` takes it."""

    def restore(self, moment: Any) -> None:
        """Go back to it."""


@contextmanager
def rehearsal(world: Restorable) -> Iterator[None]:
    """What is done inside has not happened afterwards."""
    moment = world.snapshot()
    try:
        yield
    finally:
        world.restore(moment)


def refusal(world: Restorable, attempt: Callable[[], Outcome]) -> str:
    """Why an act would fail, as people read it; empty if it would not."""
    with rehearsal(world):
        outcome = attempt()
    return "" if outcome.success else worded(outcome.message)


def choice(
    world: Restorable, act: str, touch: str, thing: Thing, held: Thing | None, attempt: Callable[[], Outcome]
) -> Choice | None:
    """The entry for an act on a thing; None if it makes no sense there.

    Args:
        world: Where it would be tried.
        act: What the seat calls it.
        touch: What the home calls it.
        thing: What it is meant for.
        held: What is in the hand.
        attempt: Does it.
    """
    spec = ACTIONS[touch]
    if not spec.changes(thing) or (spec.hand in ON_HELD and not HANDS[spec.hand](held)):
        return None
    inside = has_inside(thing) or thing.kind.can("fill") or thing.type in VESSELS
    label = spec.offered.label.format(thing=called(thing.type), where="in" if inside else "on")
    return Choice(act, thing.id, label, refusal(world, attempt))


def buttons(acts: Mapping[str, str]) -> dict[str, list[dict[str, str]]]:
    """The buttons of a seat whose acts these are, its name -> the home's: `moves`, `looks` and `touches`."""
    found: dict[str, list[dict[str, str]]] = {"moves": [], "looks": [], "touches": []}
    rows = [(act, ACTIONS[does].offered) for act, does in acts.items()]
    for act, row in sorted(rows, key=lambda each: each[1].pad):
        kind = "touches" if not row.pad else "looks" if row.pad > PAD else "moves"
        told = {"text": row.text, "key": row.key, "sign": row.sign, "nothing": row.nothing}
        found[kind].append({"act": act, **told})
    return found


def lacking(acts: Mapping[str, str], held: Thing | None) -> dict[str, str]:
    """What the hand lacks for each of a seat's acts on things; those that lack nothing are left out."""
    needs = {act: ACTIONS[touch].hand for act, touch in acts.items()}
    return {act: LACKING[hand] for act, hand in needs.items() if not HANDS[hand](held)}


def blocked(world: Restorable, moves: Iterable[str], attempt: Callable[[str], Outcome]) -> dict[str, str]:
    """The moves that would fail now, and why."""
    found = {move: refusal(world, lambda move=move: attempt(move)) for move in moves}  # type: ignore[misc]
    return {move: why for move, why in found.items() if why}
