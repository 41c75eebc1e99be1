"""How well eyes see: which things they recognise, and which of those they report are there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from housemates.home.types import object_type
from housemates.render.frames import Frame, type_numbers

LEAST_PX = 30
"""Things of which fewer pixels are seen do not count."""
MACHINES = {"Appliances", "Electronics", "Lights", "WaterSources"}
GROUPS = ("furniture", "appliances", "small", "fixtures")


@cache
def group_of(name: str) -> str:
    """What a type is counted as: small things can be carried, fixtures do and hold nothing."""
    kind = object_type(name)
    if kind.can("pickup"):
        return "small"
    if kind.can("toggle") or MACHINES & set(kind.classes):
        return "appliances"
    return "furniture" if kind.can("receptacle") or "Furniture" in kind.classes else "fixtures"


@dataclass
class Tally:
    """Counts over many pictures, by type."""

    seen: Counter[str] = field(default_factory=Counter)
    """Things that were to be seen."""
    found: Counter[str] = field(default_factory=Counter)
    """Those of which most pixels were given the right type."""
    reported: Counter[str] = field(default_factory=Counter)
    """Regions that were reported as a thing."""
    right: Counter[str] = field(default_factory=Counter)
    """Those of which most pixels are of that type."""
    taken: Counter[tuple[str, str]] = field(default_factory=Counter)
    """What things that were not found were taken for."""

    def recall(self, names: Iterable[str]) -> float:
        """The share of things of these types that were found."""
        return _share(self.found, self.seen, names)

    def precision(self, names: Iterable[str]) -> float:
        """The share of reports of these types that are right."""
        return _share(self.right, self.reported, names)

    def names(self, group: str) -> list[str]:
        """The types of a group that occur."""
        return [name for name in sorted({*self.seen, *self.reported}) if group_of(name) == group]

    def add_truth(self, frame: Frame, types: NDArray[np.uint8]) -> None:
        """Count which things of a picture a map of types of its size recognises."""
        names = type_names()
        votes = np.bincount(
            frame.ids.ravel().astype(np.int64) * len(names) + types.ravel(),
            minlength=len(frame.labels) * len(names),
        ).reshape(len(frame.labels), len(names))
        for number in np.flatnonzero(votes.sum(1) >= LEAST_PX).tolist():
            if number:
                name, taken = frame.labels[number].type, names[int(votes[number].argmax())]
                self.seen[name] += 1
                if taken == name:
                    self.found[name] += 1
                else:
                    self.taken[name, taken] += 1

    def add_report(self, name: str, truth: NDArray[np.uint8]) -> None:
        """Count a report of a thing whose pixels are truly of these types."""
        self.reported[name] += 1
        self.right[name] += int(2 * np.count_nonzero(truth == type_numbers()[name]) > len(truth))


@cache
def type_names() -> tuple[str, ...]:
    """Types by number; 0 is the building."""
    return ("", *type_numbers())


def _share(part: Mapping[str, int], whole: Mapping[str, int], names: Iterable[str]) -> float:
    names = list(names)
    total = sum(whole.get(name, 0) for name in names)
    return sum(part.get(name, 0) for name in names) / total if total else 0.0
