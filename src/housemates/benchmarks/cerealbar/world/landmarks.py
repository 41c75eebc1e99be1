"""Things to orient by: props, lakes and hills."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from housemates.benchmarks.cerealbar.world.hexes import distance, neighbours
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.tables import NO_PROP, PROPS, TERRAINS

GROUNDS = {"water": "water", "deep water": "water", "hill": "hill", "short hill": "hill"}
KINDS = tuple(GROUNDS.get(terrain.name) for terrain in TERRAINS)


class Landmark(NamedTuple):
    """A thing to orient by: its kind, and the hexes it covers."""

    kind: str
    hexes: tuple[int, ...]

    def nearest(self, place: int, width: int) -> int:
        """The hex of it nearest to a place."""
        return min(self.hexes, key=lambda at: (distance(at, place, width), at))


@lru_cache(maxsize=64)
def landmarks(hexmap: HexMap) -> tuple[Landmark, ...]:
    """Every prop, lake and hill of a map."""
    found = [Landmark(PROPS[prop].name, (at,)) for at, prop in enumerate(hexmap.prop) if prop != NO_PROP]
    kinds = [KINDS[ground] for ground in hexmap.terrain]
    done: set[int] = set()
    for start, kind in enumerate(kinds):
        if kind is None or start in done:
            continue
        patch = [start]
        done.add(start)
        for at in patch:
            for to in neighbours(hexmap.size)[at]:
                if to >= 0 and to not in done and kinds[to] == kind:
                    done.add(to)
                    patch.append(to)
        found.append(Landmark(kind, tuple(sorted(patch))))
    return tuple(found)
