"""Built-in furniture along a wall: cabinets, drawers, stove, sink and fridge under one counter."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from housemates.home.scenes.plan import RoomPlan, Wall
from housemates.home.shapes import Part, Support
from housemates.home.things import Thing
from housemates.home.types import object_type

COUNTER_M = 0.9
"""Height of the counter."""
COUNTER_DEPTH_M = 0.62
SLAB_M = 0.04
TOE_M = 0.1
BODY_DEPTH_M = 0.56
PANEL_M = 0.018
UPPER_M = (1.45, 2.1)
"""From where to where the upper cabinets reach."""
UPPER_DEPTH_M = 0.34
CORNER_M = 0.08
"""Blind strip beside a corner, so that doors and drawers clear the other run."""
END_M = 0.04
STOVE_M = 0.76
UNDER_SINK_M = 0.7
"""Height of the cabinet under a sink."""
SINK_SIZE = (0.64, 0.2, 0.44)
SINK_V = 0.125
"""Where the back edge of a sink is."""
SINK_UNIT_M = 0.9
FRIDGE_GAP_M = 0.13
"""Room beside a fridge for its door."""


class Unit(NamedTuple):
    """One element of a run, from `u0` to `u1` along its wall."""

    kind: str
    u0: float
    u1: float

    @property
    def middle(self) -> float:
        """Where its middle is."""
        return (self.u0 + self.u1) / 2

    @property
    def width(self) -> float:
        """How wide it is."""
        return self.u1 - self.u0


def divide(plan: RoomPlan, row: tuple[str | float, ...], length: float) -> list[Unit]:
    """Give every element of a row its place; what is left over goes to the `*`.

    A corner belongs to the wall that ends in it; the next wall's run begins where its counter ends.
    """
    fixed = {
        "fridge": plan.size("Fridge")[0] + FRIDGE_GAP_M,
        "stove": STOVE_M,
        "sink": SINK_UNIT_M,
        "corner": COUNTER_DEPTH_M + CORNER_M,
        "*": 0.0,
    }
    widths = [fixed[token] if isinstance(token, str) else token for token in row]
    margins = [END_M if end in ("*", "sink", "stove") else 0.0 for end in (row[0], row[-1])]
    spare = (length - sum(widths) - sum(margins)) / row.count("*")
    u = margins[0]
    units = []
    for index, (token, width) in enumerate(zip(row, widths, strict=True)):
        end = u + (spare if token == "*" else width)
        if token == "*":
            units += _fill(plan, u, end)
        elif isinstance(token, str):
            units.append(Unit(token, u + COUNTER_DEPTH_M if token == "corner" and index == 0 else u, end))
        u = end
    return units


def _fill(plan: RoomPlan, u0: float, u1: float) -> list[Unit]:
    count = max(1, round((u1 - u0) / 0.5))
    width = (u1 - u0) / count
    kinds = ["drawers" if plan.chance(0.3) else "cabinet" for _ in range(count)]
    return [Unit(kind, u0 + i * width, u0 + (i + 1) * width) for i, kind in enumerate(kinds)]


def base_cabinet(plan: RoomPlan, wall: Wall, unit: Unit, top: float = COUNTER_M - SLAB_M) -> None:
    """A cabinet under the counter, its hinge on either side."""
    size = (unit.width, top - TOE_M, BODY_DEPTH_M)
    plan.put("Cabinet", wall, unit.middle, 0.0, TOE_M, size, mirrored=plan.chance(0.5))


def drawers(plan: RoomPlan, wall: Wall, unit: Unit) -> None:
    """A stack of three drawers, or two and a deep one, between two panels."""
    heights = plan.choice([(0.3, 0.26, 0.2), (0.42, 0.17, 0.17)])
    y = TOE_M
    for height in heights:
        size = (unit.width - 2 * PANEL_M, height - 0.004, 0.5)
        plan.put("Drawer", wall, unit.middle, BODY_DEPTH_M - 0.5, y, size)
        y += height
    for u in (unit.u0, unit.u1 - PANEL_M):
        plan.build(front_material(plan), wall, u, 0.0, TOE_M, u + PANEL_M, 0.54, COUNTER_M - SLAB_M)


def front_material(plan: RoomPlan) -> str:
    """The material of this room's cabinets."""
    return object_type("Cabinet").looks[plan.look("Cabinet")]


def stove(plan: RoomPlan, wall: Wall, unit: Unit) -> None:
    """A stove with four burners: the outer knobs drive the front ones, the inner knobs those behind."""
    u0, middle = unit.u0, unit.middle
    body = plan.choice(["steel", "white enamel", "black enamel"])
    plan.build(body, wall, u0 + 0.004, 0.0, 0.05, unit.u1 - 0.004, 0.6, COUNTER_M)
    plan.build("black iron", wall, u0 + 0.02, 0.03, COUNTER_M, unit.u1 - 0.02, 0.58, COUNTER_M + 0.008)
    plan.build("oven door", wall, u0 + 0.1, 0.6, 0.25, unit.u1 - 0.1, 0.61, 0.62)
    plan.build("steel", wall, u0 + 0.08, 0.61, 0.68, unit.u1 - 0.08, 0.635, 0.7)
    size = (0.22, 0.074, 0.22)
    burners = {
        (side, row): plan.put("StoveBurner", wall, middle + side * 0.18, v, COUNTER_M + 0.008, size)
        for side in (-1, 1)
        for row, v in (("back", 0.08), ("front", 0.34))
    }
    for side, row, u in ((-1, "front", -0.3), (-1, "back", -0.15), (1, "back", 0.15), (1, "front", 0.3)):
        knob = (0.06, 0.06, 0.03)
        plan.put("StoveKnob", wall, middle + u, 0.6, 0.78, knob, controls=(burners[side, row].id,))


def sink(plan: RoomPlan, wall: Wall, unit: Unit) -> None:
    """A sink let into the counter, its faucet behind it and a low cabinet below."""
    basin_in_counter(plan, wall, unit.middle)
    base_cabinet(plan, wall, unit, UNDER_SINK_M)
    left, right, high = unit.u0 + 0.004, unit.u1 - 0.004, COUNTER_M - SLAB_M
    plan.build(front_material(plan), wall, left, 0.54, UNDER_SINK_M, right, BODY_DEPTH_M, high)


def basin_in_counter(plan: RoomPlan, wall: Wall, u: float) -> None:
    """A sink's rim, its basin and its faucet."""
    width, height, depth = SINK_SIZE
    rim = plan.put("Sink", wall, u, SINK_V, COUNTER_M + 0.012 - height, SINK_SIZE)
    inner = (0.88 * width - 0.004, 0.16, 0.88 * depth - 0.004)
    basin = plan.put(
        "SinkBasin", wall, u, SINK_V + 0.06 * depth + 0.002, COUNTER_M - 0.16, inner, look=rim.look
    )
    plan.put("Faucet", wall, u, 0.0, COUNTER_M + 0.002, controls=(basin.id, rim.id))


def fridge(plan: RoomPlan, wall: Wall, unit: Unit) -> None:
    """A fridge that opens towards the nearer end of the wall."""
    size = plan.size("Fridge")
    left = unit.u0 < wall.length - unit.u1
    u = unit.u1 - 0.01 - size[0] / 2 if left else unit.u0 + 0.01 + size[0] / 2
    plan.put("Fridge", wall, u, 0.02, 0.0, size, mirrored=not left)


def corner(plan: RoomPlan, wall: Wall, unit: Unit) -> None:
    """The blind body under the counter of a corner."""
    plan.build(
        front_material(plan), wall, unit.u0, 0.0, TOE_M, unit.u1, BODY_DEPTH_M - 0.02, COUNTER_M - SLAB_M
    )


BUILDERS: dict[str, Callable[[RoomPlan, Wall, Unit], None]] = {
    "cabinet": base_cabinet,
    "drawers": drawers,
    "stove": stove,
    "sink": sink,
    "fridge": fridge,
    "corner": corner,
}


def counters(plan: RoomPlan, wall: Wall, units: list[Unit], overhang: float = 0.0) -> list[Thing]:
    """The counter tops over a run, one for each stretch that no stove or fridge interrupts.

    `overhang` is how far they reach out behind the cabinets.
    """
    tops = []
    stretch: list[Unit] = []
    for unit in [*units, Unit("end", 0.0, 0.0)]:
        joined = unit.kind not in ("stove", "fridge", "end")
        if joined and (not stretch or abs(stretch[-1].u1 - unit.u0) < 1e-6):
            stretch.append(unit)
            continue
        if stretch:
            tops.append(_counter(plan, wall, stretch, overhang))
        stretch = [unit] if joined else []
    return tops


def _counter(plan: RoomPlan, wall: Wall, stretch: list[Unit], overhang: float) -> Thing:
    u0, u1 = stretch[0].u0, stretch[-1].u1
    depth = COUNTER_DEPTH_M + overhang
    top = plan.put("CounterTop", wall, (u0 + u1) / 2, -overhang, COUNTER_M, (u1 - u0, 0.1, depth))
    holes = [unit.middle for unit in stretch if unit.kind == "sink"]
    if holes:
        top = msgspec.structs.replace(top, parts=slab_around(u0, u1, depth, holes))
        plan.things[-1] = top
    plan.build("plinth", wall, u0, 0.0, 0.0, u1, BODY_DEPTH_M - 0.06, TOE_M)
    return top


def slab_around(u0: float, u1: float, depth: float, holes: list[float]) -> tuple[Part, ...]:
    """A counter's slab with holes for sinks, in its own frame."""
    middle, half = (u0 + u1) / 2, SINK_SIZE[0] / 2
    front = SINK_V + SINK_SIZE[2]
    edges = [u0]
    parts = []
    for hole in holes:
        edges += [hole - half, hole + half]
        parts.append(_slab(hole - half, 0.0, hole + half, SINK_V, middle, depth))
        parts.append(_slab(hole - half, front, hole + half, depth, middle, depth))
    edges.append(u1)
    sides = [_slab(a, 0.0, b, depth, middle, depth) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return (*sides, *parts)


def _slab(u0: float, v0: float, u1: float, v1: float, middle: float, depth: float) -> Part:
    lo = (round(u0 - middle, 4), -SLAB_M, round(v0 - depth / 2, 4))
    hi = (round(u1 - middle, 4), 0.002, round(v1 - depth / 2, 4))
    return Part("box", lo, hi, support=Support(0.01, False, 4.0))


def upper_cabinets(plan: RoomPlan, wall_index: int, u0: float, u1: float) -> None:
    """Cabinets on the wall over a stretch of counter, four in five places taken."""
    u0, u1 = u0 + END_M, u1 - END_M
    count = max(1, round((u1 - u0) / 0.45))
    width = (u1 - u0) / count
    if width < 0.3:
        return
    low, high = UPPER_M
    for i in range(count):
        u = u0 + (i + 0.5) * width
        if plan.chance(0.8) and plan.hang(wall_index, u, low, width - 0.002, high - low):
            size = (width, high - low, UPPER_DEPTH_M)
            plan.put("Cabinet", plan.walls[wall_index], u, 0.0, low, size, mirrored=plan.chance(0.5))
