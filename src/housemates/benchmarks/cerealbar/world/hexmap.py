"""A map: ground and props of every hex, which never change during a game."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.world.hexes import Size, edge, neighbours
from housemates.benchmarks.cerealbar.world.tables import NO_PROP, PATH, PROPS, RULES, TERRAINS
from housemates.errors import HousematesError

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
EMPTY = "."
STANDARD = Size(RULES["map"]["width"], RULES["map"]["height"])


@dataclass(frozen=True)
class HexMap:
    """Ground, prop and the prop's heading of every hex, from the south-west corner row by row."""

    size: Size
    terrain: tuple[int, ...]
    prop: tuple[int, ...]
    rotation: tuple[int, ...]

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.size, self.terrain, self.prop, self.rotation))

    @cached_property
    def passable(self) -> tuple[bool, ...]:
        """Where a player can stand."""
        return tuple(
            not TERRAINS[ground].blocks and prop == NO_PROP
            for ground, prop in zip(self.terrain, self.prop, strict=True)
        )

    @cached_property
    def exits(self) -> tuple[tuple[int, ...], ...]:
        """For every hex the hex that a step with each heading leads to; -1 where the way is blocked."""
        return tuple(
            tuple(to if to >= 0 and self.passable[to] else -1 for to in around)
            for around in neighbours(self.size)
        )

    @cached_property
    def exit_table(self) -> NDArray[np.int32]:
        """`exits` as an array, for searches."""
        return np.array(self.exits, dtype=np.int32)

    @cached_property
    def playable(self) -> tuple[int, ...]:
        """The hexes for cards: inside the edge, in the largest connected region that has a path."""
        best: tuple[int, ...] = ()
        seen = [not free for free in self.passable]
        for start in range(len(seen)):
            if not seen[start]:
                region = self._region(start, seen)
                inside = tuple(sorted(set(region) - edge(self.size)))
                if len(inside) > len(best) and any(self.terrain[at] == PATH for at in inside):
                    best = inside
        return best

    def _region(self, start: int, seen: list[bool]) -> list[int]:
        region = [start]
        seen[start] = True
        for at in region:
            for to in self.exits[at]:
                if to >= 0 and not seen[to]:
                    seen[to] = True
                    region.append(to)
        return region

    @cached_property
    def digest(self) -> str:
        """A hash of the map's contents, the same on every machine."""
        text = f"{self.size.width} {self.size.height} {self.terrain} {self.prop} {self.rotation}"
        return hashlib.sha256(text.encode()).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """The map as three strings with a character for every hex."""
        return {
            "width": self.size.width,
            "height": self.size.height,
            "terrain": "".join(DIGITS[ground] for ground in self.terrain),
            "props": "".join(EMPTY if prop == NO_PROP else DIGITS[prop] for prop in self.prop),
            "rotations": "".join(DIGITS[rotation] for rotation in self.rotation),
        }


def map_from_json(value: Any) -> HexMap:
    """Read what `to_json` wrote; say which field is wrong if one is."""
    try:
        size = Size(int(value["width"]), int(value["height"]))
        terrain = tuple(DIGITS.index(mark) for mark in value["terrain"])
        prop = tuple(NO_PROP if mark == EMPTY else DIGITS.index(mark) for mark in value["props"])
        rotation = tuple(DIGITS.index(mark) for mark in value["rotations"])
    except (KeyError, TypeError, ValueError) as error:
        raise HousematesError(
            f"map: expected width, height, terrain, props and rotations ({error})."
        ) from None
    check_size(size)
    hexes = size.width * size.height
    for name, values, limit in (
        ("terrain", terrain, len(TERRAINS)),
        ("props", prop, len(PROPS)),
        ("rotations", rotation, 6),
    ):
        if len(values) != hexes:
            raise HousematesError(f"map.{name}: expected {hexes} characters, found {len(values)}.")
        if max(values) >= limit:
            raise HousematesError(f"map.{name}: expected values below {limit}, found {max(values)}.")
    return HexMap(size, terrain, prop, rotation)


def check_size(size: Size) -> None:
    """Refuse a map that is too small to play on or too large to draw."""
    least, most = RULES["map"]["smallest"], RULES["map"]["largest"]
    if not all(least <= side <= most for side in size):
        raise HousematesError(f"map: expected {least} to {most} hexes a side, found {size[0]} by {size[1]}.")
