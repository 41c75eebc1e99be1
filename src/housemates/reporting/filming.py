"""Replays as videos: what the agent sees, the room from above, and a caption below."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from housemates.home.world import World
from housemates.render.maps import top_down
from housemates.render.scene import Renderer
from housemates.reporting.video import Picture, save_video

MARGIN = (228, 228, 228)
DARK, LIGHT, WARM, GREY = (32, 34, 38), (240, 240, 240), (255, 196, 92), (150, 154, 160)


class Words(NamedTuple):
    """A line of a caption: where it begins in pixels, what it says, its colour."""

    at: tuple[int, int]
    text: str
    colour: tuple[int, int, int]


class Reel:
    """Pictures of a home, taken one after the other."""

    def __init__(self, side_px: int, caption_px: int, font_px: int, fps: float) -> None:
        """An empty reel; each of the two views is a square, and the caption as wide as both."""
        self.side_px, self.caption_px, self.font_px, self.fps = side_px, caption_px, font_px, fps
        self.pictures: list[tuple[Picture, int]] = []
        """Each picture and how many frames it stays."""
        self._renderer: Renderer | None = None
        self._trail: list[tuple[float, float]] = []

    def renderer(self, home: World) -> Renderer:
        """What draws the home, which is the same for all pictures."""
        if self._renderer is None:
            self._renderer = Renderer(home)
        return self._renderer

    def add(self, home: World, view: Picture, caption: Iterable[Words], frames: int) -> None:
        """Add a view and the home as it is now, the agent's way so far drawn into it."""
        self._trail.append((home.agent.x, home.agent.z))
        plan = squared(top_down(self.renderer(home), self.side_px, trail=self._trail), self.side_px)
        pair = np.concatenate([view, plan], axis=1)
        self.pictures.append((np.concatenate([pair, self._written(caption, pair.shape[1])]), frames))

    def save(self, path: Path) -> None:
        """Write the video."""
        save_video(path, (picture for picture, frames in self.pictures for _ in range(frames)), self.fps)

    def _written(self, caption: Iterable[Words], width: int) -> Picture:
        bar = Image.new("RGB", (width, self.caption_px), DARK)
        pen = ImageDraw.Draw(bar)
        font = ImageFont.load_default(self.font_px)
        for words in caption:
            pen.text(words.at, words.text, fill=words.colour, font=font)
        return np.asarray(bar)


def squared(picture: Picture, side: int) -> Picture:
    """The picture in the middle of a square."""
    height, width = picture.shape[:2]
    square = np.full((side, side, 3), MARGIN, np.uint8)
    top, left = (side - height) // 2, (side - width) // 2
    square[top : top + height, left : left + width] = picture
    return square
