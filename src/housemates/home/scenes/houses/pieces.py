"""Pieces of furniture with all that belongs to them: drawers, shelves, the cabinets under a counter."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from housemates.home.scenes import cabinetry
from housemates.home.scenes.bedroom import DOUBLE, SINGLE
from housemates.home.scenes.cabinetry import COUNTER_DEPTH_M, COUNTER_M, SLAB_M, Unit
from housemates.home.scenes.furniture import chest, shelves
from housemates.home.scenes.houses.assets import counter_sides, drawn
from housemates.home.scenes.living_room import television_stand
from housemates.home.scenes.plan import RoomPlan, Wall
from housemates.home.scenes.tables import tables
from housemates.home.things import Structure, Thing, turned
from housemates.home.types import Vec, object_type

WIDE_BED_M = 1.3
VANITY_M = 0.9
RUN_M = 1.5
"""A run of cabinets from this length on has a sink in it."""


class Piece(NamedTuple):
    """What stands on the floor together."""

    things: tuple[Thing, ...]
    structures: tuple[Structure, ...] = ()


class Stand(NamedTuple):
    """Where a piece is to stand."""

    kind: str
    asset: str
    size: Vec
    x: float
    z: float
    """Its middle."""
    yaw: float
    name: str


def usual_size(kind: str, asset: str) -> Vec:
    """The size in which a piece is made here; of countertops, what their name tells."""
    sides = counter_sides(asset) if kind == "CounterTop" else None
    if sides is not None:
        return (sides[1], COUNTER_M, max(sides[2], COUNTER_DEPTH_M))
    if kind == "Sink":
        return (VANITY_M, COUNTER_M, COUNTER_DEPTH_M)
    made = {"Bed": (*DOUBLE, *SINGLE)}.get(kind) or tables().sizes.furniture.get(kind)
    made = made or (object_type(kind).size,)
    return made[drawn(asset, len(made))]


def build_piece(stand: Stand) -> Piece:
    """The piece as it stands there."""
    seed = [drawn(stand.name, 2**31), drawn(stand.asset, 2**31)]
    plan = RoomPlan("house", 1.0, 1.0, np.random.default_rng(seed))
    plan.things.clear()
    plan.sizes[stand.kind] = stand.size
    plan.looks[stand.kind] = drawn(stand.asset, len(object_type(stand.kind).looks))
    x, z = turned(-stand.size[0] / 2, -stand.size[2] / 2, stand.yaw)
    wall = Wall(stand.x + x, stand.z + z, stand.yaw, stand.size[0])
    BUILDERS.get(stand.kind, _plain)(plan, wall, stand)
    return Piece(tuple(plan.things), tuple(plan.structures))


def _plain(plan: RoomPlan, wall: Wall, stand: Stand) -> None:
    plan.put(stand.kind, wall, stand.size[0] / 2)


def _dresser(plan: RoomPlan, wall: Wall, stand: Stand) -> None:
    width = stand.size[0]
    chest(plan, "Dresser", wall, width / 2, 2 if width > 1.0 else 1, 3)


def _side_table(plan: RoomPlan, wall: Wall, stand: Stand) -> None:
    if drawn(stand.asset, 2):
        chest(plan, "SideTable", wall, stand.size[0] / 2, 1, 2)
    else:
        _plain(plan, wall, stand)


def _vanity(plan: RoomPlan, wall: Wall, stand: Stand) -> None:
    unit = Unit("sink", 0.0, stand.size[0])
    cabinetry.BUILDERS["sink"](plan, wall, unit)
    cabinetry.counters(plan, wall, [unit])


def _counter(plan: RoomPlan, wall: Wall, stand: Stand) -> None:
    """A run of cabinets along the back; the wings of an L or a C are counters on a closed body."""
    form, width, depth = counter_sides(stand.asset) or ("I", stand.size[0], stand.size[2])
    _run(plan, wall, stand.size[0], stand.size[2] - COUNTER_DEPTH_M if form == "Island" else 0.0)
    if form in ("L", "C") and depth > COUNTER_DEPTH_M + 0.2:
        _wing(plan, wall, 0.0, stand.size[2])
        if form == "C" and width > 2 * COUNTER_DEPTH_M + 0.5:
            _wing(plan, wall, stand.size[0] - COUNTER_DEPTH_M, stand.size[2])


def _run(plan: RoomPlan, wall: Wall, length: float, overhang: float) -> None:
    at = Wall(*wall.at(0.0, overhang), wall.yaw, length)
    units = cabinetry.divide(plan, ("*", "sink", "*") if length > RUN_M else ("*",), length)
    for unit in units:
        cabinetry.BUILDERS[unit.kind](plan, at, unit)
    cabinetry.counters(plan, at, units, overhang)


def _wing(plan: RoomPlan, wall: Wall, u: float, depth: float) -> None:
    """A counter away from the wall."""
    start, long = COUNTER_DEPTH_M, depth - COUNTER_DEPTH_M
    top = (COUNTER_DEPTH_M, 0.1, long)
    plan.put("CounterTop", wall, u + COUNTER_DEPTH_M / 2, start, COUNTER_M, top)
    front = cabinetry.front_material(plan)
    plan.build(
        front, wall, u + 0.02, start, 0.0, u + COUNTER_DEPTH_M - 0.02, start + long - 0.02, COUNTER_M - SLAB_M
    )


def _stand(plan: RoomPlan, wall: Wall, stand: Stand) -> None:
    television_stand(plan, wall, stand.size[0] / 2)


def _shelves(plan: RoomPlan, wall: Wall, stand: Stand) -> None:
    shelves(plan, wall, stand.size[0] / 2)


BUILDERS: dict[str, Callable[[RoomPlan, Wall, Stand], None]] = {
    "CounterTop": _counter,
    "Dresser": _dresser,
    "ShelvingUnit": _shelves,
    "SideTable": _side_table,
    "Sink": _vanity,
    "TVStand": _stand,
}
"""How pieces are made that consist of more than one thing."""
