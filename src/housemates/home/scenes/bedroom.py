"""Bedrooms: beds with their side tables."""

from __future__ import annotations

from housemates.home.scenes.furniture import chest
from housemates.home.scenes.groups import group
from housemates.home.scenes.plan import Area, NoRoom, RoomPlan, Wall
from housemates.home.scenes.tables import Family
from housemates.home.types import Vec

DOUBLE: tuple[Vec, ...] = ((1.5, 0.85, 2.05), (1.65, 0.85, 2.1))
SINGLE: tuple[Vec, ...] = ((0.95, 0.8, 2.0), (1.05, 0.8, 2.05))


def bed(plan: RoomPlan, index: int, u: float, size: Vec) -> None:
    """A bed with its head against a wall, and a way around its other sides."""
    wall = plan.walls[index]
    body = wall.rect(u - size[0] / 2, 0.0, u + size[0] / 2, size[2])
    if not plan.is_free(body):
        raise NoRoom("no room for a bed")
    plan.take(body, wall.rect(u - size[0] / 2, size[2], u + size[0] / 2, size[2] + 0.6))
    plan.hung.append(Area(index, u - size[0] / 2, 0.0, u + size[0] / 2, size[1] + 0.1))
    plan.put("Bed", wall, u, 0.0, 0.0, size)


def bedside(plan: RoomPlan, index: int, u: float) -> None:
    """A side table with two drawers, with room to open them."""
    wall = plan.walls[index]
    width, height, depth = plan.size("SideTable")
    body = wall.rect(u - width / 2, 0.0, u + width / 2, depth)
    before = wall.rect(u - width / 2, depth, u + width / 2, depth + 0.9)
    if not plan.is_free(body, before):
        raise NoRoom("no room for a side table")
    plan.take(body, before)
    plan.hung.append(Area(index, u - width / 2, 0.0, u + width / 2, height))
    chest(plan, "SideTable", wall, u, 1, 2)


@group("double bed")
def double_bed(plan: RoomPlan, family: Family) -> None:
    """A double bed between two side tables."""
    wall: Wall = plan.walls[plan.first]
    size = plan.choice(DOUBLE)
    away = size[0] / 2 + plan.size("SideTable")[0] / 2 + 0.04
    u = wall.length / 2 + plan.between(-0.2, 0.2)
    bed(plan, plan.first, u, size)
    for side in (-1, 1):
        bedside(plan, plan.first, u + side * away)
    plan.keep_ways()


@group("single bed")
def single_bed(plan: RoomPlan, family: Family) -> None:
    """A single bed along a wall, its head in the corner, with one side table."""
    wall = plan.walls[plan.first]
    size = plan.choice(SINGLE)
    left = plan.chance(0.5)
    u = size[0] / 2 + 0.01 if left else wall.length - size[0] / 2 - 0.01
    away = size[0] / 2 + plan.size("SideTable")[0] / 2 + 0.04
    bed(plan, plan.first, u, size)
    bedside(plan, plan.first, u + away if left else u - away)
    plan.keep_ways()
    beside = (plan.first - 1) % 4 if left else (plan.first + 1) % 4
    length = plan.walls[beside].length
    start = length - size[2] if left else 0.0
    plan.hung.append(Area(beside, start, 0.0, start + size[2], size[1]))


@group("twin beds")
def twin_beds(plan: RoomPlan, family: Family) -> None:
    """Two single beds with a side table between them."""
    wall = plan.walls[plan.first]
    size = plan.choice(SINGLE)
    u = wall.length / 2 + plan.between(-0.2, 0.2)
    away = plan.size("SideTable")[0] / 2 + 0.12 + size[0] / 2
    for side in (-1, 1):
        bed(plan, plan.first, u + side * away, size)
    bedside(plan, plan.first, u)
    plan.keep_ways()
