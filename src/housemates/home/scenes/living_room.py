"""Living rooms: sofas, a television on its stand, a coffee table between them."""

from __future__ import annotations

from housemates.home.scenes.furniture import dining_table
from housemates.home.scenes.groups import group
from housemates.home.scenes.plan import Area, NoRoom, RoomPlan, Wall
from housemates.home.scenes.tables import Family
from housemates.home.things import Thing

WAY_M = 0.5
RUG_M = 0.004
"""Thickness of a rug, too thin to be in the way of what is put on the floor."""


def television(plan: RoomPlan, index: int, u: float) -> None:
    """A television on a stand with a board below."""
    wall = plan.walls[index]
    width, height, depth = plan.size("TVStand")
    stand = television_stand(plan, wall, u)
    screen = plan.size("Television")
    plan.put("Television", wall, u, 0.06, 0.86 * height + 0.001, screen, parents=(stand.id,))
    plan.take(wall.rect(u - width / 2, 0.0, u + width / 2, depth))
    plan.clear.append(wall.rect(u - width / 2, depth, u + width / 2, depth + 0.6))
    plan.hung.append(Area(index, u - width / 2, 0.0, u + width / 2, 0.86 * height + screen[1] + 0.1))


def television_stand(plan: RoomPlan, wall: Wall, u: float) -> Thing:
    """A stand with a board below its top."""
    width, height, depth = plan.size("TVStand")
    stand = plan.put("TVStand", wall, u)
    plan.put("Shelf", wall, u, 0.05, 0.05 * height + 0.046, (width - 0.08, 0.6 * height, 0.8 * depth))
    return stand


def seat(plan: RoomPlan, kind: str, wall: Wall, u: float, v: float, turn: float) -> None:
    """A sofa or armchair with its middle at (u, v), turned against the wall's own direction."""
    width, _, depth = plan.size(kind)
    wide, deep = (depth, width) if turn % 180 else (width, depth)
    body = wall.rect(u - wide / 2, v - deep / 2, u + wide / 2, v + deep / 2)
    if not plan.is_free(body):
        raise NoRoom(f"no room for a {kind}")
    plan.take(body)
    plan.put(kind, wall, u, v - deep / 2, turn=turn)


def low_table(plan: RoomPlan, wall: Wall, u: float, v: float, turn: float) -> None:
    """A coffee table with its middle at (u, v)."""
    width, _, depth = plan.size("CoffeeTable")
    wide, deep = (depth, width) if turn % 180 else (width, depth)
    plan.take(
        wall.rect(u - wide / 2, v - deep / 2, u + wide / 2, v + deep / 2),
        wall.rect(u - wide / 2 - WAY_M, v - deep / 2 - WAY_M, u + wide / 2 + WAY_M, v + deep / 2 + WAY_M),
    )
    plan.put("CoffeeTable", wall, u, v - deep / 2, turn=turn)
    if plan.chance(0.7):
        rug = plan.choice(["red fabric", "blue fabric", "cream fabric", "grey fabric"])
        plan.build(
            rug,
            wall,
            u - wide / 2 - 0.4,
            v - deep / 2 - 0.4,
            0.0,
            u + wide / 2 + 0.4,
            v + deep / 2 + 0.4,
            RUG_M,
        )


@group("sofa facing television")
def facing(plan: RoomPlan, family: Family) -> None:
    """The sofa stands against the wall opposite the television, armchairs beside the table."""
    wall = plan.walls[plan.first]
    across = plan.walls[(plan.first + 1) % 4].length
    u = wall.length / 2 + plan.between(-0.3, 0.3)
    television(plan, plan.first, u)
    depth, table = plan.size("Sofa")[2], plan.size("CoffeeTable")
    v = across - depth / 2 - 0.05
    seat(plan, "Sofa", wall, u, v, 180.0)
    _hide_wall(plan, (plan.first + 2) % 4, wall.length - u, plan.size("Sofa"))
    middle = v - depth / 2 - 0.5 - table[2] / 2
    _arm_chairs(plan, wall, u, middle, plan.choice([0, 1, 2]))
    low_table(plan, wall, u, middle, 0.0)
    plan.keep_ways()


def _arm_chairs(plan: RoomPlan, wall: Wall, u: float, v: float, count: int) -> None:
    away = plan.size("CoffeeTable")[0] / 2 + 0.5 + plan.size("ArmChair")[2] / 2
    for side in plan.rng.permutation([-1, 1]).tolist()[:count]:
        seat(plan, "ArmChair", wall, u + side * away, v, 270.0 if side > 0 else 90.0)


def _hide_wall(plan: RoomPlan, index: int, u: float, size: tuple[float, float, float]) -> None:
    plan.hung.append(Area(index, u - size[0] / 2, 0.0, u + size[0] / 2, size[1]))


@group("sofas in a corner")
def corner(plan: RoomPlan, family: Family) -> None:
    """One sofa faces the television, a second seat stands at a right angle to it."""
    wall = plan.walls[plan.first]
    u = wall.length / 2 + plan.between(-0.2, 0.2)
    television(plan, plan.first, u)
    sofa, table = plan.size("Sofa"), plan.size("CoffeeTable")
    middle = plan.size("TVStand")[2] + 1.2 + table[2] / 2
    behind = middle + table[2] / 2 + 0.45 + sofa[2] / 2
    seat(plan, "Sofa", wall, u, behind, 180.0)
    side = plan.choice([-1, 1])
    away = table[0] / 2 + 0.5 + sofa[2] / 2
    kind, ahead = plan.choice([("Sofa", 0.25), ("ArmChair", 0.0)])
    seat(plan, kind, wall, u + side * away, middle - ahead, 270.0 if side > 0 else 90.0)
    low_table(plan, wall, u, middle, 0.0)
    plan.keep_ways()


@group("sofa before the dining table")
def before_dining(plan: RoomPlan, family: Family) -> None:
    """The sofa stands free in the room with its back to the dining table."""
    wall = plan.walls[plan.first]
    u = wall.length / 2 + plan.between(-0.2, 0.2)
    television(plan, plan.first, u)
    sofa, table = plan.size("Sofa"), plan.size("CoffeeTable")
    middle = plan.size("TVStand")[2] + 1.0 + table[2] / 2
    seat(plan, "Sofa", wall, u, middle + table[2] / 2 + 0.45 + sofa[2] / 2, 180.0)
    _arm_chairs(plan, wall, u, middle, plan.choice([0, 1]))
    low_table(plan, wall, u, middle, 0.0)
    plan.keep_ways()
    dining_table(plan, family)


@group("sofas opposite")
def opposite(plan: RoomPlan, family: Family) -> None:
    """Two sofas face each other across the table, the television at its end."""
    wall = plan.walls[plan.first]
    u = wall.length / 2
    television(plan, plan.first, u)
    sofa, table = plan.size("Sofa"), plan.size("CoffeeTable")
    v = plan.size("TVStand")[2] + 0.9 + sofa[0] / 2
    away = table[2] / 2 + 0.45 + sofa[2] / 2
    for side in (-1, 1):
        seat(plan, "Sofa", wall, u + side * away, v, 270.0 if side > 0 else 90.0)
    low_table(plan, wall, u, v, 90.0)
    plan.keep_ways()
