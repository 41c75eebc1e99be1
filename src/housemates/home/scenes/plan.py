"""A room on the drawing board: walls, what stands along them, what hangs on them, what is kept clear."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from housemates.home.scenes.tables import tables
from housemates.home.things import Structure, Thing, object_id, turned
from housemates.home.types import Vec, object_type

WALL_HEIGHT_M = 2.5
WALL_THICKNESS_M = 0.1
STEP_M = 0.05


class NoRoom(Exception):
    """Something that belongs in the room does not fit; another draw may."""


class Rect(NamedTuple):
    """A rectangle of the floor, in the world's frame."""

    x0: float
    z0: float
    x1: float
    z1: float

    def overlaps(self, other: Rect) -> bool:
        """Whether the two share more than an edge."""
        return (
            self.x0 < other.x1 - 1e-6
            and other.x0 < self.x1 - 1e-6
            and self.z0 < other.z1 - 1e-6
            and other.z0 < self.z1 - 1e-6
        )

    def within(self, other: Rect) -> bool:
        """Whether it lies wholly in the other."""
        return (
            self.x0 >= other.x0 - 1e-6
            and self.z0 >= other.z0 - 1e-6
            and self.x1 <= other.x1 + 1e-6
            and self.z1 <= other.z1 + 1e-6
        )


class Wall(NamedTuple):
    """A line that furniture has its back to.

    `u` runs along it to the right of what stands there, `v` away from it into the room.
    """

    x: float
    z: float
    yaw: float
    length: float

    def at(self, u: float, v: float) -> tuple[float, float]:
        """The place (x, z) at these distances along and away from the line."""
        dx, dz = turned(u, v, self.yaw)
        return self.x + dx, self.z + dz

    def rect(self, u0: float, v0: float, u1: float, v1: float) -> Rect:
        """The rectangle between two corners."""
        (xa, za), (xb, zb) = self.at(u0, v0), self.at(u1, v1)
        return Rect(min(xa, xb), min(za, zb), max(xa, xb), max(za, zb))


class Area(NamedTuple):
    """A rectangle on a wall that something hangs on or stands in front of."""

    wall: int
    u0: float
    y0: float
    u1: float
    y1: float

    def overlaps(self, other: Area) -> bool:
        """Whether the two share more than an edge."""
        return (
            self.wall == other.wall
            and self.u0 < other.u1 - 1e-6
            and other.u0 < self.u1 - 1e-6
            and self.y0 < other.y1 - 1e-6
            and other.y0 < self.y1 - 1e-6
        )


class Spot(NamedTuple):
    """A free place along a wall: which wall, and where its middle is."""

    wall: int
    u: float


class RoomPlan:
    """What has been put into a room so far."""

    def __init__(
        self, room: str, width: float, depth: float, rng: np.random.Generator, first: int = 0
    ) -> None:
        """An empty room whose middle is the origin; `first` is the wall where layouts begin."""
        self.room = room
        self.rng = rng
        x, z = width / 2, depth / 2
        self.floor = Rect(-x, -z, x, z)
        self.walls = (
            Wall(-x, -z, 0.0, width),
            Wall(x, -z, 270.0, depth),
            Wall(x, z, 180.0, width),
            Wall(-x, z, 90.0, depth),
        )
        """South, east, north, west: each ends where the next begins."""
        self.things: list[Thing] = []
        self.structures: list[Structure] = []
        self.solid: list[Rect] = []
        self.clear: list[Rect] = []
        self.hung: list[Area] = []
        self.holes: list[Area] = []
        self.looks: dict[str, int] = {}
        self.sizes: dict[str, Vec] = {}
        self.first = first
        self.door = Spot(first, 0.0)
        """Where the door is; set by the group that makes it."""
        self.entrance = (0.0, 0.0)
        """Where one stands after coming in."""
        self.put_on_floor("Floor", (0.0, 0.0), 0.0, (width, 0.01, depth))

    def choice(self, options: list[Any] | tuple[Any, ...]) -> Any:
        """One of the options."""
        return options[int(self.rng.integers(len(options)))]

    def chance(self, probability: float) -> bool:
        """Whether an event with this probability happens."""
        return bool(self.rng.random() < probability)

    def between(self, low: float, high: float) -> float:
        """A length in steps of 5 cm."""
        return round(low + STEP_M * int(self.rng.integers(round((high - low) / STEP_M) + 1)), 4)

    def size(self, kind: str) -> Vec:
        """The size that all things of a type share in this room."""
        if kind not in self.sizes:
            self.sizes[kind] = self.choice(tables().sizes.furniture.get(kind, (object_type(kind).size,)))
        return self.sizes[kind]

    def look(self, kind: str) -> int:
        """The look that all things of a type share in this room."""
        if kind == "Drawer":
            return self.look("Cabinet")
        if kind not in self.looks:
            self.looks[kind] = int(self.rng.integers(len(object_type(kind).looks)))
        return self.looks[kind]

    def put(
        self,
        kind: str,
        wall: Wall,
        u: float,
        v: float = 0.0,
        y: float = 0.0,
        size: Vec | None = None,
        turn: float = 0.0,
        **fields: Any,
    ) -> Thing:
        """Put a thing with its middle at `u` and its back (or side, if turned) at `v` from a wall."""
        made = size if size is not None else self.size(kind)
        deep = made[0] if turn % 180 else made[2]
        return self.put_on_floor(kind, wall.at(u, v + deep / 2), wall.yaw + turn, made, y, **fields)

    def put_on_floor(
        self, kind: str, place: tuple[float, float], yaw: float, size: Vec, y: float = 0.0, **fields: Any
    ) -> Thing:
        """Put a thing at a place of the room, at a height."""
        position = (round(place[0], 4) + 0.0, round(y, 4) + 0.0, round(place[1], 4) + 0.0)
        look = fields.pop("look", None)
        thing = Thing(
            id=object_id(kind, position),
            type=kind,
            position=position,
            size=(round(size[0], 4), round(size[1], 4), round(size[2], 4)),
            yaw=yaw % 360,
            look=self.look(kind) if look is None else look,
            **fields,
        )
        if any(other.id == thing.id for other in self.things):
            raise NoRoom(f"two things would be called {thing.id}")
        self.things.append(thing)
        return thing

    def build(
        self, material: str, wall: Wall, u0: float, v0: float, y0: float, u1: float, v1: float, y1: float
    ) -> None:
        """Add a solid part of the building between two corners."""
        rect = wall.rect(u0, v0, u1, v1)
        lo = (round(rect.x0, 4) + 0.0, round(y0, 4), round(rect.z0, 4) + 0.0)
        hi = (round(rect.x1, 4) + 0.0, round(y1, 4), round(rect.z1, 4) + 0.0)
        self.structures.append(Structure(lo, hi, material))

    def is_free(self, body: Rect, front: Rect | None = None) -> bool:
        """Whether a body can stand here and what it needs clear before it is clear."""
        if not body.within(self.floor) or any(body.overlaps(other) for other in (*self.solid, *self.clear)):
            return False
        return front is None or (
            front.within(self.floor) and not any(front.overlaps(other) for other in self.solid)
        )

    def take(self, body: Rect, front: Rect | None = None) -> None:
        """Note that a body stands here and what must stay clear before it."""
        self.solid.append(body)
        if front is not None:
            self.clear.append(front)

    def keep_ways(self, width: float = 0.5) -> None:
        """Keep a way clear around all that stands in the room so far."""
        for x0, z0, x1, z1 in self.solid:
            self.clear.append(Rect(x0 - width, z0 - width, x1 + width, z1 + width))

    def hang(self, wall: int, u: float, y: float, width: float, height: float) -> bool:
        """Note that something hangs here, if the wall is free there."""
        area = Area(wall, u - width / 2, y, u + width / 2, y + height)
        if area.u0 < 0.02 or area.u1 > self.walls[wall].length - 0.02:
            return False
        if any(area.overlaps(other) for other in self.hung):
            return False
        self.hung.append(area)
        return True

    def spots(self, width: float, depth: float, front: float, height: float) -> Iterator[Spot]:
        """Free places along the walls for a body of this size, in random order; taken by who uses one."""
        side = width / 2
        for index in self.rng.permutation(4).tolist():
            wall = self.walls[index]
            places = np.arange(side, wall.length - side + 1e-6, STEP_M)
            for u in self.rng.permutation(places).tolist():
                body = wall.rect(u - side, 0.0, u + side, depth)
                before = wall.rect(u - side, depth, u + side, depth + front) if front else None
                area = Area(index, u - side, 0.0, u + side, height)
                if self.is_free(body, before) and not any(area.overlaps(other) for other in self.hung):
                    yield Spot(index, round(u, 4))

    def settle(self, width: float, depth: float, front: float = 0.5, height: float = 1.0) -> Spot:
        """Take a free place along a wall for a body of this size."""
        for spot in self.spots(width, depth, front, height):
            self.settle_at(spot, width, depth, front, height)
            return spot
        raise NoRoom(f"no place along the walls for {width} x {depth} m")

    def settle_at(self, spot: Spot, width: float, depth: float, front: float, height: float) -> None:
        """Take this place along a wall."""
        wall, side = self.walls[spot.wall], width / 2
        before = wall.rect(spot.u - side, depth, spot.u + side, depth + front) if front else None
        self.take(wall.rect(spot.u - side, 0.0, spot.u + side, depth), before)
        self.hung.append(Area(spot.wall, spot.u - side, 0.0, spot.u + side, height))
