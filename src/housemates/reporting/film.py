"""Film: pictures side by side with words beneath them, taken one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from housemates.home.world import World
from housemates.render.camera import agent_camera
from housemates.render.maps import top_down
from housemates.render.scene import Renderer
from housemates.reporting.video import Picture, save_png, save_video, still

Colour = tuple[int, int, int]
DARK, LIGHT, WARM, GREY = (32, 34, 38), (240, 240, 240), (255, 196, 92), (150, 154, 160)
MARGIN = (228, 228, 228)
EDGE_PX, SPACE_PX = 6, 14
"""Around a caption, and between two parts of one of its lines."""


class Words(NamedTuple):
    """Some words of a caption."""

    text: str
    colour: Colour = LIGHT


class Shot(NamedTuple):
    """One picture of a film."""

    picture: Picture
    caption: str
    frames: int
    """How many frames of the video it stays."""
    key: bool
    """Whether it is worth being shown by itself."""


class Film:
    """Pictures in the order of their taking.

    Args:
        lines: How many lines a caption has at most.
        font_px: Size of its letters.
        fps: Frames a second of the video.
    """

    def __init__(self, lines: int, font_px: int, fps: float) -> None:
        self.shots: list[Shot] = []
        self.fps = fps
        self._lines = lines
        self._font = ImageFont.load_default(font_px)
        self._step_px = int(self._font.getbbox("Ag")[3]) + 5

    def add(
        self,
        pictures: Sequence[Picture],
        caption: Iterable[Sequence[Words]],
        frames: int = 1,
        key: bool = False,
    ) -> None:
        """Add pictures of one height, side by side.

        Args:
            pictures: From left to right.
            caption: Its lines, each made of differently coloured words; a long one is broken.
            frames: How many frames of the video they stay.
            key: Whether it is one of the `key_shots`.
        """
        row, lines = np.concatenate(pictures, axis=1), list(caption)
        said = " ".join(words.text for line in lines for words in line)
        whole = np.concatenate([row, self.written(lines, row.shape[1], self._lines)])
        self.shots.append(Shot(whole, said, frames, key))

    def add_read(
        self, pictures: Sequence[Picture], caption: Iterable[Sequence[Words]], seconds: float
    ) -> None:
        """Add pictures with a caption that is all read: a long one is shown in parts, one after the other.

        Args:
            pictures: From left to right.
            caption: Its lines, as for `add`.
            seconds: How long the whole takes.
        """
        room = sum(picture.shape[1] for picture in pictures) - 2 * EDGE_PX
        lines = [part for line in caption for part in self._broken(line, room)] or [()]
        parts = [lines[start : start + self._lines] for start in range(0, len(lines), self._lines)]
        for part in parts:
            self.add(pictures, part, max(1, round(seconds * self.fps * len(part) / len(lines))))

    def key_shots(self) -> list[Shot]:
        """Those worth being shown by themselves."""
        return [shot for shot in self.shots if shot.key]

    def save_frames(self, folder: Path) -> None:
        """Write the key shots as PNG files, in place of those of an earlier film."""
        for old in folder.glob("*.png"):
            old.unlink()
        for number, shot in enumerate(self.key_shots()):
            save_png(folder / f"{number:02}.png", shot.picture)

    def save(self, path: Path) -> None:
        """Write the whole as a video."""
        save_video(path, (shot.picture for shot in self.shots for _ in range(shot.frames)), self.fps)

    def written(self, caption: Iterable[Sequence[Words]], width: int, most: int) -> Picture:
        """A bar with so many lines of words."""
        bar = Image.new("RGB", (width, self._step_px * most + 2 * EDGE_PX), DARK)
        pen = ImageDraw.Draw(bar)
        room = width - 2 * EDGE_PX
        lines = [part for line in caption for part in self._broken(line, room)]
        for number, line in enumerate(lines[:most]):
            x = float(EDGE_PX)
            for words in line:
                pen.text((x, EDGE_PX + number * self._step_px), words.text, words.colour, self._font)
                x += self._font.getlength(words.text) + SPACE_PX
        return np.asarray(bar)

    def _broken(self, line: Sequence[Words], room: int) -> list[Sequence[Words]]:
        """A line as several if it is of one colour and too long."""
        if len(line) != 1 or self._font.getlength(line[0].text) <= room:
            return [line]
        parts: list[str] = []
        for word in self._short(line[0].text, room):
            longer = f"{parts[-1]} {word}" if parts else word
            if parts and self._font.getlength(longer) <= room:
                parts[-1] = longer
            else:
                parts.append(word)
        return [(Words(part, line[0].colour),) for part in parts]

    def _short(self, text: str, room: int) -> Iterator[str]:
        """The words of a text; one that is wider than a line is cut into pieces."""
        for word in text.split():
            while self._font.getlength(word) > room and len(word) > 1:
                fits = max(1, int(len(word) * room / self._font.getlength(word)))
                yield word[:fits]
                word = word[fits:]
            yield word


class HomeFilm(Film):
    """A film of a home: what the agent sees, and the room from above with the agent's way so far.

    Args:
        side_px: Side of each of the two pictures.
        lines: How many lines a caption has at most.
        font_px: Size of its letters.
        fps: Frames a second of the video.
    """

    def __init__(self, side_px: int, lines: int, font_px: int, fps: float) -> None:
        super().__init__(lines, font_px, fps)
        self.side_px = side_px
        self._renderer: Renderer | None = None
        self._trail: list[tuple[float, float]] = []

    def take(
        self,
        home: World,
        caption: Iterable[Sequence[Words]],
        view: Picture | None = None,
        frames: int = 1,
        key: bool = False,
        others: Sequence[Picture] = (),
    ) -> None:
        """Add the home as it is now.

        Args:
            home: What is shown.
            caption: As for `add`.
            view: What the agent sees, if it is drawn already.
            frames: How many frames of the video it stays.
            key: Whether it is one of the `key_shots`.
            others: Pictures of the same side that stand between the view and the plan.
        """
        self._trail.append((home.agent.x, home.agent.z))
        plan = squared(top_down(self._drawing(home), self.side_px, trail=self._trail), self.side_px)
        self.add([self.view(home) if view is None else view, *others, plan], caption, frames, key)

    def view(self, home: World) -> Picture:
        """What the agent sees now."""
        return still(self._drawing(home), agent_camera(home.agent, self.side_px, self.side_px))

    def _drawing(self, home: World) -> Renderer:
        if self._renderer is None:
            self._renderer = Renderer(home)
        return self._renderer


def squared(picture: Picture, side: int) -> Picture:
    """The picture in the middle of a square."""
    height, width = picture.shape[:2]
    square = np.full((side, side, 3), MARGIN, np.uint8)
    top, left = (side - height) // 2, (side - width) // 2
    square[top : top + height, left : left + width] = picture
    return square
