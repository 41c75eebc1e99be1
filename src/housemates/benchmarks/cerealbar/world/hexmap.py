"""A map: ground and props of every hex, which never change during a game."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.world.hexes import Size, edge, neighbours
from housemates.benchmarks.cerealbar.world.tables import NO_PROP, PATH, PROPS, RULES, TERRAINS
from housemates.errors import HousematesError
from housemates.jit import compiled

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
EMPTY = "."
UNREADABLE = -2
MEANING = np.full(128, UNREADABLE)
"""The number that each character of a map stands for."""
MEANING[[ord(mark) for mark in DIGITS]] = np.arange(len(DIGITS))
MEANING[ord(EMPTY)] = NO_PROP
STANDARD = Size(RULES["map"]["width"], RULES["map"]["height"])


OPEN = np.array([not terrain.blocks for terrain in TERRAINS])
Ints = NDArray[np.int32]
Flags = NDArray[np.bool_]
Array = TypeVar("Array", bound=NDArray[Any])


@cache
def neighbour_table(size: Size) -> Ints:
    """`neighbours` as an array."""
    return _fixed(np.array(neighbours(size), dtype=np.int32))


@cache
def edge_table(size: Size) -> Flags:
    """A flag for every hex of the edge."""
    flags = np.zeros(size.width * size.height, np.bool_)
    flags[sorted(edge(size))] = True
    return _fixed(flags)


def _fixed(array: Array) -> Array:
    """The array, which nobody can change any more."""
    array.flags.writeable = False
    return array


@compiled
def _largest_region(exits: Ints, free: Flags, outside: Flags, path: Flags) -> Flags:
    """The hexes inside the edge of the largest connected region that has a path there."""
    number = free.shape[0]
    region = np.full(number, -1, dtype=np.int32)
    todo = np.empty(number, dtype=np.int32)
    best, most = -1, 0
    for start in range(number):
        if not free[start] or region[start] >= 0:
            continue
        inside, has_path = 0, False
        todo[0] = start
        region[start] = start
        first, last = 0, 1
        while first < last:
            at = todo[first]
            first += 1
            if not outside[at]:
                inside += 1
                has_path = has_path or path[at]
            for to in exits[at]:
                if to >= 0 and region[to] < 0:
                    region[to] = start
                    todo[last] = to
                    last += 1
        if has_path and inside > most:
            best, most = start, inside
    found: Flags = (region == best) & ~outside & (region >= 0)
    return found


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

    def __reduce__(self) -> Any:
        return HexMap, (self.size, self.terrain, self.prop, self.rotation)

    @cached_property
    def ground(self) -> Ints:
        """`terrain` as an array."""
        return _fixed(np.array(self.terrain, dtype=np.int32))

    @cached_property
    def standing(self) -> Ints:
        """`prop` as an array."""
        return _fixed(np.array(self.prop, dtype=np.int32))

    @cached_property
    def turned(self) -> Ints:
        """`rotation` as an array."""
        return _fixed(np.array(self.rotation, dtype=np.int32))

    @cached_property
    def passable(self) -> Flags:
        """Where a player can stand."""
        return _fixed(OPEN[self.ground] & (self.standing == NO_PROP))

    @cached_property
    def exit_table(self) -> Ints:
        """For every hex the hex that a step with each heading leads to; -1 where the way is blocked."""
        to = neighbour_table(self.size)
        return _fixed(np.where((to >= 0) & self.passable[to], to, -1))

    @cached_property
    def exits(self) -> memoryview[int]:
        """`exit_table` for those who look up one after the other: `exits[hex, heading]`."""
        return memoryview(self.exit_table)  # type: ignore[arg-type]

    @cached_property
    def region(self) -> Flags:
        """The hexes for cards: inside the edge, in the largest connected region that has a path."""
        outside, path = edge_table(self.size), self.ground == PATH
        return _fixed(_largest_region(self.exit_table, self.passable, outside, path))

    @cached_property
    def playable(self) -> tuple[int, ...]:
        """The hexes of `region` in order."""
        return tuple(np.flatnonzero(self.region).tolist())

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
        return _read_map(size, value["terrain"], value["props"], value["rotations"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, HousematesError):
            raise
        raise HousematesError(
            f"map: expected width, height, terrain, props and rotations ({error})."
        ) from None


@lru_cache(maxsize=128)
def _read_map(size: Size, *texts: str) -> HexMap:
    """The map of three texts; the same one for the same texts, so that what is made of it is kept."""
    check_size(size)
    hexes = size.width * size.height
    found = []
    for name, text, limit in zip(
        ("terrain", "props", "rotations"), texts, (len(TERRAINS), len(PROPS), 6), strict=True
    ):
        values = _numbers(text)
        if len(values) != hexes:
            raise HousematesError(f"map.{name}: expected {hexes} characters, found {len(values)}.")
        if min(values) < (NO_PROP if name == "props" else 0):
            raise HousematesError(f"map.{name}: expected digits and letters, found another character.")
        if max(values) >= limit:
            raise HousematesError(f"map.{name}: expected values below {limit}, found {max(values)}.")
        found.append(values)
    return HexMap(size, *found)


def _numbers(text: str) -> tuple[int, ...]:
    """The number that each character stands for: UNREADABLE if none."""
    return tuple(MEANING[np.frombuffer(text.encode("ascii"), np.uint8)].tolist())


def check_size(size: Size) -> None:
    """Refuse a map that is too small to play on or too large to draw."""
    least, most = RULES["map"]["smallest"], RULES["map"]["largest"]
    if not all(least <= side <= most for side in size):
        raise HousematesError(f"map: expected {least} to {most} hexes a side, found {size[0]} by {size[1]}.")
