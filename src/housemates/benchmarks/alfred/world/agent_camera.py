"""The agent's eyes: its picture, masks of things in it, and the thing that a mask or a point means."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.alfred.tasks.goals import classes
from housemates.benchmarks.alfred.world.masks import point_of
from housemates.errors import HousematesError
from housemates.home import Thing, World
from housemates.home.geometry import nearest_distance
from housemates.render.agent_camera import Eyes
from housemates.render.frames import Detection, Frame, Label

SIDE_PX = 300
Mask = NDArray[np.bool_]
Point = tuple[float, float]
"""A place of the picture: from 0 to 1 from its left, and from its top."""
USES = ("pickup", "open", "toggle", "slice")
"""What makes a thing one that can be meant, if it is no receptacle of ALFRED's."""
SHOWN_PX = 8
"""How much of a thing must be seen for it to be spoken of or touched by those who look."""
NEAR = 1 / 30
"""How far beside a thing a point may lie that means it, as a share of the picture's height."""


class Seen(NamedTuple):
    """Something in the picture."""

    thing: Thing
    point: Point
    """One of its pixels, near its middle."""
    away_m: float
    """How far its nearest part is from the agent; its reach is measured so."""


class Sight(Eyes):
    """What the agent of a home sees, and what is meant by places of it.

    Args:
        home: Where it is.
        width: Of the picture, in pixels.
        height: Of the picture, in pixels.
    """

    def __init__(self, home: World, width: int = SIDE_PX, height: int = SIDE_PX) -> None:
        super().__init__(home, width, height)
        self.home = home

    def copy(self) -> Frame:
        """The picture now, to be kept; it tells the names of no other things than those that it shows."""
        frame = self.look()
        shown = np.unique(frame.ids).tolist()
        labels = [Label("", "")] * len(frame.labels)
        for number in shown:
            labels[number] = frame.labels[number]
        return dataclasses.replace(
            frame,
            rgb=frame.rgb.copy(),
            ids=frame.ids.copy(),
            depth=frame.depth.copy(),
            labels=tuple(labels[: shown[-1] + 1]),
        )

    def mask(self, thing: str) -> Mask:
        """Where a thing is seen in the picture."""
        return self.look().mask(thing)

    def seen(self) -> list[Seen]:
        """What is seen of the room, from left to right; not the floor, nor what is held."""
        boxes = [box for box in self.look().boxes() if box.pixels >= SHOWN_PX and box.type != "Floor"]
        found = []
        for box in sorted(boxes, key=lambda each: (each.left + each.right, each.id)):
            thing = self.home.things[box.id]
            if not self.home.in_hand(thing):
                away = nearest_distance(thing, self.home.agent.position)
                found.append(Seen(thing, self._point(box), away))
        return found

    def _point(self, box: Detection) -> Point:
        """The pixel of a thing that is nearest to the middle of its box."""
        frame = self.look()
        ids = frame.ids[box.top : box.bottom, box.left : box.right]
        column, row = point_of(ids == frame.numbers[box.id])
        return self.place(box.left + column, box.top + row)

    def place(self, column: int, row: int) -> Point:
        """The middle of a pixel as a point."""
        return (round((column + 0.5) / self.width, 4), round((row + 0.5) / self.height, 4))

    def pick(self, mask: Any) -> str | None:
        """The thing that a mask means: of those that can be used and are not held, the one of best IoU.

        None if the mask touches none of them. One of the wrong shape or kind, or an empty one, is an error.
        """
        wanted = checked_mask(mask, self.width, self.height)
        frame = self.look()
        marked = frame.ids[wanted]
        numbers, counts = np.unique(marked, return_counts=True)
        best, score = None, 0.0
        for number, both in zip(numbers.tolist(), counts.tolist(), strict=True):
            name = frame.labels[number].id
            if name and self.usable(self.home.things[name]):
                overlap = both / (np.count_nonzero(frame.ids == number) + len(marked) - both)
                if overlap > score:
                    best, score = name, overlap
        return best

    def pick_at(self, point: Point) -> str | None:
        """The thing that a point means: the one at that pixel if it can be used and is not held.

        Else of all such things the one with the nearest pixel, if it is not farther than a thirtieth of the
        picture's height; None if there is none.
        """
        frame = self.look()
        column = min(int(point[0] * self.width), self.width - 1)
        row = min(int(point[1] * self.height), self.height - 1)
        near = max(1, round(NEAR * self.height))
        left, top = max(column - near, 0), max(row - near, 0)
        ids = frame.ids[top : row + near + 1, left : column + near + 1]
        rows, columns = np.ogrid[: ids.shape[0], : ids.shape[1]]
        apart = (rows + top - row) ** 2 + (columns + left - column) ** 2
        best, nearest = None, near * near
        for number in np.unique(ids).tolist():
            name, away = frame.labels[number].id, int(apart[ids == number].min())
            closer = away < nearest or (best is None and away <= nearest)
            if name and closer and self.usable(self.home.things[name]):
                best, nearest = name, away
        return best

    def usable(self, thing: Thing) -> bool:
        """Whether a thing is one that a mask or a point can mean."""
        holds = thing.can("receptacle") and thing.type in classes().receptacles
        return (holds or any(map(thing.can, USES))) and not self.home.in_hand(thing)


def checked_mask(mask: Any, width: int = SIDE_PX, height: int = SIDE_PX) -> Mask:
    """A mask as booleans; one that is no binary picture of the right size, or is empty, is an error."""
    if not isinstance(mask, np.ndarray | Sequence) or isinstance(mask, str):
        raise HousematesError(f"mask: expected a picture of {width}x{height}, found {type(mask).__name__}.")
    try:
        found = np.asarray(mask)
    except ValueError:
        raise HousematesError(
            f"mask: expected a picture of {width}x{height}, found rows of unequal length."
        ) from None
    if found.shape != (height, width):
        raise HousematesError(f"mask: expected the shape ({height}, {width}), found {found.shape}.")
    if found.dtype.kind not in "bui":
        raise HousematesError(f"mask: expected booleans, or whole numbers 0 and 1, found {found.dtype}.")
    if found.dtype.kind != "b" and not ((found == 0) | (found == 1)).all():
        raise HousematesError("mask: expected only 0 and 1.")
    if not found.any():
        raise HousematesError("mask: it is empty; mark the pixels of the thing that is meant.")
    return found.astype(np.bool_)
