"""Kitchens: runs of counters along the walls, and islands."""

from __future__ import annotations

from housemates.home.scenes import cabinetry
from housemates.home.scenes.cabinetry import COUNTER_DEPTH_M, COUNTER_M, SLAB_M, Unit
from housemates.home.scenes.groups import group
from housemates.home.scenes.plan import Area, NoRoom, RoomPlan, Wall
from housemates.home.scenes.tables import Family
from housemates.home.scenes.walls import window

AISLE_M = 1.25
ISLAND_OVERHANG_M = 0.3


@group("counters")
def runs_of_counters(plan: RoomPlan, family: Family) -> None:
    """The family's runs along its walls, or their mirror image."""
    mirrored = plan.chance(0.5)
    for number, row in enumerate(family.runs):
        if row:
            index = (plan.first - number if mirrored else plan.first + number) % 4
            _run(plan, index, tuple(reversed(row)) if mirrored else row)


def _run(plan: RoomPlan, index: int, row: tuple[str | float, ...]) -> None:
    wall = plan.walls[index]
    units = cabinetry.divide(plan, row, wall.length)
    if any(unit.width < 0.3 for unit in units if unit.kind in ("cabinet", "drawers")):
        raise NoRoom("the run is too long for its wall")
    for unit in units:
        cabinetry.BUILDERS[unit.kind](plan, wall, unit)
        deep = 0.76 if unit.kind == "fridge" else COUNTER_DEPTH_M + 0.02
        plan.take(
            wall.rect(unit.u0, 0.0, unit.u1, deep), wall.rect(unit.u0, deep, unit.u1, COUNTER_DEPTH_M + 0.9)
        )
        if unit.kind != "fridge":
            plan.build("backsplash", wall, unit.u0, 0.0, COUNTER_M + 0.003, unit.u1, 0.008, 1.12)
        plan.hung.append(Area(index, unit.u0, 0.0, unit.u1, 1.9 if unit.kind == "fridge" else 1.1))
    cabinetry.counters(plan, wall, units)
    for unit in units:
        if unit.kind == "sink":
            window(plan, index, unit.middle, plan.between(0.9, 1.2), plan.between(0.8, 0.95), 1.15)
        elif unit.kind == "stove":
            _hood(plan, index, unit)
    for start, end in _stretches(units):
        cabinetry.upper_cabinets(plan, index, start, end)


def _stretches(units: list[Unit]) -> list[tuple[float, float]]:
    """From where to where cabinets and drawers follow one another."""
    found: list[tuple[float, float]] = []
    for unit in units:
        if unit.kind not in ("cabinet", "drawers"):
            continue
        if found and abs(found[-1][1] - unit.u0) < 1e-6:
            found[-1] = (found[-1][0], unit.u1)
        else:
            found.append((unit.u0, unit.u1))
    return found


def _hood(plan: RoomPlan, index: int, unit: Unit) -> None:
    """A hood over the stove."""
    plan.hang(index, unit.middle, 1.1, unit.width, 1.4)
    wall = plan.walls[index]
    plan.build("steel", wall, unit.u0 + 0.02, 0.0, 1.62, unit.u1 - 0.02, 0.45, 1.72)
    plan.build("steel", wall, unit.middle - 0.14, 0.0, 1.72, unit.middle + 0.14, 0.28, 2.4)


@group("island")
def island(plan: RoomPlan, family: Family) -> None:
    """Cabinets in the middle of the room under a counter that stools are drawn up to."""
    first = plan.walls[plan.first]
    length = plan.between(1.4, 1.8)
    near = COUNTER_DEPTH_M + AISLE_M
    far = near + COUNTER_DEPTH_M + ISLAND_OVERHANG_M
    places = [
        u for u in (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)
        if _room_for_island(plan, first, u * first.length, length, near, far)
    ]  # fmt: skip
    if not places:
        raise NoRoom("no room for an island")
    u = plan.choice(places) * first.length
    x, z = first.at(u + length / 2, near + COUNTER_DEPTH_M)
    side = Wall(x, z, (first.yaw + 180) % 360, length)
    units = cabinetry.divide(plan, ("*",), length)
    for unit in units:
        cabinetry.BUILDERS[unit.kind](plan, side, unit)
    cabinetry.counters(plan, side, units, ISLAND_OVERHANG_M)
    plan.build(
        cabinetry.front_material(plan), side, units[0].u0, -0.02, 0.0, units[-1].u1, 0.0, COUNTER_M - SLAB_M
    )
    plan.take(first.rect(u - length / 2, near, u + length / 2, far + 0.2))
    plan.clear.append(first.rect(u - length / 2 - 0.6, near - 0.6, u + length / 2 + 0.6, far + 0.75))
    seats = 2 if length < 1.6 else 3
    for seat in range(seats):
        plan.put("Stool", side, (seat + 0.5) * length / seats, -ISLAND_OVERHANG_M - 0.2, 0.0)


def _room_for_island(plan: RoomPlan, wall: Wall, u: float, length: float, near: float, far: float) -> bool:
    body = wall.rect(u - length / 2 - 0.65, near, u + length / 2 + 0.65, far + 0.8)
    return body.within(plan.floor) and not any(body.overlaps(other) for other in plan.solid)
