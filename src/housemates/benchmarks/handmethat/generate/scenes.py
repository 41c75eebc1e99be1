"""Initial states, sampled as appendix A.1 says: which objects there are, where they stand, how they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from housemates.benchmarks.handmethat.world.catalog import LOCATIONS, Category, categories, subclasses, table
from housemates.benchmarks.handmethat.world.dynamics import World, make_scene

Item = TypeVar("Item")
NO_PARENT = 0
"""What stands for the holder of a location."""
DRAWS = 4096
"""Uniform numbers drawn at once for a scene; more than any scene uses."""


class Dice:
    """Uniform choices from one batch of numbers, which is much faster than asking the generator each time."""

    def __init__(self, rng: np.random.Generator, size: int = DRAWS) -> None:
        """Draw the whole batch."""
        self._next: Callable[[], float] = iter(rng.random(size).tolist()).__next__

    def between(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return low + int(self._next() * (high - low + 1))

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[int(self._next() * len(items))]

    def sample(self, items: Sequence[Item], count: int) -> list[Item]:
        """`count` different items in random order."""
        rest = list(items)
        return [rest.pop(int(self._next() * len(rest))) for _ in range(count)]

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self._next() < probability


def sample_world(rng: np.random.Generator) -> World:
    """A new home: its objects, their places, and their states; both agents on the floor."""
    dice = Dice(rng)
    kinds = _sample_kinds(dice)
    attributes = table()["attributes"]
    objects = [
        (
            f"{kind.name}#{number}",
            dice.choice(attributes["size"]) if "has-size" in kind.abilities else None,
            dice.choice(attributes["color"]) if "has-color" in kind.abilities else None,
        )
        for kind, count in kinds
        for number in range(count)
    ]
    scene = make_scene(objects)
    parents = [NO_PARENT] * len(LOCATIONS)
    by_subclass: dict[str, list[int]] = {}
    for number in range(len(LOCATIONS), scene.size):
        kind = scene.kinds[number]
        by_subclass.setdefault(kind.subclass, []).append(number)
        place = dice.choice(kind.positions)
        parents.append(scene.index[place] if place in scene.index else dice.choice(by_subclass[place]))
    flags = {
        number: _sample_flags(dice, scene.kinds[number], number, parents) for number in range(scene.size)
    }
    return World.build(scene, parents, flags)


def _sample_kinds(dice: Dice) -> list[tuple[Category, int]]:
    data = table()
    known = categories()
    found = []
    for subclass, members in subclasses().items():
        class_ = known[members[0]].class_
        if class_ == "LOCATION":
            continue
        least = data["present_at_least"].get(subclass, 1)
        present = dice.sample(members, dice.between(least, len(members)))
        few, many = data["instances"].get(subclass, data["instances"][class_])
        if len(present) == 1:
            few, many = data["alone"].get(class_, (few, many))
        found += [(known[name], dice.between(few, many)) for name in present]
    return found


def _sample_flags(dice: Dice, kind: Category, number: int, parents: Sequence[int]) -> list[str]:
    raised = [
        flag
        for ability, flag in (("dustyable", "dusty"), ("stainable", "stained"))
        if ability in kind.abilities and dice.chance(1 / 3)
    ]
    if kind.is_location:
        return [*raised, "toggled"] if kind.name == "refrigerator" else raised
    place = parents[number]
    at = LOCATIONS[place] if place < len(LOCATIONS) else ""
    if "cookable" in kind.abilities and at in table()["appliances"]["heat"]:
        raised.append("cooked")
    if "freezable" in kind.abilities and at in table()["appliances"]["cool"]:
        raised.append("frozen")
    return raised
