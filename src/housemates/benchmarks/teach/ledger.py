"""What the recorded actions of a game say about its objects, worked out without a simulator.

The recording tells which object each action touched, and the recorded final state which pieces came of
cutting and what ended clean or cooked; places, states and their side effects follow from that by rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from housemates.benchmarks.teach.actions import FOLLOWER
from housemates.benchmarks.teach.episodes import Game, Interaction
from housemates.benchmarks.teach.tdl.changes import type_of
from housemates.benchmarks.teach.tdl.definitions import object_classes

Item = dict[str, Any]

HEATERS = {"Toaster": "Toaster", "Microwave": "Microwave", "StoveKnob": "StoveBurner"}
"""What is switched on -> what cooks then."""
BASINS = ("Sink", "SinkBasin", "Bathtub", "BathtubBasin")


def states_at(game: Game, moments: Sequence[int]) -> list[list[Item]]:
    """The objects before the interactions of these indices, which have to ascend."""
    ledger = Ledger(game)
    found = []
    recorded = 0
    for moment in moments:
        for interaction in game.episode.interactions[recorded:moment]:
            ledger.record(interaction)
        recorded = moment
        found.append(ledger.snapshot())
    return found


class Ledger:
    """Objects of a game, kept up to date action by action."""

    def __init__(self, game: Game) -> None:
        self.items: dict[str, Item] = {}
        for item in reversed(game.episode.initial_state.objects):
            self.items[item["objectId"]] = _plain(item)
        self.ending = {item["objectId"]: item for item in game.episode.final_state.objects}
        self.held: str | None = None
        self.touched: set[str] = set()
        self.faucets = _faucets(self.items)
        for machine in self._of_type("CoffeeMachine"):
            for item in self._inside(machine):
                if item["objectType"] == "Mug" and item["isFilledWithLiquid"]:
                    item["simbotIsFilledWithCoffee"] = True

    def snapshot(self) -> list[Item]:
        """A copy of all objects as they are now."""
        return [dict(item) for item in self.items.values()]

    def record(self, interaction: Interaction) -> None:
        """Take note of one recorded action; only the Follower's object actions change anything."""
        if interaction.agent_id != FOLLOWER or not interaction.action.touches:
            return
        self._forget_wholes()
        target = self.items.get(str(interaction.oid))
        if interaction.success and target is not None:
            _EFFECTS[interaction.action.name](self, target)
            self._brew(interaction.action.name)
        self._rinse()
        self._cook()

    def pick_up(self, target: Item) -> None:
        """The target is in hand."""
        self.held = target["objectId"]
        target.update(
            isPickedUp=True, simbotPickedUp=1, simbotLastParentReceptacle=None, parentReceptacles=None
        )
        self.touched.add(self.held)

    def place(self, target: Item) -> None:
        """What was in hand is in the target."""
        if self.held is not None:
            self.items[self.held].update(isPickedUp=False, simbotLastParentReceptacle=target["objectId"])
        self.held = None

    def cut(self, target: Item) -> None:
        """The target is in pieces, which have what it had."""
        target["isSliced"] = True
        for object_id, ending in self.ending.items():
            if object_id.startswith(target["objectId"] + "|") and object_id not in self.items:
                kind = type_of(object_id)
                self.items[object_id] = {
                    **target,
                    "objectId": object_id,
                    "objectType": kind,
                    "isSliced": False,
                    "cookable": ending["cookable"],
                    "simbotObjectClass": list(object_classes().get(kind, ())),
                }

    def pour(self, target: Item) -> None:
        """What was in hand is empty; the target is full unless it is a sink."""
        if self.held is not None:
            self.items[self.held].update(isFilledWithLiquid=False, simbotIsFilledWithCoffee=False)
        if target["objectType"] not in BASINS:
            target["isFilledWithLiquid"] = True

    def parents(self, item: Item) -> list[str]:
        """Ids of what holds the item, outwards."""
        if item["parentReceptacles"] is not None:
            return list(item["parentReceptacles"])
        chain: list[str] = []
        current: Item | None = item
        while current is not None:
            parent = current.get("simbotLastParentReceptacle")
            if parent is None or parent in chain:
                break
            chain.append(parent)
            current = self.items.get(parent)
            if current is not None and current["parentReceptacles"] is not None:
                return chain + list(current["parentReceptacles"])
        return chain

    def _forget_wholes(self) -> None:
        """What has been cut loses its derived properties with the next action."""
        for item in self.items.values():
            if item["isSliced"] and "simbotPickedUp" in item:
                del item["simbotPickedUp"], item["simbotLastParentReceptacle"]

    def _inside(self, object_id: str) -> Iterator[Item]:
        return (item for item in self.items.values() if object_id in self.parents(item))

    def _of_type(self, kind: str) -> list[str]:
        return [key for key, item in self.items.items() if item["objectType"] == kind]

    def _running(self, kind: str) -> list[str]:
        return [key for key in self._of_type(kind) if self.items[key]["isToggled"]]

    def _rinse(self) -> None:
        for faucet in self._running("Faucet"):
            for basin in self.faucets.get(faucet, ()):
                for item in self._inside(basin):
                    if item["canFillWithLiquid"]:
                        item["simbotIsFilledWithWater"] = 1
                    if item["objectId"] in self.touched or self._ends_clean(item):
                        item["isDirty"] = False
                        item["isFilledWithLiquid"] = item["canFillWithLiquid"] or item["isFilledWithLiquid"]

    def _cook(self) -> None:
        hot = {
            key
            for switch, heater in HEATERS.items()
            if self._running(switch)
            for key in self._of_type(heater)
        }
        for item in self.items.values():
            if not item["isCooked"] and item["cookable"] and hot and self._ends_cooked(item):
                parents = self.parents(item)
                if not hot.isdisjoint(parents):
                    item["isCooked"] = True
                    if any(self.items.get(key, {}).get("isFilledWithLiquid") for key in parents):
                        item["simbotIsBoiled"] = True
            if item["isCooked"]:
                item["simbotIsCooked"] = True

    def _ends_clean(self, item: Item) -> bool:
        return bool(item["isDirty"] and not self.ending.get(item["objectId"], item)["isDirty"])

    def _ends_cooked(self, item: Item) -> bool:
        ending = self.ending.get(item["objectId"], {})
        return bool(ending.get("isCooked") or ending.get("isSliced"))

    def _brew(self, action: str) -> None:
        if action not in ("ToggleOn", "Place"):
            return
        for machine in self._running("CoffeeMachine"):
            for item in self._inside(machine):
                if item["objectType"] == "Mug" and not item["isFilledWithLiquid"]:
                    item.update(isFilledWithLiquid=True, simbotIsFilledWithCoffee=True)


def _set(name: str, value: bool) -> Callable[[Ledger, Item], None]:
    def effect(ledger: Ledger, target: Item) -> None:
        target[name] = value

    return effect


_EFFECTS: dict[str, Callable[[Ledger, Item], None]] = {
    "Pickup": Ledger.pick_up,
    "Place": Ledger.place,
    "Slice": Ledger.cut,
    "Pour": Ledger.pour,
    "Open": _set("isOpen", True),
    "Close": _set("isOpen", False),
    "ToggleOn": _set("isToggled", True),
    "ToggleOff": _set("isToggled", False),
}


def _plain(item: Item) -> Item:
    """A recorded object without the derived properties, which recordings fill with their final values."""
    kept = {name: value for name, value in item.items() if not name.startswith("simbot")}
    return {**kept, "simbotObjectClass": list(object_classes().get(item["objectType"], ()))}


def _faucets(items: dict[str, Item]) -> dict[str, list[str]]:
    """For each faucet the basins that it is the nearest faucet of."""
    taps = [item for item in items.values() if item["objectType"] == "Faucet"]
    found: dict[str, list[str]] = {}
    for key, item in items.items():
        if item["objectType"] in BASINS and taps:
            nearest = min(taps, key=lambda tap: _distance(tap, item))
            found.setdefault(nearest["objectId"], []).append(key)
    return found


def _distance(one: Item, other: Item) -> float:
    return float(sum((one["position"][axis] - other["position"][axis]) ** 2 for axis in "xyz"))
