"""TEACh's dynamics: the home, and the derived properties that its tasks ask about."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any, NamedTuple

import msgspec

from housemates.home import Outcome, Snapshot, World, act
from housemates.home.rules import follow
from housemates.home.things import Thing, thor_position
from housemates.home.types import ObjectType

HOME_ACTIONS = {
    "Forward": "Forward",
    "Backward": "Backward",
    "Turn Left": "TurnLeft",
    "Turn Right": "TurnRight",
    "Look Up": "LookUp",
    "Look Down": "LookDown",
    "Pan Left": "PanLeft",
    "Pan Right": "PanRight",
    "Pickup": "Pickup",
    "Place": "Place",
    "Open": "Open",
    "Close": "Close",
    "ToggleOn": "ToggleOn",
    "ToggleOff": "ToggleOff",
    "Slice": "Slice",
    "Pour": "Pour",
}
"""The Follower's sixteen actions and what they are called in the home."""


class Notes(msgspec.Struct, frozen=True):
    """What TEACh remembers about a thing beyond its state."""

    picked_up: bool = False
    last_parent: str = ""
    coffee: bool = False
    water: bool = False
    boiled: bool = False


class Moment(NamedTuple):
    """All that changes, at one moment."""

    home: Snapshot
    notes: dict[str, Notes]


NOTHING = Notes()
AFFORDANCES = {
    "pickupable": "pickup",
    "receptacle": "receptacle",
    "openable": "open",
    "toggleable": "toggle",
    "sliceable": "slice",
    "cookable": "cook",
    "canFillWithLiquid": "fill",
    "dirtyable": "dirty",
    "breakable": "break",
    "moveable": "move",
    "canBeUsedUp": "use up",
}
"""AI2-THOR's names of what a type affords."""


@cache
def affordances(kind: ObjectType) -> dict[str, bool]:
    """What a type affords, by AI2-THOR's names."""
    return {name: kind.can(affordance) for name, affordance in AFFORDANCES.items()}


class TeachWorld:
    """A home in which a Follower acts, with what TEACh's task checker wants to know about it."""

    def __init__(self, home: World) -> None:
        """Start from the home as it is; a full mug in a coffee machine holds coffee."""
        self.home = home
        self.notes: dict[str, Notes] = {}
        for machine in home.of_type("CoffeeMachine"):
            for mug in home.contents(machine):
                if mug.liquid:
                    self._note(mug, coffee=True)

    def snapshot(self) -> Moment:
        """Keep this moment."""
        return Moment(self.home.snapshot(), dict(self.notes))

    def restore(self, moment: Moment) -> None:
        """Go back to a moment that was kept."""
        self.home.restore(moment.home)
        self.notes = dict(moment.notes)

    def digest(self) -> str:
        """A fingerprint of the home and the notes."""
        notes = [(name, self.notes[name]) for name in sorted(self.notes)]
        return hashlib.sha256(self.home.digest().encode() + msgspec.json.encode(notes)).hexdigest()

    def act(self, name: str, **arguments: Any) -> Outcome:
        """Try one of the Follower's actions, by TEACh's name."""
        before = self.home.things.copy()
        outcome = act(self.home, HOME_ACTIONS[name], **arguments)
        self._take_notes(before)
        if outcome.success and name == "Pour":
            self._note(self.home.things[self.home.agent.held], coffee=False)
        return outcome

    def settle(self, name: str) -> None:
        """Let the rules follow that also follow an attempt which failed."""
        before = self.home.things.copy()
        follow(self.home, HOME_ACTIONS[name], "", False)
        self._take_notes(before)

    def _take_notes(self, before: dict[str, Thing]) -> None:
        for name, thing in list(self.home.things.items()):
            old = before.get(name)
            if old is thing:
                continue
            if old is None:
                whole = name.rsplit("|", 1)[0]
                self.notes[name] = self.notes.get(whole, NOTHING)
            elif thing.liquid and not old.liquid and self._in(thing, "CoffeeMachine"):
                self._note(thing, coffee=True)
            if self.home.agent.held == name and not self.notes.get(name, NOTHING).picked_up:
                self._note(thing, picked_up=True)
            if thing.parents and (old is None or thing.parents[0] != (old.parents or ("",))[0]):
                self._note(thing, last_parent=thing.parents[0])
            if thing.cooked and (old is None or not old.cooked) and self._in_liquid(thing):
                self._note(thing, boiled=True)
        self._water()

    def _water(self) -> None:
        for faucet in self.home.of_type("Faucet"):
            if faucet.on:
                for basin in faucet.controls:
                    for thing in self.home.contents_deep(self.home.things[basin]):
                        if not self.notes.get(thing.id, NOTHING).water:
                            self._note(thing, water=True)

    def _note(self, thing: Thing, **changes: Any) -> None:
        old = self.notes.get(thing.id, NOTHING)
        self.notes[thing.id] = msgspec.structs.replace(old, **changes)

    def _in(self, thing: Thing, kind: str) -> bool:
        return any(other.type == kind and other.on for other in self.home.ancestors(thing))

    def _in_liquid(self, thing: Thing) -> bool:
        return any(other.liquid for other in self.home.ancestors(thing) if other.kind.can("fill"))

    def objects(self) -> list[dict[str, Any]]:
        """The state as the task checker wants it: AI2-THOR's property names and the derived ones."""
        return [self._record(thing) for thing in self.home.things.values()]

    def _record(self, thing: Thing) -> dict[str, Any]:
        notes = self.notes.get(thing.id, NOTHING)
        kind = thing.kind
        return {
            **affordances(kind),
            "objectId": thing.id,
            "objectType": thing.type,
            "position": dict(zip("xyz", thor_position(thing), strict=True)),
            "isOpen": thing.open,
            "isToggled": thing.on,
            "isSliced": thing.sliced,
            "isCooked": thing.cooked,
            "isDirty": thing.dirty,
            "isBroken": thing.broken,
            "isUsedUp": thing.used_up,
            "isPickedUp": self.home.agent.held == thing.id,
            "isFilledWithLiquid": bool(thing.liquid) and kind.can("fill"),
            "ObjectTemperature": thing.temperature,
            "parentReceptacles": list(thing.parents) or None,
            "simbotObjectClass": list(kind.classes),
            "simbotPickedUp": int(notes.picked_up),
            "simbotLastParentReceptacle": notes.last_parent or None,
            "simbotIsFilledWithWater": int(notes.water),
            "simbotIsFilledWithCoffee": notes.coffee,
            "simbotIsCooked": thing.cooked,
            "simbotIsBoiled": notes.boiled,
        }
