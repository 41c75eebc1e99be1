"""Bathrooms: vanities, tubs, showers, toilets and what hangs beside them."""

from __future__ import annotations

from housemates.home.scenes import cabinetry
from housemates.home.scenes.cabinetry import COUNTER_DEPTH_M, SINK_UNIT_M, Unit
from housemates.home.scenes.groups import group
from housemates.home.scenes.plan import Area, NoRoom, RoomPlan, Spot
from housemates.home.scenes.tables import Family

TUB_M = (0.75, 0.55)
"""Depth and height of a bathtub."""
SHOWER_M = 0.95
TRAY_M = 0.12
HAND_RACK = (0.2, 0.46, 0.09)
RACK = (0.56, 0.66, 0.1)


@group("vanity")
def vanity(plan: RoomPlan, family: Family) -> None:
    """A basin in a counter with a cabinet and drawers, a mirror over it."""
    _vanity(plan, ("sink", "drawers"))


@group("double vanity")
def double_vanity(plan: RoomPlan, family: Family) -> None:
    """Two basins with drawers between them."""
    _vanity(plan, ("sink", "drawers", "sink"))


def _vanity(plan: RoomPlan, kinds: tuple[str, ...]) -> None:
    widths = {"sink": SINK_UNIT_M, "drawers": 0.45}
    total = sum(widths[kind] for kind in kinds)
    spot = plan.settle(total + 0.08, COUNTER_DEPTH_M + 0.02, 0.8, 2.1)
    wall = plan.walls[spot.wall]
    order = kinds if plan.chance(0.5) else tuple(reversed(kinds))
    u, units = spot.u - total / 2, []
    for kind in order:
        units.append(Unit(kind, u, u + widths[kind]))
        u += widths[kind]
    for unit in units:
        cabinetry.BUILDERS[unit.kind](plan, wall, unit)
        if unit.kind == "sink":
            plan.put("Mirror", wall, unit.middle, 0.0, 1.2, (0.7, 0.8, 0.03))
    cabinetry.counters(plan, wall, units)
    drawer = next(unit for unit in units if unit.kind == "drawers")
    plan.put("HandTowelHolder", wall, drawer.middle, 0.0, 1.3, HAND_RACK, shape="towel_rack")


@group("bathtub")
def bathtub(plan: RoomPlan, family: Family) -> None:
    """A tub in a corner along a wall, with a faucet, and a shower and a curtain over it."""
    index = plan.first
    wall, (depth, height) = plan.walls[index], TUB_M
    length = min(1.7, wall.length - 0.9) if wall.length > 2.8 else 1.5
    left = plan.chance(0.5)
    u = length / 2 if left else wall.length - length / 2
    u0, u1 = u - length / 2, u + length / 2
    tub = plan.put("Bathtub", wall, u, 0.0, 0.0, (length, height, depth))
    plan.build("white enamel", wall, u0 + 0.08, 0.08, 0.0, u1 - 0.08, depth - 0.08, 0.068)
    inner = (length - 0.164, height - 0.08, depth - 0.164)
    basin = plan.put("BathtubBasin", wall, u, 0.082, 0.07, inner)
    spout, water = u + (-0.4 if left else 0.4), (basin.id, tub.id)
    plan.put("Faucet", wall, spout, 0.0, height + 0.1, (0.2, 0.2, 0.22), controls=water)
    plan.take(wall.rect(u0, 0.0, u1, depth), wall.rect(u0, depth, u1, depth + 0.6))
    plan.hung.append(Area(index, u0, 0.0, u1, 1.2))
    plan.put("ShowerCurtain", wall, u, depth + 0.01, 0.25, (length - 0.02, 1.75, 0.08), mirrored=not left)
    _shower_over_tub(plan, (index - 1) % 4 if left else (index + 1) % 4, left)


def _shower_over_tub(plan: RoomPlan, index: int, at_end: bool) -> None:
    """A shower head on the wall at the foot of a tub, which is where that wall ends or begins."""
    wall, depth = plan.walls[index], TUB_M[0]
    start = wall.length - depth if at_end else 0.0
    plan.hung.append(Area(index, start, 0.0, start + depth, 2.3))
    plan.put("ShowerHead", wall, start + depth / 2, 0.0, 1.2, (0.12, 0.9, 0.28))


@group("shower")
def shower(plan: RoomPlan, family: Family) -> None:
    """A cabin in a corner: a tray, a pane, a door and a head."""
    for index in plan.rng.permutation(4).tolist():
        wall = plan.walls[index]
        body = wall.rect(0.0, 0.0, SHOWER_M, SHOWER_M)
        front = wall.rect(0.0, SHOWER_M, SHOWER_M, 2 * SHOWER_M)
        if plan.is_free(body, front):
            break
    else:
        raise NoRoom("no corner is free for a shower")
    plan.take(body, front)
    before = (index - 1) % 4
    plan.hung.append(Area(index, 0.0, 0.0, SHOWER_M, 2.3))
    length = plan.walls[before].length
    plan.hung.append(Area(before, length - SHOWER_M, 0.0, length, 2.3))
    plan.build("white enamel", wall, 0.0, 0.0, 0.0, SHOWER_M, SHOWER_M, TRAY_M)
    plan.put("ShowerHead", wall, SHOWER_M / 2, 0.0, 1.15, (0.12, 0.95, 0.28))
    pane = (SHOWER_M - 0.05, 1.8, 0.04)
    plan.put("ShowerGlass", wall, SHOWER_M - 0.025, 0.01, TRAY_M, pane, turn=90.0)
    plan.put("ShowerDoor", wall, SHOWER_M / 2 - 0.02, SHOWER_M - 0.05, TRAY_M, (SHOWER_M - 0.06, 1.8, 0.04))


@group("toilet")
def toilet(plan: RoomPlan, family: Family) -> None:
    """A toilet with a ledge for paper beside it."""
    width, height, depth = plan.size("Toilet")
    spot = plan.settle(width + 0.5, depth, 0.5, height)
    wall = plan.walls[spot.wall]
    side = plan.choice([-1, 1])
    plan.put("Toilet", wall, spot.u - side * 0.2)
    size = (0.15, 0.14, 0.14)
    u = spot.u + side * 0.22
    plan.put("ToiletPaperHanger", wall, u, 0.0, 0.65, size, shape="paper_ledge")


@group("towels")
def towels(plan: RoomPlan, family: Family) -> None:
    """A rack with a towel on the wall."""
    for spot in plan.spots(RACK[0] + 0.06, 0.12, 0.5, 1.75):
        _rack(plan, spot)
        return
    raise NoRoom("no wall is free for a towel rack")


def _rack(plan: RoomPlan, spot: Spot) -> None:
    plan.settle_at(spot, RACK[0] + 0.06, 0.12, 0.5, 1.75)
    plan.put("TowelHolder", plan.walls[spot.wall], spot.u, 0.0, 1.0, RACK, shape="towel_rack")
