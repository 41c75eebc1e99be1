"""What is in and on the walls: the door, windows, switches, pictures, mirrors, curtains, shelves."""

from __future__ import annotations

from housemates.home.scenes.groups import group
from housemates.home.scenes.plan import WALL_HEIGHT_M, WALL_THICKNESS_M, Area, NoRoom, RoomPlan
from housemates.home.scenes.tables import Family
from housemates.home.things import Thing

DOOR_M = (0.9, 2.05)
"""Width and height of a door."""


@group("door")
def door(plan: RoomPlan, family: Family) -> None:
    """A door with room to come in; the agent starts before it."""
    spot = plan.settle(DOOR_M[0] + 0.1, 0.05, 0.8, DOOR_M[1] + 0.1)
    wall, half = plan.walls[spot.wall], DOOR_M[0] / 2
    leaf, frame = plan.choice([("door", "light wood"), ("white paint", "skirting"), ("oak", "oak")])
    plan.build(leaf, wall, spot.u - half, 0.0, 0.0, spot.u + half, 0.02, DOOR_M[1])
    for side in (-half - 0.05, half):
        plan.build(frame, wall, spot.u + side, 0.0, 0.0, spot.u + side + 0.05, 0.035, DOOR_M[1] + 0.05)
    plan.build(frame, wall, spot.u - half, 0.0, DOOR_M[1], spot.u + half, 0.035, DOOR_M[1] + 0.05)
    plan.build("steel", wall, spot.u + half - 0.12, 0.02, 1.0, spot.u + half - 0.04, 0.05, 1.03)
    plan.entrance = wall.at(spot.u, 0.5)
    plan.door = spot


def window(plan: RoomPlan, index: int, u: float, width: float, height: float, y: float) -> Thing | None:
    """A window in a hole of the wall, if the wall is free there."""
    if not plan.hang(index, u, y, width, height):
        return None
    plan.holes.append(Area(index, u - width / 2, y, u + width / 2, y + height))
    size = (width, height, WALL_THICKNESS_M)
    return plan.put("Window", plan.walls[index], u, -WALL_THICKNESS_M + 0.015, y, size)


def on_wall(
    plan: RoomPlan, kind: str, size: tuple[float, float, float], low: float, high: float
) -> Thing | None:
    """Hang a thing anywhere on the walls, its lower edge between two heights."""
    for _ in range(40):
        index = int(plan.rng.integers(4))
        wall = plan.walls[index]
        if wall.length < size[0] + 0.2:
            continue
        u = plan.between(size[0] / 2 + 0.1, wall.length - size[0] / 2 - 0.1)
        y = plan.between(low, high)
        if plan.hang(index, u, y, size[0] + 0.1, size[1]):
            return plan.put(kind, wall, u, 0.0, y, size)
    return None


@group("windows")
def windows(plan: RoomPlan, family: Family) -> None:
    """One or two windows; a kitchen has one over its sink already."""
    there = sum(thing.type == "Window" for thing in plan.things)
    wanted = plan.choice([0, 1]) if there or plan.room == "bathroom" else plan.choice([1, 2, 2])
    for _ in range(30):
        if wanted <= 0:
            return
        index = int(plan.rng.integers(4))
        width, height, y = plan.choice([(1.2, 1.2, 0.9), (1.0, 1.0, 1.1), (0.8, 1.2, 0.95)])
        if plan.room == "bathroom":
            width, height, y = 0.6, 0.6, 1.5
        u = plan.between(width / 2 + 0.2, plan.walls[index].length - width / 2 - 0.2)
        wanted -= window(plan, index, u, width, height, y) is not None
    if not any(thing.type == "Window" for thing in plan.things) and plan.room != "bathroom":
        raise NoRoom("no wall is free for a window")


@group("light switch")
def light_switch(plan: RoomPlan, family: Family) -> None:
    """A switch beside the door."""
    wall = plan.walls[plan.door.wall]
    for away in (0.15, 0.25, 0.35, 0.5):
        for side in (-1, 1):
            u = plan.door.u + side * (DOOR_M[0] / 2 + 0.05 + away)
            if plan.hang(plan.door.wall, u, 1.15, 0.12, 0.16):
                plan.put("LightSwitch", wall, u, 0.0, 1.15)
                return
    if on_wall(plan, "LightSwitch", plan.size("LightSwitch"), 1.15, 1.2) is None:
        raise NoRoom("no wall is free for a light switch")


@group("painting", "second painting")
def painting(plan: RoomPlan, family: Family) -> None:
    """A picture on the wall."""
    on_wall(plan, "Painting", plan.size("Painting"), 1.35, 1.5)


@group("poster")
def poster(plan: RoomPlan, family: Family) -> None:
    """A poster on the wall."""
    on_wall(plan, "Poster", (0.5, 0.7, 0.012), 1.3, 1.5)


@group("mirror")
def mirror(plan: RoomPlan, family: Family) -> None:
    """A mirror on the wall."""
    if on_wall(plan, "Mirror", plan.size("Mirror"), 1.0, 1.1) is None:
        raise NoRoom("no wall is free for a mirror")


@group("curtains")
def curtains(plan: RoomPlan, family: Family) -> None:
    """Curtains around every window, from a rod down to below its sill."""
    for area in list(plan.holes):
        width, low = area.u1 - area.u0 + 0.4, area.y0 - 0.25
        u, height = (area.u0 + area.u1) / 2, area.y1 + 0.1 - low
        side = Area(area.wall, u - width / 2, low, u + width / 2, low + height)
        others = [other for other in plan.hung if other != area]
        if (
            not any(side.overlaps(other) for other in others)
            and side.u0 > 0
            and side.u1 < plan.walls[area.wall].length
        ):
            plan.hung.append(side)
            plan.put("Curtains", plan.walls[area.wall], u, 0.0, low, (width, height, 0.1))


@group("blinds")
def blinds(plan: RoomPlan, family: Family) -> None:
    """Blinds before every window."""
    for area in plan.holes:
        size = (area.u1 - area.u0, area.y1 - area.y0, 0.03)
        plan.put("Blinds", plan.walls[area.wall], (area.u0 + area.u1) / 2, 0.018, area.y0, size)


@group("wall shelves")
def wall_shelves(plan: RoomPlan, family: Family) -> None:
    """Two boards on the wall, one above the other."""
    width = plan.choice([0.6, 0.8, 1.0])
    for spot in plan.spots(width, 0.24, 0.5, 1.8):
        plan.settle_at(spot, width, 0.24, 0.5, 1.8)
        for y in (1.1, 1.45):
            plan.put("Shelf", plan.walls[spot.wall], spot.u, 0.0, y, (width, 0.3, 0.24))
        return


def build_walls(plan: RoomPlan, material: str) -> None:
    """The four walls with their holes, and a skirting board."""
    for index, wall in enumerate(plan.walls):
        holes = sorted(area for area in plan.holes if area.wall == index)
        u = -WALL_THICKNESS_M
        for hole in holes:
            plan.build(material, wall, u, -WALL_THICKNESS_M, 0.0, hole.u0, 0.0, WALL_HEIGHT_M)
            plan.build(material, wall, hole.u0, -WALL_THICKNESS_M, 0.0, hole.u1, 0.0, hole.y0)
            plan.build(material, wall, hole.u0, -WALL_THICKNESS_M, hole.y1, hole.u1, 0.0, WALL_HEIGHT_M)
            u = hole.u1
        plan.build(material, wall, u, -WALL_THICKNESS_M, 0.0, wall.length, 0.0, WALL_HEIGHT_M)
