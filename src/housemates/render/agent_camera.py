"""Eyes: the picture that an agent has of its home, drawn again only when something has changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from housemates.core.copies import Memo, copied_fields
from housemates.home.things import Agent, Thing
from housemates.jit import compiled
from housemates.render import raster
from housemates.render.buffer_pool import take
from housemates.render.camera import Camera, agent_camera
from housemates.render.frames import Frame
from housemates.render.patterns import textures
from housemates.render.scene import Renderer, Visible

CHANNELS = ("rgb", "ids", "depth")
"""The arrays of a picture: colours, the number of the thing at each pixel (0 for the building), and metres
along the view axis."""
FAR_M = 100.0
"""Depths that are handed out are at most this."""
_FAR = np.float32(FAR_M)


class View(NamedTuple):
    """A picture, and what it shows."""

    frame: Frame
    revision: int
    """Of the renderer."""
    sight: tuple[int, Agent, Camera]
    """Which state of the world from where: the same is seen again."""


class Eyes:
    """What the agent of a home sees, or another camera in it.

    The picture before is kept too: whoever turns back, and has changed nothing, sees it again.

    Args:
        world: The home.
        width: Of the picture, in pixels.
        height: Of the picture, in pixels.
        to_touch: Show what a pointing finger meets: see `Renderer.frame`.
        renderer: One that draws this world already.
        camera: A call that tells where another camera is now, of the same size.
    """

    def __init__(
        self,
        world: Visible,
        width: int = 300,
        height: int = 300,
        to_touch: bool = False,
        renderer: Renderer | None = None,
        camera: Callable[[], Camera] | None = None,
    ) -> None:
        self.world, self.width, self.height, self.to_touch = world, width, height, to_touch
        self.renderer = renderer or Renderer(world)
        self._other = camera
        self._now: View | None = None
        self._before: View | None = None
        self._hangs = False
        """Whether its pictures are in a gallery, each in the place of the one before."""

    def __deepcopy__(self, memo: Memo) -> Self:
        """Eyes in the copy of the home; they have not looked yet, as pictures are drawn over."""
        twin = copied_fields(self, memo)
        twin._now, twin._before, twin._hangs = None, None, False
        return twin

    @property
    def camera(self) -> Camera:
        """Where the camera is now."""
        if self._other is not None:
            return self._other()
        return agent_camera(self.world.agent, self.width, self.height)

    def look(self) -> Frame:
        """The picture now. The next but one overwrites its arrays, or already the next one."""
        camera = self._stale()
        if camera is not None:
            self._turn(camera)
        assert self._now is not None
        return self._now.frame

    def latest(self) -> Frame | None:
        """The last picture, if it still shows the world as it is."""
        return self._now.frame if self._stale() is None and self._now is not None else None

    def shows(self, thing: Thing) -> bool:
        """Whether any pixel shows a thing, or would if what is held were not in the way."""
        return self.look().shows(thing.id) or (
            not self.to_touch
            and self.world.agent.held is not None
            and Eyes(self.world, self.width, self.height, True, self.renderer).look().shows(thing.id)
        )

    def arrays(self, channels: Iterable[str] = CHANNELS) -> dict[str, NDArray[Any]]:
        """Copies of the picture's arrays now, by name."""
        frame = self.look()
        return {name: _copy(name, getattr(frame, name)) for name in channels}

    def _stale(self) -> Camera | None:
        """The camera whose picture has to be drawn, if the last one does not show the world as it is."""
        now, camera = self._now, self.camera
        self.renderer.refresh()
        if now is None or now.revision != self.renderer.revision:
            return camera
        seen = now.frame.camera
        return None if seen is camera or seen == camera else camera

    def _turn(self, camera: Camera) -> None:
        """Look at the picture before if it is what a camera sees now, else draw another one in its place."""
        before, sight = self._before, self._sight(camera)
        if before is not None and before.sight == sight:
            view = before._replace(revision=self.renderer.revision)
        else:
            over = self._now if self._hangs else before
            frame = self.renderer.drawn(camera, over.frame if over else None, self.to_touch)
            view = View(frame, self.renderer.revision, sight)
        self._now, self._before = view, None if self._hangs else self._now

    def _sight(self, camera: Camera) -> tuple[int, Agent, Camera]:
        return self.renderer.changes, self.world.agent, camera

    def _hang(self, frame: Frame) -> None:
        """Show a picture of a gallery from now on."""
        self._hangs, self._before = True, None
        self._now = View(frame, self.renderer.revision, self._sight(frame.camera))


class Gallery:
    """The pictures of several pairs of eyes of one size, drawn in one call.

    Args:
        count: How many.
        width: Of a picture, in pixels.
        height: Of a picture, in pixels.
    """

    def __init__(self, count: int, width: int, height: int) -> None:
        self._pictures = raster.empty_pictures(count, width, height)
        self._depth: NDArray[np.float32] | None = None
        self._shown: list[Eyes | None] = [None] * count

    def arrays(self, eyes: Sequence[Eyes], channels: Iterable[str] = CHANNELS) -> dict[str, NDArray[Any]]:
        """Copies of the arrays of all pictures now, by name; the first index is whose they are."""
        self._look(eyes)
        return {name: _copy(name, getattr(self._pictures, name)) for name in channels}

    def shown(self, eyes: Sequence[Eyes], channels: Iterable[str] = CHANNELS) -> dict[str, NDArray[Any]]:
        """The same without copying: the next look overwrites them."""
        self._look(eyes)
        found = {name: getattr(self._pictures, name) for name in channels}
        if "depth" in found:
            if self._depth is None:
                self._depth = np.empty_like(self._pictures.depth)
            _capped(self._pictures.depth.reshape(-1), self._depth.reshape(-1))
            found["depth"] = self._depth
        return found

    def _look(self, eyes: Sequence[Eyes]) -> None:
        """Draw what has changed; from now on the eyes keep their pictures here."""
        stale: dict[int, Camera] = {}
        for place, each in enumerate(eyes):
            camera = each._stale()
            if self._shown[place] is not each:
                camera, self._shown[place] = each.camera, each
            if camera is not None:
                stale[place] = camera
        if not stale:
            return
        sheets = [eyes[place].renderer.sheet(eyes[place].to_touch) for place in stale]
        raster.draw_sheets(sheets, list(stale.values()), textures(), self._pictures, list(stale))
        rgb, ids, depth = self._pictures
        for place, camera in stale.items():
            labels = eyes[place].renderer.labels
            eyes[place]._hang(Frame(camera, rgb[place], ids[place], depth[place], labels))


def _copy(name: str, array: NDArray[Any]) -> NDArray[Any]:
    out = take(array.shape, array.dtype)
    if name == "depth":
        _capped(array.reshape(-1), out.reshape(-1))
    else:
        np.copyto(out, array)
    return out


@compiled
def _capped(depth, out):  # type: ignore[no-untyped-def]
    """Copy depths, none of them farther than what is handed out; NumPy takes five times as long."""
    for pixel in range(len(depth)):
        out[pixel] = min(depth[pixel], _FAR)
