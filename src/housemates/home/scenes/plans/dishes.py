"""Where things come to stand in a dish: it depends on the asset."""

from __future__ import annotations

from housemates.files import shipped
from housemates.home.things import Thing, Zone, turned


def inside(dish: Thing) -> tuple[Zone, ...]:
    """The zones of a plate, bowl, pot or pan around its pivot, if its asset is known."""
    found = []
    for half_x, half_z, height, yaw in _dishes().get(dish.name.split("(")[0], ()):
        x, z = turned(dish.pivot[0], dish.pivot[2], -yaw)
        found.append(Zone(x - half_x, z - half_z, x + half_x, z + half_z, height, yaw))
    return tuple(found)


def _dishes() -> dict[str, list[tuple[float, float, float, float]]]:
    """Asset name -> half the width and depth of its zones, their heights and how they are turned.

    The lattices on which things stood in recorded games give them away: most are two rectangles that
    cross each other.
    """
    return shipped(__package__, "dishes.json")
