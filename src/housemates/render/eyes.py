"""Eyes: the picture that an agent has of its home, drawn again only when something has changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from housemates.render.camera import Camera, agent_camera
from housemates.render.frames import Frame
from housemates.render.scene import Renderer, Visible

CHANNELS = ("rgb", "ids", "depth")
"""The arrays of a picture: colours, the number of the thing at each pixel (0 for the building), and metres
along the view axis."""
FAR_M = 100.0
"""Depths that are handed out are at most this."""


class Eyes:
    """What the agent of a home sees, or another camera in it.

    Args:
        world: The home.
        width: Of the picture, in pixels.
        height: Of the picture, in pixels.
        to_touch: Show what a pointing finger meets: see `Renderer.frame`.
        renderer: One that draws this world already.
    """

    def __init__(
        self,
        world: Visible,
        width: int = 300,
        height: int = 300,
        to_touch: bool = False,
        renderer: Renderer | None = None,
    ) -> None:
        self.world, self.width, self.height, self.to_touch = world, width, height, to_touch
        self.renderer = renderer or Renderer(world)
        self._frame: Frame | None = None
        self._revision = 0

    def look(self, camera: Camera | None = None) -> Frame:
        """The picture now: the agent's, or that of another camera. The next one overwrites its arrays."""
        frame, renderer = self._frame, self.renderer
        camera = camera or agent_camera(self.world.agent, self.width, self.height)
        renderer.refresh()
        same = frame is not None and (frame.camera is camera or frame.camera == camera)
        if frame is None or not same or self._revision != renderer.revision:
            frame = self._frame = renderer.frame(camera, frame, self.to_touch)
            self._revision = renderer.revision
        return frame

    def arrays(self, channels: Iterable[str] = CHANNELS) -> dict[str, NDArray[Any]]:
        """Copies of the picture's arrays now, by name."""
        frame = self.look()
        found: dict[str, NDArray[Any]] = {}
        for name in channels:
            if name == "depth":
                found[name] = np.minimum(frame.depth, np.float32(FAR_M))
            else:
                found[name] = getattr(frame, name).copy()
        return found


def look_together(eyes: Sequence[Eyes], channels: Iterable[str] = CHANNELS) -> dict[str, NDArray[Any]]:
    """Copies of the arrays of several pictures of one size, by name, one row for each pair of eyes."""
    rows = [each.arrays(channels) for each in eyes]
    return {name: np.stack([row[name] for row in rows]) for name in channels}
