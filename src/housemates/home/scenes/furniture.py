"""Furniture that any room may have: tables with chairs, chests of drawers, shelves, lamps, plants, bins."""

from __future__ import annotations

import numpy as np

from housemates.home.scenes.groups import group
from housemates.home.scenes.plan import NoRoom, Rect, RoomPlan, Spot, Wall
from housemates.home.scenes.tables import Family
from housemates.home.things import Thing, turned
from housemates.home.types import Vec, object_type

WAY_M = 0.45
"""What one needs to walk past a thing."""


@group("dining table")
def dining_table(plan: RoomPlan, family: Family) -> None:
    """A table in the open part of the room with chairs drawn up to it."""
    size = plan.size("DiningTable")
    for sides in (*plan.choice([("long",), ("both", "long")]), "ends"):
        for yaw in plan.rng.permutation([0, 90]).tolist():
            place = _open_place(plan, size, float(yaw), sides)
            if place is not None:
                plan.put_on_floor("DiningTable", place, float(yaw), size)
                _chairs(plan, place, float(yaw), size, sides)
                return
    raise NoRoom("no room for a dining table")


def _reach(size: Vec, yaw: float, sides: str, more: float) -> tuple[float, float]:
    """Half of what a table takes up along x and z, with its chairs."""
    half_x = size[0] / 2 + (0.36 if sides in ("ends", "both") else 0.0) + more
    half_z = size[2] / 2 + (0.36 if sides in ("long", "both") else 0.0) + more
    return (half_z, half_x) if yaw % 180 else (half_x, half_z)


def _open_place(plan: RoomPlan, size: Vec, yaw: float, sides: str) -> tuple[float, float] | None:
    body, way = _reach(size, yaw, sides, 0.0), _reach(size, yaw, sides, WAY_M)
    floor = plan.floor
    xs = np.arange(floor.x0 + way[0], floor.x1 - way[0] + 1e-6, 0.1)
    zs = np.arange(floor.z0 + way[1], floor.z1 - way[1] + 1e-6, 0.1)
    places = [(float(x), float(z)) for x in xs for z in zs]
    for number in plan.rng.permutation(len(places)).tolist():
        x, z = places[number]
        table = Rect(x - body[0], z - body[1], x + body[0], z + body[1])
        around = Rect(x - way[0], z - way[1], x + way[0], z + way[1])
        if plan.is_free(table, around):
            plan.take(table, around)
            return round(x, 4), round(z, 4)
    return None


def _chairs(plan: RoomPlan, place: tuple[float, float], yaw: float, size: Vec, sides: str) -> None:
    chair = plan.size("Chair")
    out = chair[2] / 2 - 0.15
    seats = []
    if sides in ("long", "both"):
        across = [-size[0] / 4, size[0] / 4] if size[0] >= 1.15 else [0.0]
        seats += [(x, side * (size[2] / 2 + out), 90 + side * 90) for x in across for side in (-1, 1)]
    if sides in ("ends", "both"):
        seats += [(side * (size[0] / 2 + out), 0.0, 180 + side * 90) for side in (-1, 1)]
    for x, z, turn in seats:
        dx, dz = turned(x, z, yaw)
        plan.put_on_floor("Chair", (place[0] + dx, place[1] + dz), yaw + turn, chair)


def chest(plan: RoomPlan, kind: str, wall: Wall, u: float, columns: int, rows: int, v: float = 0.0) -> Thing:
    """A piece of furniture with a top, and drawers in columns and rows under it."""
    size = plan.size(kind)
    top = 0.87 * size[1]
    made = plan.put(kind, wall, u, v, 0.0, size, shape="" if kind == "Dresser" else "dresser")
    width, height = (size[0] - 0.05) / columns, (top - 0.03 - 0.055) / rows
    look = _drawer_look(plan, kind)
    for column in range(columns):
        for row in range(rows):
            middle = u - size[0] / 2 + 0.025 + (column + 0.5) * width
            drawer = (width - 0.004, height - 0.004, size[2] - 0.04)
            plan.put("Drawer", wall, middle, v + 0.03, 0.055 + row * height, drawer, look=look)
    return made


def _drawer_look(plan: RoomPlan, kind: str) -> int:
    """The look of a drawer that goes with the piece it is in."""
    return object_type("Drawer").looks.index(object_type(kind).looks[plan.look(kind)])


@group("dresser")
def dresser(plan: RoomPlan, family: Family) -> None:
    """A chest of drawers against a wall."""
    width, height, depth = plan.size("Dresser")
    spot = plan.settle(width + 0.04, depth, 0.9, height)
    chest(plan, "Dresser", plan.walls[spot.wall], spot.u, 2 if width > 1.0 else 1, 3)


@group("side table", "second side table")
def side_table(plan: RoomPlan, family: Family) -> None:
    """A small table against a wall, perhaps with a drawer."""
    width, height, depth = plan.size("SideTable")
    spot = plan.settle(width + 0.04, depth, 0.7, height)
    if plan.chance(0.5):
        chest(plan, "SideTable", plan.walls[spot.wall], spot.u, 1, 2)
    else:
        plan.put("SideTable", plan.walls[spot.wall], spot.u)


@group("desk and chair", "desk")
def desk(plan: RoomPlan, family: Family) -> None:
    """A desk with a drawer under its top and a chair before it."""
    width, height, depth = plan.size("Desk")
    spot = plan.settle(width, depth + 0.3, 0.6, height)
    wall, top = plan.walls[spot.wall], 0.8 * height
    plan.put("Desk", wall, spot.u)
    side = plan.choice([-1, 1])
    u = spot.u + side * (width / 2 - 0.04 - 0.21)
    drawer = (0.4, 0.15, 0.42)
    plan.put("Drawer", wall, u, depth - 0.44, top - 0.04 - 0.152, drawer, look=_drawer_look(plan, "Desk"))
    plan.put("Chair", wall, spot.u - side * 0.2, depth - 0.15, 0.0, turn=180.0)


@group("shelving unit")
def shelving_unit(plan: RoomPlan, family: Family) -> None:
    """Posts and boards; the boards are shelves."""
    width, height, depth = plan.size("ShelvingUnit")
    spot = plan.settle(width + 0.02, depth, 0.7, height)
    shelves(plan, plan.walls[spot.wall], spot.u)


def shelves(plan: RoomPlan, wall: Wall, u: float) -> None:
    """A shelving unit with its boards."""
    width, height, depth = plan.size("ShelvingUnit")
    plan.put("ShelvingUnit", wall, u)
    boards = 4
    gap = (height - 0.03 - 0.12) / boards
    for number in range(boards):
        size = (width - 0.064, gap - 0.03, depth)
        plan.put("Shelf", wall, u, 0.0, 0.12 + number * gap, size)


@group("house plant")
def house_plant(plan: RoomPlan, family: Family) -> None:
    """A plant in a pot on the floor."""
    stand(plan, "HousePlant", 0.25)


@group("floor lamp")
def floor_lamp(plan: RoomPlan, family: Family) -> None:
    """A lamp that stands on the floor."""
    stand(plan, "FloorLamp", 0.3)


@group("garbage can")
def garbage_can(plan: RoomPlan, family: Family) -> None:
    """A bin against a wall."""
    stand(plan, "GarbageCan", 0.4)


@group("garbage bag")
def garbage_bag(plan: RoomPlan, family: Family) -> None:
    """A full bag that waits to be taken out."""
    stand(plan, "GarbageBag", 0.3)


@group("laundry hamper")
def laundry_hamper(plan: RoomPlan, family: Family) -> None:
    """A hamper for clothes."""
    stand(plan, "LaundryHamper", 0.6, back=0.06)


@group("arm chair")
def arm_chair(plan: RoomPlan, family: Family) -> None:
    """An armchair against a wall."""
    stand(plan, "ArmChair", 0.6)


@group("ottoman")
def ottoman(plan: RoomPlan, family: Family) -> None:
    """An ottoman against a wall."""
    stand(plan, "Ottoman", 0.5)


@group("dog bed")
def dog_bed(plan: RoomPlan, family: Family) -> None:
    """A bed for a dog."""
    stand(plan, "DogBed", 0.4)


@group("safe")
def safe(plan: RoomPlan, family: Family) -> None:
    """A safe on the floor."""
    stand(plan, "Safe", 0.9)


@group("vacuum cleaner")
def vacuum_cleaner(plan: RoomPlan, family: Family) -> None:
    """A vacuum cleaner that was left out."""
    stand(plan, "VacuumCleaner", 0.3)


def stand(plan: RoomPlan, kind: str, front: float, back: float = 0.02) -> Spot:
    """Stand one thing against a wall."""
    width, height, depth = plan.size(kind)
    spot = plan.settle(width + 0.04, depth + back, front, height)
    plan.put(kind, plan.walls[spot.wall], spot.u, back)
    return spot
