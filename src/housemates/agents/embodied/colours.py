"""Names of colours: what people call the mean colour of a surface, whatever light falls on it."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence

COLOURS = frozenset(
    ("white", "black", "grey", "red", "orange", "brown", "yellow", "green", "blue", "purple", "pink")
)
"""All names."""
HUES = (
    (15, "red"),
    (42, "orange"),
    (68, "yellow"),
    (165, "green"),
    (255, "blue"),
    (290, "purple"),
    (345, "pink"),
    (361, "red"),
)
"""The hue in degrees up to which each name goes."""
PALE, BRIGHT, DARK, DULL = 0.16, 0.72, 0.2, 0.62
"""Saturation below which a colour is none; values of white, of black, and below which orange is brown."""


def colour_name(rgb: Sequence[float]) -> str:
    """The name of a colour given as red, green and blue from 0 to 255."""
    hue, saturation, value = colorsys.rgb_to_hsv(*(float(each) / 255 for each in rgb))
    if value < DARK:
        return "black"
    if saturation < PALE:
        return "white" if value > BRIGHT else "grey"
    name = next(name for end, name in HUES if hue * 360 < end)
    return "brown" if name == "orange" and value < DULL else name
