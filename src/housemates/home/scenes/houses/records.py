"""ProcTHOR's house format as records, of both published schemas; other fields are passed over."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import msgspec

from housemates.errors import HousematesError
from housemates.typed_json import convert

FAR_M = 100.0
"""How far from the origin a house can reach."""
MOST_DEG = 3600.0
MOST_ROOMS, MOST_THINGS = 64, 4000


class Point(msgspec.Struct, frozen=True):
    """A point, or angles in degrees; of a hole, x runs along its wall."""

    x: float
    y: float = 0.0
    z: float = 0.0


class Paint(msgspec.Struct, frozen=True):
    """A material by AI2-THOR's name."""

    name: str | None = None


class Room(msgspec.Struct, frozen=True, rename="camel"):
    """The floor of a room."""

    id: str
    floor_polygon: tuple[Point, ...]
    room_type: str = ""
    floor_material: Paint | str | None = None


class Wall(msgspec.Struct, frozen=True, rename="camel"):
    """One side of a wall: two points at its foot and two above them."""

    id: str
    polygon: tuple[Point, ...]
    room_id: str | None = None
    material: Paint | str | None = None
    empty: bool = False
    """Whether there is none: the rooms beside it are open to each other."""


class Box(msgspec.Struct, frozen=True):
    """Two opposite corners of a hole."""

    min: Point
    max: Point


class Hole(msgspec.Struct, frozen=True, rename="camel"):
    """A door or a window."""

    id: str
    wall0: str
    room0: str | None = None
    room1: str | None = None
    asset_id: str = ""
    hole_polygon: tuple[Point, ...] | None = None
    bounding_box: Box | None = None
    """What schema 0.0.1 has instead."""
    openness: float | None = None
    openable: bool | None = None

    @property
    def corners(self) -> tuple[Point, ...]:
        """Two opposite corners of the hole: along the wall from its first point, and up."""
        if self.hole_polygon:
            return self.hole_polygon
        return () if self.bounding_box is None else (self.bounding_box.min, self.bounding_box.max)


class Object(msgspec.Struct, frozen=True, rename="camel"):
    """Something in the house; its position is the middle of its box."""

    id: str
    position: Point
    asset_id: str = ""
    object_type: str | None = None
    rotation: Point | float | None = None
    children: tuple[Object, ...] | None = None
    openness: float | None = None
    is_on: bool | None = None
    is_dirty: bool | None = None

    @property
    def yaw(self) -> float:
        """Its turn around the vertical in degrees."""
        return self.rotation.y if isinstance(self.rotation, Point) else self.rotation or 0.0


class Start(msgspec.Struct, frozen=True):
    """Where the agent begins."""

    position: Point
    rotation: Point | float | None = None
    horizon: float = 30.0

    @property
    def yaw(self) -> float:
        """Its turn around the vertical in degrees."""
        return self.rotation.y if isinstance(self.rotation, Point) else self.rotation or 0.0


class Metadata(msgspec.Struct, frozen=True):
    """What is known about the house as a whole."""

    agent: Start | None = None


class HouseRecord(msgspec.Struct, frozen=True):
    """A house as its file tells it."""

    rooms: tuple[Room, ...]
    walls: tuple[Wall, ...] | None = None
    doors: tuple[Hole, ...] | None = None
    windows: tuple[Hole, ...] | None = None
    objects: tuple[Object, ...] | None = None
    metadata: Metadata | None = None


def read_house(data: Any, source: str) -> HouseRecord:
    """Make a house of plain JSON data that came from `source`.

    Raises:
        HousematesError: naming the source and the field that is wrong.
    """
    house = convert(data, HouseRecord, source)
    if not 1 <= len(house.rooms) <= MOST_ROOMS:
        raise HousematesError(f"{source}: rooms: expected 1 to {MOST_ROOMS}, found {len(house.rooms)}.")
    count = sum(1 for _ in _objects(house.objects or (), "objects"))
    if count > MOST_THINGS:
        raise HousematesError(f"{source}: objects: expected at most {MOST_THINGS}, found {count}.")
    for where, name in _double(house):
        raise HousematesError(f"{source}: {where}.id: {name!r} is used twice.")
    for where, point in _points(house):
        if not all(math.isfinite(each) and abs(each) <= FAR_M for each in (point.x, point.y, point.z)):
            raise HousematesError(
                f"{source}: {where}: expected metres up to {FAR_M:g}, found {_coordinates(point)}."
            )
    for where, angle in _angles(house):
        if not math.isfinite(angle) or abs(angle) > MOST_DEG:
            raise HousematesError(f"{source}: {where}: expected degrees, found {angle:g}.")
    for number, room in enumerate(house.rooms):
        _check_outline(room, f"{source}: rooms[{number}].floorPolygon")
    _check_holes(house, source)
    return house


def _coordinates(point: Point) -> str:
    return f"({point.x:g}, {point.y:g}, {point.z:g})"


def _objects(objects: tuple[Object, ...], where: str) -> Iterator[tuple[str, Object]]:
    """All objects with where they stand in the file, children after their parents."""
    for number, each in enumerate(objects):
        yield f"{where}[{number}]", each
        yield from _objects(each.children or (), f"{where}[{number}].children")


def _double(house: HouseRecord) -> Iterator[tuple[str, str]]:
    for kind in ("rooms", "walls", "doors", "windows"):
        seen: set[str] = set()
        for number, each in enumerate(getattr(house, kind) or ()):
            if each.id in seen:
                yield f"{kind}[{number}]", each.id
            seen.add(each.id)


def _points(house: HouseRecord) -> Iterator[tuple[str, Point]]:
    for number, room in enumerate(house.rooms):
        yield from ((f"rooms[{number}].floorPolygon", point) for point in room.floor_polygon)
    for number, wall in enumerate(house.walls or ()):
        yield from ((f"walls[{number}].polygon", point) for point in wall.polygon)
    for where, each in _objects(house.objects or (), "objects"):
        yield f"{where}.position", each.position
    for kind, holes in (("doors", house.doors), ("windows", house.windows)):
        for number, hole in enumerate(holes or ()):
            yield from ((f"{kind}[{number}].holePolygon", point) for point in hole.corners)
    if house.metadata and house.metadata.agent:
        yield "metadata.agent.position", house.metadata.agent.position


def _angles(house: HouseRecord) -> Iterator[tuple[str, float]]:
    for where, each in _objects(house.objects or (), "objects"):
        yield f"{where}.rotation", each.yaw
    if house.metadata and house.metadata.agent:
        yield "metadata.agent.rotation", house.metadata.agent.yaw
        yield "metadata.agent.horizon", house.metadata.agent.horizon


def _check_outline(room: Room, where: str) -> None:
    """Refuse an outline that is not made of sides along x and z."""
    points = room.floor_polygon
    if len(points) < 4:
        raise HousematesError(f"{where}: expected four points or more, found {len(points)}.")
    for first, second in zip(points, (*points[1:], points[0]), strict=True):
        if abs(first.x - second.x) > 1e-3 and abs(first.z - second.z) > 1e-3:
            told = f"found one from {_coordinates(first)} to {_coordinates(second)}"
            raise HousematesError(f"{where}: expected sides along x or z, {told}.")
    xs, zs = [point.x for point in points], [point.z for point in points]
    if max(xs) - min(xs) < 0.5 or max(zs) - min(zs) < 0.5:
        raise HousematesError(f"{where}: expected a room of half a metre or more each way.")


def _check_holes(house: HouseRecord, source: str) -> None:
    walls = {wall.id for wall in house.walls or ()}
    for kind, holes in (("doors", house.doors), ("windows", house.windows)):
        for number, hole in enumerate(holes or ()):
            where = f"{source}: {kind}[{number}]"
            if len(hole.corners) < 2:
                raise HousematesError(f"{where}.holePolygon: expected two points.")
            if hole.wall0 not in walls:
                raise HousematesError(f"{where}.wall0: there is no wall {hole.wall0!r}.")
    for number, wall in enumerate(house.walls or ()):
        if len({(point.x, point.z) for point in wall.polygon}) < 2:
            raise HousematesError(f"{source}: walls[{number}].polygon: expected two points at its foot.")
