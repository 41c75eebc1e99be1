"""Materials: the colours, pattern and gloss behind each name that types, shapes and scenes use."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from housemates.errors import HousematesError
from housemates.files import shipped
from housemates.home.things import Thing
from housemates.render.patterns import PATTERNS

Colour = tuple[float, float, float]
"""Red, green and blue in 0..255."""

COOKED, SOOT, STAIN, CRACK = (84.0, 46.0, 18.0), (60.0, 58.0, 56.0), (92.0, 66.0, 36.0), (30.0, 28.0, 28.0)


class Material(NamedTuple):
    """How a surface looks; see `palette.toml`."""

    colour: Colour
    second: Colour
    pattern: int = 0
    repeat: float = 1.0
    fit: bool = False
    grain: bool = False
    gloss: float = 0.0
    glow: bool = False
    see_through: bool = False
    wall: bool = False


@cache
def material(name: str) -> Material:
    """The material of this name: a row of the palette, or a hue and a substance."""
    palette = load_palette()
    row = palette["materials"].get(name)
    if row is None:
        hue, _, substance = name.rpartition(" ")
        if hue not in palette["hues"] or substance not in palette["substances"]:
            raise HousematesError(
                f"Unknown material {name!r}: expected a row of palette.toml, or a hue and a substance."
            )
        row = {**palette["substances"][substance], "colour": palette["hues"][hue]}
    return _read(row)


def load_palette() -> dict[str, Any]:
    """The whole of `palette.toml`."""
    return shipped(__package__, "palette.toml")


def material_name(thing: Thing, name: str) -> str:
    """The palette's name for what a part of a thing is made of."""
    looks = thing.kind.looks[thing.look % len(thing.kind.looks)].split("/")
    return {"": looks[0], "accent": looks[-1], "liquid": thing.liquid or "water"}.get(name, name)


def in_state(thing: Thing, name: str, found: Material) -> Material:
    """A material of a part of a thing as it looks in the thing's state."""
    if name in ("", "accent", "crust") and thing.cooked:
        found = _tinted(found, COOKED, 0.42)
    if name in ("", "accent") and thing.dirty:
        found = found._replace(second=STAIN, pattern=PATTERNS["stains"], repeat=0.25, fit=False, gloss=0.0)
    if name != "liquid" and thing.broken:
        darker = _tinted(found, SOOT, 0.25)
        found = darker._replace(second=CRACK, pattern=PATTERNS["cracks"], repeat=0.3, fit=False, gloss=0.0)
    return found


def mixed(first: Colour, second: Colour, share: float) -> Colour:
    """`first` with this share of `second`."""
    red, green, blue = (a + (b - a) * share for a, b in zip(first, second, strict=True))
    return red, green, blue


def parse_colour(text: str) -> Colour:
    """A colour from `#rrggbb`."""
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return float(red), float(green), float(blue)


def _read(row: dict[str, Any]) -> Material:
    colour = parse_colour(row["colour"])
    contrast = row.get("contrast", 0.2)
    other = (0.0, 0.0, 0.0) if contrast > 0 else (255.0, 255.0, 255.0)
    second = parse_colour(row["second"]) if "second" in row else mixed(colour, other, abs(contrast))
    given = {key: row[key] for key in row if key not in ("colour", "second", "contrast", "pattern")}
    return Material(colour, second, PATTERNS[row.get("pattern", "plain")], **given)


def _tinted(found: Material, tint: Colour, share: float) -> Material:
    return found._replace(colour=mixed(found.colour, tint, share), second=mixed(found.second, tint, share))
