"""Frames: what one camera saw, and the questions one asks of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.errors import HousematesError
from housemates.home.types import object_types
from housemates.jit import compiled
from housemates.render.camera import Camera


class Label(NamedTuple):
    """What an instance number of a picture stands for."""

    id: str
    type: str


class Detection(NamedTuple):
    """A thing in a picture: the box around its pixels (`right` and `bottom` are outside) and their number."""

    id: str
    type: str
    left: int
    top: int
    right: int
    bottom: int
    pixels: int


@dataclass(frozen=True)
class Frame:
    """One picture with the thing and the depth at each pixel."""

    camera: Camera
    rgb: NDArray[np.uint8]
    """(height, width, 3)."""
    ids: NDArray[np.uint16]
    """(height, width): index into `labels`; 0 for nothing or the building."""
    depth: NDArray[np.float32]
    """(height, width): metres along the view axis; inf where there is nothing."""
    labels: tuple[Label, ...]
    """The thing behind each number; entry 0 is empty."""

    def thing_at(self, column: int, row: int) -> str | None:
        """Id of the thing at a pixel, or None."""
        height, width = self.ids.shape
        if not (0 <= column < width and 0 <= row < height):
            raise HousematesError(f"Pixel ({column}, {row}) is outside the {width}x{height} picture.")
        return self.labels[self.ids[row, column]].id or None

    def mask(self, thing: str) -> NDArray[np.bool_]:
        """Where a thing is seen; nowhere if it is not in the picture."""
        number = self.numbers.get(thing)
        if number is None:
            return np.zeros(self.ids.shape, np.bool_)
        return np.asarray(self.ids == number)

    def boxes(self) -> list[Detection]:
        """Everything seen, in the order of the world."""
        return [
            Detection(*self.labels[number], *(int(value) for value in self._extents[number]))
            for number in self._seen
        ]

    def shows(self, name: str) -> bool:
        """Whether some pixel is of this thing."""
        number = self.numbers.get(name, 0)
        return number != 0 and bool((self.ids == number).any())

    def visible(self) -> dict[str, int]:
        """How many pixels of each thing are seen, for those that are."""
        return {self.labels[number].id: int(self._extents[number, 4]) for number in self._seen}

    def types(self) -> NDArray[np.uint8]:
        """(height, width): the type at each pixel, as `type_numbers` counts them; 0 for the building."""
        known = type_numbers()
        table = np.array([known.get(label.type, 0) for label in self.labels], np.uint8)
        return np.asarray(table[self.ids])

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The instance number of each thing."""
        return {label.id: number for number, label in enumerate(self.labels) if label.id}

    @cached_property
    def _extents(self) -> NDArray[np.int32]:
        return np.asarray(extents(self.ids, len(self.labels)))

    @cached_property
    def _seen(self) -> list[int]:
        return [number for number in np.flatnonzero(self._extents[:, 4]).tolist() if number]


@cache
def type_numbers() -> dict[str, int]:
    """The number of each type in maps of types, from 1, in the order of the table of types."""
    return {name: number for number, name in enumerate(object_types(), start=1)}


@compiled
def extents(ids, count):  # type: ignore[no-untyped-def]
    """Left, top, right, bottom and number of pixels of each instance."""
    height, width = ids.shape
    extents = np.zeros((count, 5), np.int32)
    extents[:, 0] = width
    extents[:, 1] = height
    for row in range(height):
        for column in range(width):
            extent = extents[ids[row, column]]
            extent[0] = min(extent[0], column)
            extent[1] = min(extent[1], row)
            extent[2] = max(extent[2], column + 1)
            extent[3] = max(extent[3], row + 1)
            extent[4] += 1
    return extents
