"""TEACh's dynamics: the home, and the derived properties that its tasks ask about."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import chain
from operator import is_
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from housemates.benchmarks.teach.world.actions import MOVES, TOUCHES
from housemates.core.copies import shared
from housemates.home import Outcome, Snapshot, World, act
from housemates.home.metadata import state_metadata
from housemates.home.rules import follow
from housemates.home.things import Thing, thor_position

HOME_ACTIONS = (*MOVES, *TOUCHES)
"""The Follower's sixteen actions, by the names that they have in the home."""
LOOK_DEG = 30


class Notes(msgspec.Struct, frozen=True):
    """What TEACh remembers about a thing beyond its state; what never came up is unset."""

    picked_up: bool = False
    last_parent: str | UnsetType | None = UNSET
    """Where it was put down last; None since it was picked up."""
    coffee: bool | UnsetType = UNSET
    water: bool = False
    boiled: bool = False
    holds: tuple[str, ...] | UnsetType = UNSET
    """What was put there and not taken away since, in that order; unset if nothing ever was. Only told."""

    def properties(self) -> dict[str, Any]:
        """The derived properties by their official names; there are none for what never came up."""
        found: dict[str, Any] = {
            "simbotLastParentReceptacle": self.last_parent,
            "simbotIsFilledWithCoffee": self.coffee,
            "simbotPickedUp": 1 if self.picked_up else UNSET,
            "simbotIsFilledWithWater": 1 if self.water else UNSET,
            "simbotIsBoiled": True if self.boiled else UNSET,
            "simbotIsReceptacleOf": UNSET if self.holds is UNSET else list(self.holds),
        }
        return {name: value for name, value in found.items() if value is not UNSET}


class Moment(NamedTuple):
    """All that changes, at one moment."""

    home: Snapshot
    notes: dict[str, Notes]
    told: dict[str, Notes]


NOTHING = Notes()


@shared
class _Record(NamedTuple):
    """An entry for the task checker, and what it was made from."""

    thing: Thing
    told: Notes
    held: bool
    entry: dict[str, Any]


class TeachWorld:
    """A home in which a Follower acts, with what TEACh's task checker wants to know about it.

    `notes` are what the world's fingerprint is made of; `told` are the same notes as official states tell
    them, and no part of the fingerprint. Told beyond the notes is what was put where, and water that ran at
    the start; not told is what the end of a loaf has from the loaf.
    """

    def __init__(self, home: World) -> None:
        """Start from the home as it is; a full mug in a coffee machine holds coffee.

        What can be filled and is in a basin under running water has got water.
        """
        self.home = home
        self.notes: dict[str, Notes] = {}
        self.told: dict[str, Notes] = {}
        self._records: dict[str, _Record] = {}
        for machine in home.of_type("CoffeeMachine"):
            for mug in home.contents(machine):
                if mug.liquid:
                    self._note(mug.id, coffee=True)
        for name in self._rinsed():
            self._tell(name, water=True)

    def snapshot(self) -> Moment:
        """Return a copy of the state, as `restore` takes it."""
        return Moment(self.home.snapshot(), dict(self.notes), dict(self.told))

    def restore(self, moment: Moment) -> None:
        """Go back to a moment that was kept."""
        self.home.restore(moment.home)
        self.notes, self.told = dict(moment.notes), dict(moment.told)

    def digest(self) -> str:
        """A fingerprint of the home and the notes, whatever is told of them."""
        notes = [(name, self.notes[name]) for name in sorted(self.notes)]
        return hashlib.sha256(self.home.digest().encode() + msgspec.json.encode(notes)).hexdigest()

    def diff(self, since: Moment) -> dict[str, dict[str, tuple[Any, Any]]]:
        """What is different from `since`: id -> field -> (before, now), notes among the fields."""
        changes = self.home.diff(since.home)
        for name in {**since.notes, **self.notes}:
            old, new = since.notes.get(name, NOTHING), self.notes.get(name, NOTHING)
            for field in Notes.__struct_fields__ if old is not new else ():
                pair = (getattr(old, field), getattr(new, field))
                if pair[0] != pair[1]:
                    changes.setdefault(name, {})[field] = pair
        return changes

    def act(self, name: str, **arguments: Any) -> Outcome:
        """Try one of the Follower's actions."""
        before, held = self.home.things.copy(), self.home.agent.held
        if "target" in arguments:
            self._forget_wholes()
        outcome = act(self.home, name, **arguments)
        self._take_notes(before)
        if outcome.success:
            if name == "Pickup":
                self._relist(arguments["target"], ())
                self._note(arguments["target"], picked_up=True, last_parent=None)
            elif name == "Place":
                self._note(held, last_parent=arguments["target"])
                self._tell(arguments["target"], holds=(*self._listed(arguments["target"]), held))
            elif name == "Slice":
                pieces = [each for each in self.home.things if each not in before and each in self.told]
                self._relist(arguments["target"], pieces[::-1])
            elif name == "Pour":
                self._note(held, coffee=False)
        return outcome

    def settle(self, name: str) -> None:
        """Let the rules follow that also follow an attempt which failed."""
        before = self.home.things.copy()
        self._forget_wholes()
        follow(self.home, name, "", False)
        self._take_notes(before)

    def _forget_wholes(self) -> None:
        """What was cut up loses its notes with the next attempt to touch something."""
        for kept in (self.notes, self.told):
            for name in [name for name in kept if self.home.things[name].sliced]:
                del kept[name]

    def _listed(self, name: str) -> tuple[str, ...]:
        """What was put there and not taken away since."""
        holds = self.told.get(name, NOTHING).holds
        return () if holds is UNSET else holds

    def _relist(self, name: str, others: Sequence[str]) -> None:
        """Where a thing was put last, others are listed in its stead."""
        parent = self.told.get(name, NOTHING).last_parent
        if isinstance(parent, str):
            listed = (others if each == name else (each,) for each in self._listed(parent))
            self._tell(parent, holds=tuple(chain.from_iterable(listed)))

    def _take_notes(self, before: dict[str, Thing]) -> None:
        things = self.home.things
        if len(before) != len(things) or not all(map(is_, before.values(), things.values())):
            self._note_changes(before)
        for name in self._rinsed():
            if not self.notes.get(name, NOTHING).water:
                self._note(name, water=True)

    def _note_changes(self, before: dict[str, Thing]) -> None:
        for name, thing in list(self.home.things.items()):
            old = before.get(name)
            if old is thing:
                continue
            if old is None:
                whole = name.rsplit("|", 1)[0]
                if whole in self.notes:
                    self.notes[name] = self.notes[whole]
                if whole in self.told and _classed(thing):
                    self.told[name] = self.told[whole]
            elif thing.liquid and not old.liquid and self._in(thing, "CoffeeMachine"):
                self._note(name, coffee=True)
            if thing.cooked and (old is None or not old.cooked) and self._in_liquid(thing):
                self._note(name, boiled=True)

    def _rinsed(self) -> Iterator[str]:
        """What can be filled and is in a basin under running water."""
        for faucet in self.home.of_type("Faucet"):
            if faucet.on:
                for basin in faucet.controls:
                    for thing in self.home.contents_deep(self.home.things[basin]):
                        if thing.can("fill"):
                            yield thing.id

    def _note(self, name: str, **changes: Any) -> None:
        self.notes[name] = msgspec.structs.replace(self.notes.get(name, NOTHING), **changes)
        self._tell(name, **changes)

    def _tell(self, name: str, **changes: Any) -> None:
        self.told[name] = msgspec.structs.replace(self.told.get(name, NOTHING), **changes)

    def _in(self, thing: Thing, kind: str) -> bool:
        return any(other.type == kind and other.on for other in self.home.ancestors(thing))

    def _in_liquid(self, thing: Thing) -> bool:
        return any(other.liquid for other in self.home.ancestors(thing) if other.kind.can("fill"))

    def objects(self) -> list[dict[str, Any]]:
        """The state as the task checker wants it: AI2-THOR's property names and the derived ones.

        The entries of things that have not changed are the same as before, so they are not to be changed.
        """
        return [self._record(thing) for thing in self.home.things.values()]

    def _record(self, thing: Thing) -> dict[str, Any]:
        told, held = self.told.get(thing.id, NOTHING), thing.id == self.home.agent.held
        known = self._records.get(thing.id)
        if known is not None and known.thing is thing and known.told is told and known.held is held:
            return known.entry
        x, y, z = thor_position(thing)
        entry = state_metadata(self.home, thing)
        entry["position"] = {"x": x, "y": y, "z": z}
        if _classed(thing):
            entry["simbotObjectClass"] = list(thing.kind.classes)
        if thing.cooked:
            entry["simbotIsCooked"] = True
        if told is not NOTHING:
            entry.update(told.properties())
        self._records[thing.id] = _Record(thing, told, held, entry)
        return entry


def _classed(thing: Thing) -> bool:
    """Whether TEACh tells a thing's classes: not of what was cut up, nor of the end of a loaf."""
    return not thing.sliced and not (thing.heel and thing.can("slice"))
