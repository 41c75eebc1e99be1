"""The Follower's eyes: its picture, drawn when something has changed, and what clicks on it mean."""

from __future__ import annotations

from operator import is_

import msgspec
import numpy as np

from housemates.benchmarks.teach.world.pointing import Pointed, aim, resolve
from housemates.home import Thing, World
from housemates.render.camera import Camera, agent_camera
from housemates.render.frames import Frame
from housemates.render.scene import Renderer

SIDE_PX = 300
CLICKS_PX = 600
"""Side of the picture in which people's clicks are looked up; they saw one of 900."""


class Sight:
    """What the agent of a home sees."""

    def __init__(self, home: World, size: int = SIDE_PX, clicks: int | None = None) -> None:
        """Pictures are `size` pixels wide and high, those in which clicks are looked up `clicks`."""
        self.home = home
        self.size = size
        self.clicks = clicks or size
        renderer = Renderer(home)
        self._picture = _Picture(renderer)
        self._touched = _Picture(renderer, to_touch=True)

    @property
    def camera(self) -> Camera:
        """Where the agent's camera is now."""
        return agent_camera(self.home.agent, self.size, self.size)

    def look(self) -> Frame:
        """The picture now. Its arrays are overwritten by the next one."""
        return self._picture.taken(self.home, self.camera)

    def point(self, action: str, x: float, y: float, window: str = "reference") -> Pointed | None:
        """What a click is meant for; clicks go through what is in the hand, but not through water and glass.

        Args:
            action: One of the object actions.
            x: Across the picture, 0 to 1 from the left.
            y: Down the picture, 0 to 1 from the top.
            window: `reference` (20x20 of 900) or `paper` (10x10).
        """
        return resolve(self.home, self._to_touch(), action, x, y, window)

    def touch(self, action: str, name: str, x: float, y: float) -> Pointed | None:
        """A thing that is known by its id, and the point of it that a click touches; None if it is gone."""
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
        rows, columns = np.nonzero(self._to_touch().mask(thing.id))
        if len(rows):
            away = (rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2
            best = int(np.argmin(away))
            return (int(columns[best]) + 0.5) / self.clicks, (int(rows[best]) + 0.5) / self.clicks
        middle = (thing.position[0], thing.position[1] + thing.size[1] / 2, thing.position[2])
        column, row, _ = self.camera.pixel(middle)
        return min(max(column / self.size, 0.0), 1.0), min(max(row / self.size, 0.0), 1.0)

    def _to_touch(self) -> Frame:
        """What a click meets, in a picture as large as clicks need it."""
        return self._touched.taken(self.home, agent_camera(self.home.agent, self.clicks, self.clicks))


class _Picture:
    """The last picture of a renderer, and the records that it shows."""

    def __init__(self, renderer: Renderer, to_touch: bool = False) -> None:
        self.renderer = renderer
        self.to_touch = to_touch
        self.frame: Frame | None = None
        self.shows: tuple[msgspec.Struct, ...] = ()

    def taken(self, home: World, camera: Camera) -> Frame:
        """The picture, drawn again if something has changed."""
        shows = (home.agent, *home.things.values())
        if self.frame is None or len(shows) != len(self.shows) or not all(map(is_, shows, self.shows)):
            self.frame = self.renderer.frame(camera, self.frame, self.to_touch)
            self.shows = shows
        return self.frame
