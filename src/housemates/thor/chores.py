"""What TEACh remembers about things beyond AI2-THOR's metadata, told from the metadata alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from housemates.home.types import object_types
from housemates.thor.scenes import Record

Objects = Mapping[str, Record]
"""AI2-THOR's entries by their ids."""


class Notes:
    """TEACh's derived properties, kept as its own wrapper of AI2-THOR keeps them."""

    def __init__(self, objects: Sequence[Record]) -> None:
        """Begin with a scene: a full mug in a coffee machine holds coffee."""
        self._now = _by_id(objects)
        self._notes: dict[str, dict[str, Any]] = {}
        for entry in self._now.values():
            if entry["isFilledWithLiquid"] and self._within(entry, "CoffeeMachine", on=False):
                self.note(entry["objectId"], simbotIsFilledWithCoffee=True)
        self._rinse()

    def note(self, name: str, **properties: Any) -> None:
        """Remember something about a thing."""
        self._notes.setdefault(name, {}).update(properties)

    def holds_coffee(self, name: str) -> bool:
        """Whether what is in a thing is coffee."""
        return bool(self._notes.get(name, {}).get("simbotIsFilledWithCoffee"))

    def after(self, objects: Sequence[Record]) -> None:
        """Note what a touch has changed."""
        before, self._now = self._now, _by_id(objects)
        for name, entry in self._now.items():
            old = before.get(name)
            whole = name.rsplit("|", 1)[0]
            if old is None and whole in self._notes:
                self.note(name, **self._notes[whole])
            filled = old is not None and entry["isFilledWithLiquid"] and not old["isFilledWithLiquid"]
            if filled and self._within(entry, "CoffeeMachine", on=True):
                self.note(name, simbotIsFilledWithCoffee=True)
            if entry["isCooked"] and not (old and old["isCooked"]) and self._in_liquid(entry):
                self.note(name, simbotIsBoiled=True)
        self._rinse()

    def objects(self) -> list[dict[str, Any]]:
        """The scene as TEACh's task checker wants it."""
        return [{**entry, **self._derived(entry)} for entry in self._now.values()]

    def _derived(self, entry: Record) -> dict[str, Any]:
        if entry["isSliced"]:
            return {}
        classes = {"simbotObjectClass": list(object_types()[entry["objectType"]].classes)}
        cooked = {"simbotIsCooked": True} if entry["isCooked"] else {}
        return {**classes, **cooked, **self._notes.get(entry["objectId"], {})}

    def _rinse(self) -> None:
        """What can be filled and is in a basin under running water has got water."""
        basins = {
            basin
            for entry in self._now.values()
            if entry["objectType"] == "Faucet" and entry["isToggled"]
            for basin in entry["controlledObjects"] or ()
        }
        for name, entry in self._now.items() if basins else ():
            if entry["canFillWithLiquid"] and any(each["objectId"] in basins for each in self._above(entry)):
                self.note(name, simbotIsFilledWithWater=1)

    def _within(self, entry: Record, kind: str, on: bool) -> bool:
        return any(
            each["objectType"] == kind and (each["isToggled"] or not on) for each in self._above(entry)
        )

    def _in_liquid(self, entry: Record) -> bool:
        return any(each["isFilledWithLiquid"] for each in self._above(entry))

    def _above(self, entry: Record) -> Iterator[Record]:
        """All that a thing is in or on."""
        seen, waiting = set(), list(entry["parentReceptacles"] or ())
        while waiting:
            name = waiting.pop()
            if name not in seen and name in self._now:
                seen.add(name)
                yield self._now[name]
                waiting += self._now[name]["parentReceptacles"] or ()


def _by_id(objects: Sequence[Record]) -> dict[str, Record]:
    return {entry["objectId"]: entry for entry in objects}
