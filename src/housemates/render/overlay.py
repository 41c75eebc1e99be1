"""Pictures for people: names on things, the edges of masks, instances as colours."""

from __future__ import annotations

import colorsys
import textwrap

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from housemates.render.frames import Detection, Frame

Picture = NDArray[np.uint8]

BUILDING = ("Floor", "CounterTop", "Window")
"""Types that need no name unless asked for."""
FONT_SHARE = 34
"""A letter's height is this part of the picture's."""


def named(frame: Frame, least_pixels: int = 60, skip: tuple[str, ...] = BUILDING) -> Picture:
    """The frame with a box and a name around each thing of at least so many pixels; small ones last."""
    picture = Image.fromarray(frame.rgb)
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(max(10, frame.camera.height // FONT_SHARE))
    found = [box for box in frame.boxes() if box.pixels >= least_pixels and box.type not in skip]
    for box in sorted(found, key=lambda box: -box.pixels):
        _label(pen, font, box, picture.size)
    return np.asarray(picture)


def _label(
    pen: ImageDraw.ImageDraw,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    box: Detection,
    size: tuple[int, int],
) -> None:
    colour = type_colour(box.type)
    pen.rectangle((box.left, box.top, box.right - 1, box.bottom - 1), outline=colour)
    _, _, right, bottom = pen.textbbox((0, 0), box.type, font=font)
    x = max(0, min(box.left, size[0] - int(right) - 2))
    y = max(0, box.top - int(bottom) - 2)
    pen.rectangle((x, y, x + right + 2, y + bottom + 1), fill=colour)
    pen.text((x + 1, y), box.type, fill=(255, 255, 255), font=font)


def edge(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The pixels of a mask that have a neighbour outside it."""
    inner = mask.copy()
    inner[1:] &= mask[:-1]
    inner[:-1] &= mask[1:]
    inner[:, 1:] &= mask[:, :-1]
    inner[:, :-1] &= mask[:, 1:]
    return mask & ~inner


def page_of(text: str, columns: int = 90, size: int = 14) -> Picture:
    """A text as a picture, dark on light."""
    font = ImageFont.load_default(size)
    lines = [part for line in text.splitlines() for part in textwrap.wrap(line, columns) or [""]] or [""]
    page = Image.new("RGB", (columns * size * 3 // 5, (size + 5) * len(lines) + 10), (250, 250, 250))
    ImageDraw.Draw(page).multiline_text((6, 4), "\n".join(lines), fill=(32, 34, 38), font=font, spacing=5)
    return np.asarray(page)


def instance_colours(frame: Frame) -> Picture:
    """Each thing in a colour of its own; the building is dark."""
    table = np.zeros((len(frame.labels), 3), np.uint8)
    table[0] = (40, 40, 40)
    for number in range(1, len(frame.labels)):
        table[number] = _hue(number * 0.61803399, 0.45 + 0.4 * (number * 0.37 % 1.0))
    return np.asarray(table[frame.ids])


def type_colour(name: str) -> tuple[int, int, int]:
    """A colour that is always the same for a type."""
    mixed = 0
    for letter in name.encode():
        mixed = (mixed * 31 + letter) % 65_521
    return _hue(mixed * 0.61803399, 0.75)


def _hue(turn: float, strength: float) -> tuple[int, int, int]:
    red, green, blue = colorsys.hsv_to_rgb(turn % 1.0, strength, 0.72)
    return int(red * 255), int(green * 255), int(blue * 255)
