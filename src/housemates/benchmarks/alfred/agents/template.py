"""A follower of templates: hears the instructions, sees nothing, points at the middle of the picture."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from housemates.benchmarks.alfred.session import Act, Observation
from housemates.benchmarks.alfred.world.dynamics import STOP
from housemates.benchmarks.alfred.world.sight import SIDE_PX, Mask
from housemates.benchmarks.base import Instance

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
"""Words of a sentence, and the actions that it stands for; the first that fits is taken."""
FEW, SOME, MANY = 2, 6, 12
BLOB_PX = 60


class TemplateFollower:
    """Turns each instruction into actions by a table of words."""

    def __init__(self, by: str) -> None:
        self._ahead: list[Act] | None = None

    def reset(self, instance: Instance) -> None:
        """Forget the last episode."""
        self._ahead = None

    def act(self, observation: Observation) -> Act:
        """The next action; a way that is blocked is given up."""
        if self._ahead is None:
            self._ahead = [act for text in observation.instructions for act in follow(text)]
        elif not observation.last.success:
            while self._ahead and self._ahead[0].action == "MoveAhead":
                self._ahead.pop(0)
        return self._ahead.pop(0) if self._ahead else Act(STOP)


def follow(text: str) -> Iterator[Act]:
    """The actions that an instruction seems to ask for."""
    words = WORDS.findall(text.lower())
    said = set(words)
    if "on" in said and words[:1] == ["turn"] and not said & {"left", "right", "around"}:
        yield Act("ToggleObjectOn", _middle())
        return
    if words and words[0] in GOING:
        yield from _go(words)
        return
    for keys, actions in PATTERNS:
        if said & keys:
            yield from (Act(action, _middle()) for action in actions)
            return


def _go(words: list[str]) -> Iterator[Act]:
    first = next((word for word in words if word in TURNS), None)
    cut = words.index("then") if "then" in words else len(words)
    if first is not None and words.index(first) < cut:
        yield from map(Act, TURNS[first])
    steps = (
        MANY if {"cross", "across", "way"} & set(words) else FEW if {"step", "little"} & set(words) else SOME
    )
    if {"walk", "go", "move", "step", "cross", "head", "take", "forward"} & set(words):
        yield from (Act("MoveAhead") for _ in range(steps))
    last = next((word for word in words[cut:] if word in TURNS), None)
    if last is not None:
        yield from map(Act, TURNS[last])


def _middle() -> Mask:
    """A square in the middle of the picture."""
    mask = np.zeros((SIDE_PX, SIDE_PX), np.bool_)
    low, high = (SIDE_PX - BLOB_PX) // 2, (SIDE_PX + BLOB_PX) // 2
    mask[low:high, low:high] = True
    return mask
