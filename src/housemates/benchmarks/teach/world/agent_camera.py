"""The Follower's eyes: its picture, drawn when something has changed, what is on it, what clicks mean."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.teach.world.pointing import Pointed, Touched, aim, resolve, straight, touch_named
from housemates.home import Thing, World
from housemates.render.agent_camera import Eyes
from housemates.render.frames import Frame, Label

SIDE_PX = 300
CLICKS_PX = 600
"""Side of the picture in which people's clicks are looked up; they saw one of 900."""


UNSEEN = Label("", "")


class Seen(NamedTuple):
    """A thing that can be pointed at."""

    thing: Thing
    x: float
    """Where on the picture it is seen, 0 to 1 from the left."""
    y: float
    """0 to 1 from the top."""
    away_m: float
    """How far the point of it that is seen there is from the agent, as reach is measured."""


class Sight(Eyes):
    """What the agent of a home sees."""

    def __init__(
        self, home: World, width: int = SIDE_PX, height: int = SIDE_PX, clicks: int | None = None
    ) -> None:
        """Pictures are so wide and high; those in which clicks are looked up may have sides of their own."""
        super().__init__(home, width, height)
        self.home = home
        self.clicks = (width, height) if clicks is None else (clicks, clicks)
        self._finger = Eyes(home, *self.clicks, to_touch=True, renderer=self.renderer)
        self._things: tuple[Frame | None, list[Seen]] = (None, [])

    def shown(self) -> Frame:
        """The picture now, to keep; it names nothing but what is seen in it."""
        frame = self.look()
        seen = frame.visible()
        labels = tuple(each if each.id in seen else UNSEEN for each in frame.labels)
        return Frame(frame.camera, frame.rgb.copy(), frame.ids.copy(), frame.depth.copy(), labels)

    def felt(self) -> Frame:
        """What a pointing finger meets; the agent's own picture tells it, where that is there and will do."""
        shown = None if self.home.agent.held else self._tangible()
        return self._finger.look() if shown is None else shown

    def _tangible(self) -> Frame | None:
        """The agent's own picture, where it is there and a finger meets all that it shows and is not held."""
        shown = self.latest() if self.clicks == (self.width, self.height) else None
        return shown if shown is not None and self.renderer.tangible(shown.camera) else None

    def things(self) -> list[Seen]:
        """All that can be pointed at, the nearest first; what is in the hand is not in the way."""
        frame = self.felt()
        if self._things[0] is not frame:
            self._things = (frame, sorted(self._listed(frame), key=lambda each: (each.away_m, each.thing.id)))
        return self._things[1]

    def _listed(self, frame: Frame) -> list[Seen]:
        height, width = frame.ids.shape
        found = []
        for box in frame.boxes():
            part = frame.ids[box.top : box.bottom, box.left : box.right] == frame.numbers[box.id]
            row, column = _middle(part)
            row, column = row + box.top, column + box.left
            at = frame.camera.point(column + 0.5, row + 0.5, float(frame.depth[row, column]))
            away = math.dist(at, self.home.agent.position)
            thing = self.home.things[box.id]
            found.append(Seen(thing, (column + 0.5) / width, (row + 0.5) / height, away))
        return found

    def point(self, action: str, x: float, y: float, window: str = "reference") -> Pointed | None:
        """What a click is meant for; clicks go through what is in the hand, but not through water and glass.

        Args:
            action: One of the object actions.
            x: Across the picture, 0 to 1 from the left.
            y: Down the picture, 0 to 1 from the top.
            window: `reference` (20x20 of 900) or `paper` (10x10).
        """
        shown = self._tangible()
        met = None if shown is None else straight(self.home, shown, action, x, y)
        return met or resolve(self.home, self.felt(), action, x, y, window)

    def under(self, x: float, y: float) -> Thing | None:
        """The thing that a pointing finger meets at a place of the picture; None for the building."""
        frame = self.felt()
        width, height = self.clicks
        label = frame.labels[int(frame.ids[min(int(y * height), height - 1), min(int(x * width), width - 1)])]
        return self.home.things.get(label.id)

    def outline(self, name: str) -> NDArray[np.bool_]:
        """Where on the picture a thing can be pointed at."""
        return self.felt().mask(name)

    def reach(self, action: str, thing: Thing, x: float, y: float) -> Touched | None:
        """What naming a thing touches, next to a place of the picture; None if it is not seen."""
        return touch_named(self.home, self.felt(), self.camera, action, thing, x, y)

    def touch(self, action: str, name: str, x: float, y: float) -> Pointed | None:
        """A thing that was recorded, and the point of it that the click touched; None if it is gone.

        For replays alone: what people saw is not asked.
        """
        thing = self.home.things.get(name)
        if thing is None:
            return None
        if self.home.in_hand(thing) or thing.type == "Floor":
            return self.point(action, x, y) or Pointed(name, self.home.agent.position)
        return Pointed(name, aim(self.home, thing, action, self.camera, x, y))

    def click_on(self, thing: Thing) -> tuple[float, float]:
        """A place (x, y) of the picture that shows the thing, near the middle of what is seen of it.

        Of a thing that is not seen, where its middle would be.
        """
        mask = self.felt().mask(thing.id)
        if mask.any():
            row, column = _middle(mask)
            return (column + 0.5) / self.clicks[0], (row + 0.5) / self.clicks[1]
        middle = (thing.position[0], thing.position[1] + thing.size[1] / 2, thing.position[2])
        across, down, _ = self.camera.pixel(middle)
        return min(max(across / self.width, 0.0), 1.0), min(max(down / self.height, 0.0), 1.0)


def _middle(mask: NDArray[np.bool_]) -> tuple[int, int]:
    """The row and column of the pixel of a mask that is nearest to its middle."""
    rows, columns = np.nonzero(mask)
    best = int(np.argmin((rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2))
    return int(rows[best]), int(columns[best])
