"""Menus on a picture of a home: what can be done to the thing under the pointer, and why not, where it fails.

Whether an act would work is tried in the world itself, which is then as it was before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, Protocol

import msgspec

from housemates.files import shipped
from housemates.home import Outcome, Thing
from housemates.home.containment import has_inside
from housemates.home.kinds import BASINS
from housemates.studio.pages.names import called, worded


class Touch(NamedTuple):
    """The words for an act on a thing; see `touches.toml`."""

    text: str
    key: str
    label: str
    nothing: str


TOUCHES: Mapping[str, Touch] = {
    name: Touch(**row) for name, row in shipped(__package__, "touches.toml").items()
}
"""By the home's names."""
SENSIBLE: Mapping[str, Callable[[Thing, Thing | None], object]] = {
    "Place": lambda thing, held: held,
    "Open": lambda thing, held: not thing.open,
    "Close": lambda thing, held: thing.open,
    "ToggleOn": lambda thing, held: not thing.on,
    "ToggleOff": lambda thing, held: thing.on,
    "Pour": lambda thing, held: held and held.liquid,
}
"""When the menu of a thing has an act, given what is in the hand; the others it always has."""
NEEDS: Mapping[str, tuple[Callable[[Thing | None], object], str]] = {
    "Pickup": (lambda held: not held, "Your hand is full. Put down first what you hold."),
    "Place": (lambda held: held, "Your hand is empty."),
    "Slice": (lambda held: held and held.kind.cuts, "You need a knife in your hand."),
    "Pour": (lambda held: held and held.liquid, "You need something filled with a liquid in your hand."),
}
"""What has to be true of the hand, whatever the thing is, and what is said if it is not."""
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
        """Keep this moment."""

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
    if touch in SENSIBLE and not SENSIBLE[touch](thing, held):
        return None
    inside = has_inside(thing) or thing.kind.can("fill") or thing.type in VESSELS
    label = TOUCHES[touch].label.format(thing=called(thing.type), where="in" if inside else "on")
    return Choice(act, thing.id, label, refusal(world, attempt))


def panel(acts: Mapping[str, str]) -> list[dict[str, str]]:
    """The buttons of a seat whose acts on things these are: its name -> the home's."""
    return [
        {"act": act, "text": row.text, "key": row.key, "nothing": row.nothing}
        for act, row in ((act, TOUCHES[touch]) for act, touch in acts.items())
    ]


def lacking(acts: Mapping[str, str], held: Thing | None) -> dict[str, str]:
    """What the hand lacks for each of a seat's acts on things; those that lack nothing are left out."""
    needs = {act: NEEDS[touch] for act, touch in acts.items() if touch in NEEDS}
    return {act: why for act, (ready, why) in needs.items() if not ready(held)}


def blocked(world: Restorable, moves: Iterable[str], attempt: Callable[[str], Outcome]) -> dict[str, str]:
    """The moves that would fail now, and why."""
    found = {move: refusal(world, lambda move=move: attempt(move)) for move in moves}  # type: ignore[misc]
    return {move: why for move, why in found.items() if why}
