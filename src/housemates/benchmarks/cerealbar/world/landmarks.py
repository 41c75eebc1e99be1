"""Things to orient by: props, lakes and hills."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from housemates.benchmarks.cerealbar.world.hexes import distance, neighbours
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.tables import NO_PROP, PROPS, TERRAINS

GROUNDS = {"water": "water", "deep water": "water", "hill": "hill", "short hill": "hill"}
KINDS = tuple(GROUNDS.get(terrain.name, "") for terrain in TERRAINS)
NAMED = np.array([bool(kind) for kind in KINDS])


class Landmark(NamedTuple):
    """A thing to orient by: its kind, and the hexes it covers."""

    kind: str
    hexes: tuple[int, ...]

    def nearest(self, place: int, width: int) -> int:
        """The hex of it nearest to a place."""
        return min(self.hexes, key=lambda at: (distance(at, place, width), at))


@lru_cache(maxsize=128)
def landmarks(hexmap: HexMap) -> tuple[Landmark, ...]:
    """Every prop, lake and hill of a map."""
    places = np.flatnonzero(hexmap.standing != NO_PROP).tolist()
    found = [Landmark(PROPS[hexmap.prop[at]].name, (at,)) for at in places]
    kinds = {at: KINDS[hexmap.terrain[at]] for at in np.flatnonzero(NAMED[hexmap.ground]).tolist()}
    while kinds:
        start, kind = next(iter(kinds.items()))
        patch = [start]
        del kinds[start]
        for at in patch:
            for to in neighbours(hexmap.size)[at]:
                if kinds.get(to) == kind:
                    del kinds[to]
                    patch.append(to)
        found.append(Landmark(kind, tuple(sorted(patch))))
    return tuple(found)
