"""A baseline that maps instructions to actions by keyword, without vision."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.alfred.world.dynamics import INTERACTIONS, STOP
from housemates.benchmarks.alfred.world.menu import POINTING
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept

WORDS = re.compile(r"[a-z]+")
TURNS = {
    "around": ("RotateRight", "RotateRight"),
    "behind": ("RotateRight", "RotateRight"),
    "left": ("RotateLeft",),
    "right": ("RotateRight",),
}
GOING = {"walk", "go", "move", "step", "cross", "head", "walking", "forward", "turn", "face", "look"}
PATTERNS: tuple[tuple[frozenset[str], tuple[str, ...]], ...] = (
    (frozenset({"heat", "microwave", "warm", "cook"}),
     ("OpenObject", "PutObject", "CloseObject", "ToggleObjectOn", "ToggleObjectOff", "OpenObject",
      "PickupObject", "CloseObject")),
    (frozenset({"chill", "cool", "refrigerator"}),
     ("OpenObject", "PutObject", "CloseObject", "OpenObject", "PickupObject", "CloseObject")),
    (frozenset({"rinse", "wash", "clean"}),
     ("PutObject", "ToggleObjectOn", "ToggleObjectOff", "PickupObject")),
    (frozenset({"slice", "cut"}), ("SliceObject",)),
    (frozenset({"put", "place", "set", "leave", "drop"}), ("PutObject",)),
    (frozenset({"pick", "take", "grab", "get"}), ("PickupObject",)),
    (frozenset({"switch", "light"}), ("ToggleObjectOn",)),
)  # fmt: skip
"""Keywords and the actions that they stand for; the first match counts."""
FEW, SOME, MANY = 2, 6, 12
BLOB = 0.2
"""Side of the centred mask, as a share of the picture's height."""


class TemplateFollower(Agent):
    """Maps each instruction to actions by keywords, and points at the centre of the picture.

    Where only ids are taken it means the first thing that it is offered.
    """

    def reset(self, brief: Brief) -> None:
        """Forget the last instructions."""
        self._ahead: list[str] | None = None
        self._sides = (brief.data["height"], brief.data["width"])
        self._way = POINTING[brief.data["pointing"]][-1]

    def act(self, percept: Percept) -> Act:
        """The next action; moves ahead are dropped after a bump."""
        if self._ahead is None:
            self._ahead = [name for text in percept.data.instructions for name in follow(text)]
        elif percept.last is not None and not percept.last.success:
            while self._ahead and self._ahead[0] == "MoveAhead":
                self._ahead.pop(0)
        name = self._ahead.pop(0) if self._ahead else STOP
        return Act(name, {self._way: self._pointed(name, percept)} if name in INTERACTIONS else {})

    def _pointed(self, name: str, percept: Percept) -> Any:
        if self._way == "mask":
            return middle(*self._sides)
        if self._way == "point":
            return (0.5, 0.5)
        choices = [each.choices for offer in percept.offers if offer.name == name for each in offer.arguments]
        return choices[0][0] if choices else ""


def follow(text: str) -> Iterator[str]:
    """The action names for an instruction."""
    words = WORDS.findall(text.lower())
    said = set(words)
    if "on" in said and words[:1] == ["turn"] and not said & {"left", "right", "around"}:
        yield "ToggleObjectOn"
        return
    if words and words[0] in GOING:
        yield from _go(words)
        return
    for keys, actions in PATTERNS:
        if said & keys:
            yield from actions
            return


def _go(words: list[str]) -> Iterator[str]:
    first = next((word for word in words if word in TURNS), None)
    cut = words.index("then") if "then" in words else len(words)
    if first is not None and words.index(first) < cut:
        yield from TURNS[first]
    steps = (
        MANY if {"cross", "across", "way"} & set(words) else FEW if {"step", "little"} & set(words) else SOME
    )
    if {"walk", "go", "move", "step", "cross", "head", "take", "forward"} & set(words):
        yield from ["MoveAhead"] * steps
    last = next((word for word in words[cut:] if word in TURNS), None)
    if last is not None:
        yield from TURNS[last]


def middle(height: int, width: int) -> NDArray[np.bool_]:
    """A square mask at the centre of a picture."""
    mask = np.zeros((height, width), np.bool_)
    half = round(BLOB * height) // 2
    mask[height // 2 - half : height // 2 + half, width // 2 - half : width // 2 + half] = True
    return mask
