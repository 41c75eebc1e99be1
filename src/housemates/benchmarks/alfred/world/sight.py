"""The agent's eyes: its picture of 300x300 pixels, masks of things in it, and the thing that a mask means."""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.alfred.tasks.goals import classes
from housemates.errors import HousematesError
from housemates.home import World
from housemates.render.camera import agent_camera
from housemates.render.frames import Frame
from housemates.render.scene import Renderer

SIDE_PX = 300
Mask = NDArray[np.bool_]
USES = ("pickup", "open", "toggle", "slice")
"""What makes a thing one that a mask can mean, if it is no receptacle of ALFRED's."""


class Sight:
    """What the agent of a home sees; a picture is drawn only when something has changed."""

    def __init__(self, home: World, size: int = SIDE_PX) -> None:
        """Pictures are `size` pixels wide and high."""
        self.home = home
        self.size = size
        self._renderer = Renderer(home)
        self._frame: Frame | None = None
        self._shows: tuple[msgspec.Struct, ...] = ()

    def look(self) -> Frame:
        """The picture now. Its arrays are overwritten by the next one."""
        shows = (self.home.agent, *self.home.things.values())
        fresh = len(shows) == len(self._shows) and all(map(is_, shows, self._shows))
        if self._frame is None or not fresh:
            camera = agent_camera(self.home.agent, self.size, self.size)
            self._frame = self._renderer.frame(camera, out=self._frame)
            self._shows = shows
        return self._frame

    def mask(self, thing: str) -> Mask:
        """Where a thing is seen in the picture."""
        return self.look().mask(thing)

    def pick(self, mask: Any) -> str | None:
        """The thing that a mask means: of those that can be used and are not held, the one of best IoU.

        None if the mask touches none of them. One of the wrong shape or kind, or an empty one, is an error.
        """
        wanted = checked_mask(mask, self.size)
        frame = self.look()
        both = np.bincount(frame.ids[wanted], minlength=len(frame.labels))
        either = np.bincount(frame.ids.ravel(), minlength=len(frame.labels)) + int(wanted.sum()) - both
        best, score = None, 0.0
        for number in np.flatnonzero(both).tolist():
            name = frame.labels[number].id
            if name and both[number] / either[number] > score and self._usable(name):
                best, score = name, both[number] / either[number]
        return best

    def _usable(self, name: str) -> bool:
        thing = self.home.things[name]
        holds = thing.can("receptacle") and thing.type in classes().receptacles
        return (holds or any(map(thing.can, USES))) and not self.home.in_hand(thing)


def checked_mask(mask: Any, size: int = SIDE_PX) -> Mask:
    """A mask as booleans; one that is no binary picture of the right size, or is empty, is an error."""
    if not isinstance(mask, np.ndarray | Sequence) or isinstance(mask, str):
        raise HousematesError(f"mask: expected a picture of {size}x{size}, found {type(mask).__name__}.")
    try:
        found = np.asarray(mask)
    except ValueError:
        raise HousematesError(
            f"mask: expected a picture of {size}x{size}, found rows of unequal length."
        ) from None
    if found.shape != (size, size):
        raise HousematesError(f"mask: expected the shape ({size}, {size}), found {found.shape}.")
    if found.dtype.kind not in "bui":
        raise HousematesError(f"mask: expected booleans, or whole numbers 0 and 1, found {found.dtype}.")
    if found.dtype.kind != "b" and not ((found == 0) | (found == 1)).all():
        raise HousematesError("mask: expected only 0 and 1.")
    if not found.any():
        raise HousematesError("mask: it is empty; mark the pixels of the thing that is meant.")
    return found.astype(np.bool_)
