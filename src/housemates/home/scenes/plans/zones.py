"""Where things can be put on a receptacle, worked out from where they were seen to stand.

AI2-THOR has an invisible box over each surface, divides it into eight parts each way, and puts a thing's
pivot on one of the inner corners. Nothing of these boxes is recorded, but enough things that stood there
give them away: they stand on a lattice of seven by seven places, and do not stick out of the box.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from housemates.home.scenes.plans.orientation import Rect
from housemates.home.things import Zone, turned

Array = npt.NDArray[np.float64]

PARTS = 8
MOST_ZONES = 8
FEWEST_SPOTS = 6
"""Fewer places on a lattice may be chance."""
SAME_ROW_M = 0.002
ON_LATTICE_M = 0.003
LEAST_STEP_M = 0.015
OVER_EDGE_M = 0.03
"""How far a box may reach over the recorded one."""
STICKS_OUT_M = 0.012
STICK_OUT_SHARE = 0.1
"""The share of places whose things may stick out of a box, as boxes are not quite what is checked."""
BEST = 48
"""Lattices along one axis that are tried with those along the other."""
LEVEL_M = 0.04
"""Places that differ less in height are on one surface."""


class Seen(NamedTuple):
    """A place where things stood, from their receptacle's pivot and along its own axes."""

    x: float
    y: float
    """Of their bases."""
    z: float
    times: int
    x0: float
    """The rectangle that they took up."""
    z0: float
    x1: float
    z1: float
    turns: tuple[int, ...] = (0, 0, 0, 0)
    """How often they were turned by 0, 90, 180 and 270 degrees,"""
    angle: int = 0
    """and how much more, against it."""


class Lattice(NamedTuple):
    """Places along one axis: the middle one, and the step to the next."""

    middle: float
    step: float


def find_zones(seen: Sequence[Seen], bounds: Rect | None) -> list[Zone]:
    """The boxes that explain most of the places, within the bounds of the receptacle.

    Without bounds, for a receptacle with but one place, the place where most things stood.
    """
    if bounds is None:
        most = max(seen, key=lambda place: place.times)
        yaw = most.angle + 90.0 * most.turns.index(max(most.turns))
        x, z = turned(most.x, most.z, -yaw)
        return [Zone(x, z, x, z, most.y, yaw)]
    angles = sorted({place.angle for place in seen})
    return [
        zone
        for angle in angles
        for level in _levels([place for place in seen if place.angle == angle])
        for zone in _level_zones([_turned(place, angle) for place in level], bounds, angle)
    ]


def _turned(place: Seen, angle: float) -> Seen:
    """A place as seen along axes turned by an angle; the rectangle, if it was turned, becomes nothing."""
    if not angle:
        return place
    x, z = turned(place.x, place.z, -angle)
    return place._replace(x=x, z=z, x0=x, z0=z, x1=x, z1=z)


def _levels(seen: Sequence[Seen]) -> list[list[Seen]]:
    """The places by the height of the surface they are on."""
    levels: list[list[Seen]] = []
    for place in sorted(seen, key=lambda place: place.y):
        if levels and place.y - levels[-1][-1].y <= LEVEL_M / 2 and place.y - levels[-1][0].y <= LEVEL_M:
            levels[-1].append(place)
        else:
            levels.append([place])
    return levels


def _level_zones(level: Sequence[Seen], bounds: Rect, angle: float) -> list[Zone]:
    zones: list[Zone] = []
    left = np.array([(*place[:8], *place.turns) for place in level], dtype=np.float64).reshape(-1, 12)
    while len(left) >= FEWEST_SPOTS and len(zones) < MOST_ZONES:
        found = _best(left, bounds, angle)
        if found is None:
            break
        zone, on = found
        zones.append(_facing(zone, left[on]))
        left = left[~on]
    return zones


def _best(places: Array, bounds: Rect, angle: float) -> tuple[Zone, npt.NDArray[np.bool_]] | None:
    """The box with most places on its lattice, and which they are."""
    x, z = places[:, 0], places[:, 2]
    inside = _around(bounds, angle)
    across, along = _lattices(x, z, inside.x0, inside.x1), _lattices(z, x, inside.z0, inside.z1)
    if not across or not along:
        return None
    on_x, on_z = _on(x, across), _on(z, along)
    support = on_x.astype(np.int32) @ on_z.T.astype(np.int32)
    order = sorted(
        product(range(len(across)), range(len(along))),
        key=lambda pair: (-int(support[pair]), -across[pair[0]].step * along[pair[1]].step),
    )
    for i, j in order[:200]:
        if support[i, j] < FEWEST_SPOTS:
            return None
        on = on_x[i] & on_z[j]
        zone = _zone(_refined(x[on], across[i]), _refined(z[on], along[j]), places[on], angle)
        if _holds(zone, places[on]):
            return zone, on
    return None


def _lattices(values: Array, rows: Array, lowest: float, highest: float) -> list[Lattice]:
    """The lattices along one axis that most pairs of places in one row would agree with."""
    first, second = np.nonzero(np.triu(np.abs(rows[:, None] - rows[None, :]) < SAME_ROW_M, 1))
    low = np.minimum(values[first], values[second])
    apart = np.abs(values[first] - values[second])
    found = []
    for steps in range(1, PARTS - 1):
        for place in range(PARTS - 1 - steps):
            step = apart / steps
            middle = low + (PARTS / 2 - 1 - place) * step
            half = step * PARTS / 2
            fits = (step > LEAST_STEP_M) & (middle - half >= lowest) & (middle + half <= highest)
            found.append(np.stack([middle[fits], step[fits]], axis=1))
    made = np.concatenate(found)
    if not len(made):
        return []
    cells = np.round(made / (ON_LATTICE_M, ON_LATTICE_M / 2)).astype(np.int64)
    _, which, votes = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
    which = which.ravel()
    best = np.argsort(-votes, kind="stable")[:BEST]
    return [Lattice(*(float(value) for value in np.median(made[which == each], axis=0))) for each in best]


def _on(values: Array, lattices: Sequence[Lattice]) -> npt.NDArray[np.bool_]:
    """Which values lie on which lattice: one row a lattice."""
    middle, step = np.array(lattices).T[:, :, None]
    places = (values - middle) / step
    nearest = np.round(places)
    on: npt.NDArray[np.bool_] = (np.abs(nearest) < PARTS / 2) & (
        np.abs(places - nearest) * step < ON_LATTICE_M
    )
    return on


def _refined(values: Array, lattice: Lattice) -> Lattice:
    """The lattice that fits its places best."""
    numbers = np.round((values - lattice.middle) / lattice.step)
    if len(set(numbers)) < 2:
        return lattice
    step, middle = np.polyfit(numbers, values, 1)
    return Lattice(float(middle), float(step))


def _around(bounds: Rect, angle: float) -> Rect:
    """The bounds and a little more, along axes turned by an angle."""
    corners = [turned(x, z, -angle) for x in bounds[0:3:2] for z in bounds[1:4:2]]
    xs, zs = [corner[0] for corner in corners], [corner[1] for corner in corners]
    return Rect(min(xs) - OVER_EDGE_M, min(zs) - OVER_EDGE_M, max(xs) + OVER_EDGE_M, max(zs) + OVER_EDGE_M)


def _zone(across: Lattice, along: Lattice, places: Array, angle: float) -> Zone:
    wide, deep = across.step * PARTS / 2, along.step * PARTS / 2
    x0, z0, x1, z1 = across.middle - wide, along.middle - deep, across.middle + wide, along.middle + deep
    return Zone(x0, z0, x1, z1, float(np.median(places[:, 1])), angle)


def _facing(zone: Zone, places: Array) -> Zone:
    """The zone along the axes that most things in it were turned to."""
    turn = 90.0 * int(np.argmax(places[:, 8:].sum(axis=0)))
    first, second = turned(zone.x0, zone.z0, -turn), turned(zone.x1, zone.z1, -turn)
    (x0, x1), (z0, z1) = (sorted(pair) for pair in zip(first, second, strict=True))
    return Zone(
        round(x0, 4), round(z0, 4), round(x1, 4), round(z1, 4), round(zone.y, 4), (zone.yaw + turn) % 360
    )


def _holds(zone: Zone, places: Array) -> bool:
    """Whether hardly anything that stood there would have stuck out."""
    out = (
        (places[:, 4] < zone.x0 - STICKS_OUT_M)
        | (places[:, 5] < zone.z0 - STICKS_OUT_M)
        | (places[:, 6] > zone.x1 + STICKS_OUT_M)
        | (places[:, 7] > zone.z1 + STICKS_OUT_M)
    )
    return bool(out.mean() <= STICK_OUT_SHARE)
