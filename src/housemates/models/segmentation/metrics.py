"""Recall and precision of detections by type and group."""

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
"""Things with fewer visible pixels do not count."""
MACHINES = {"Appliances", "Electronics", "Lights", "WaterSources"}
GROUPS = ("furniture", "appliances", "small", "fixtures")


@cache
def group_of(name: str) -> str:
    """The group of a type: small things can be carried, fixtures neither work nor hold anything."""
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
    """Things in the pictures."""
    found: Counter[str] = field(default_factory=Counter)
    """Those whose pixels' most frequent predicted type is right."""
    reported: Counter[str] = field(default_factory=Counter)
    """Detections."""
    right: Counter[str] = field(default_factory=Counter)
    """Those of which most pixels are truly of their type."""
    taken: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Confusions: (true type, predicted type) of things that were not found."""

    def recall(self, names: Iterable[str]) -> float:
        """Found things of these types / all of them."""
        return _share(self.found, self.seen, names)

    def precision(self, names: Iterable[str]) -> float:
        """Right detections of these types / all of them."""
        return _share(self.right, self.reported, names)

    def names(self, group: str) -> list[str]:
        """The types of a group that occur, sorted."""
        return [name for name in sorted({*self.seen, *self.reported}) if group_of(name) == group]

    def add_truth(self, frame: Frame, types: NDArray[np.uint8]) -> None:
        """Count the things of a picture that a map of predicted types, (height, width), finds."""
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
        """Count a detection of a type whose pixels have these true types."""
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
