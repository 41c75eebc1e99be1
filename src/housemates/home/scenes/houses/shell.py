"""The shell of a house: floors, walls with their holes, doors between rooms and to the outside, windows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from housemates.home.scenes.houses.assets import drawn, surface
from housemates.home.scenes.houses.records import Hole, HouseRecord, Point, Room, Wall
from housemates.home.scenes.plan import Rect
from housemates.home.shapes import Part, Support
from housemates.home.things import Structure, Thing, object_id, turned
from housemates.home.types import object_type

SLAB_M = 0.02
"""How far a wall reaches into its room."""
NEAR_M = 0.06
"""How far apart the two sides of a wall may be for a hole to go through both."""
JAMB_M = (0.05, 0.06)
"""Width of a door's frame, and how far it stands out of the wall's middle."""
LEAF_M = 0.1
DOUBLE_M = 1.4
"""Doors that are wider have two wings."""
NARROWEST_M = 0.7
"""Through narrower doors nobody gets."""
BEFORE_M = 0.55
"""What is kept clear before a door."""
WINDOW_M = 0.05
LOW_M = 1.75
"""Doors that are lower are in the way of the agent's head."""


class Line(NamedTuple):
    """The foot of a wall, from its first point to its second."""

    x: float
    z: float
    dx: float
    dz: float
    length: float

    def at(self, u: float, v: float = 0.0) -> tuple[float, float]:
        """The place `u` along the line and `v` to its left, where a door opens to."""
        return self.x + self.dx * u - self.dz * v, self.z + self.dz * u + self.dx * v

    def rect(self, u0: float, v0: float, u1: float, v1: float) -> Rect:
        """The rectangle between two corners."""
        (xa, za), (xb, zb) = self.at(u0, v0), self.at(u1, v1)
        return Rect(min(xa, xb), min(za, zb), max(xa, xb), max(za, zb))

    @property
    def yaw(self) -> float:
        """How what stands in the line is turned to face its left."""
        return round(math.degrees(math.atan2(-self.dz, self.dx)) % 360, 4)


class Gap(NamedTuple):
    """A hole in the world: its line, from where to where along it, and its heights."""

    hole: Hole
    line: Line
    u0: float
    u1: float
    low: float
    high: float


class Side(NamedTuple):
    """A wall as it is seen from its room."""

    line: Line
    inward: int
    """1 if the room is to the left of the line, -1 to the right, 0 if it is not known."""
    height: float
    material: str
    holes: tuple[tuple[float, float, float, float], ...]
    """From where to where along the line, and between which heights, there is none."""

    def is_whole(self, u0: float, low: float, u1: float, high: float) -> bool:
        """Whether there is wall between two places along it and two heights."""
        return not any(a < u1 and u0 < b and c < high and low < d for a, b, c, d in self.holes)


class Shell(NamedTuple):
    """What a house is built of."""

    things: list[Thing]
    structures: list[Structure]
    doors: list[Thing]
    """Those that can be opened; they are among the things."""
    clear: list[Rect]
    """What has to stay free before doors."""
    sides: list[Side]
    notes: list[str]


def build_shell(house: HouseRecord) -> Shell:
    """Build floors, walls, doors and windows."""
    shell = Shell(list(_floors(house.rooms)), [], [], [], [], [])
    outlines = {room.id: rectangles(room.floor_polygon) for room in house.rooms}
    walls = {wall.id: wall for wall in house.walls or ()}
    inner = [wall for wall in walls.values() if not wall.empty and wall.room_id in outlines]
    inner = [wall for wall in inner if not wall.id.startswith("wall|exterior")]
    doors = [_gap(hole, walls[hole.wall0]) for hole in house.doors or ()]
    windows = [_gap(hole, walls[hole.wall0]) for hole in house.windows or ()]
    shell.sides.extend(_side(wall, outlines[wall.room_id or ""], [*doors, *windows]) for wall in inner)
    shut = {gap.hole.id for gap in doors if _outer(gap.hole)}
    ways = [gap for gap in (*doors, *windows) if gap.hole.id not in shut]
    for side in shell.sides:
        _build_wall(shell, side, ways)
    for gap in doors:
        (_build_outer_door if _outer(gap.hole) else _build_door)(shell, gap)
    for gap in windows:
        _build_window(shell, gap)
    return shell


def _outer(hole: Hole) -> bool:
    """Whether a door leads out of the house."""
    return hole.room0 is None or hole.room1 is None or hole.room0 == hole.room1


def _floors(rooms: Iterable[Room]) -> Iterator[Thing]:
    looks, names = object_type("Floor").looks, set()
    for room in rooms:
        pieces = rectangles(room.floor_polygon)
        x0, z0 = min(piece.x0 for piece in pieces), min(piece.z0 for piece in pieces)
        x1, z1 = max(piece.x1 for piece in pieces), max(piece.z1 for piece in pieces)
        position = (round((x0 + x1) / 2, 4), 0.0, round((z0 + z1) / 2, 4))
        while (name := object_id("Floor", position)) in names:
            position = (round(position[0] + 0.01, 4), 0.0, position[2])
        names.add(name)
        x, _, z = position
        parts = tuple(
            Part(
                "box",
                (piece.x0 - x, -0.01, piece.z0 - z),
                (piece.x1 - x, 0.0, piece.z1 - z),
                support=Support(0.1, False, 100.0),
            )
            for piece in pieces
        )
        yield Thing(
            id=name,
            type="Floor",
            position=position,
            size=(round(x1 - x0, 4), 0.01, round(z1 - z0, 4)),
            look=looks.index(surface("floors", room.floor_material)),
            parts=parts,
            name=room.id,
        )


def rectangles(outline: Sequence[Point]) -> list[Rect]:
    """An outline with sides along x and z as rectangles that do not overlap."""
    xs = sorted({round(point.x, 3) for point in outline})
    zs = sorted({round(point.z, 3) for point in outline})
    found: list[Rect] = []
    for z0, z1 in pairwise(zs):
        row: list[Rect] = []
        for x0, x1 in pairwise(xs):
            if not _inside(outline, (x0 + x1) / 2, (z0 + z1) / 2):
                continue
            if row and row[-1].x1 == x0:
                row[-1] = row[-1]._replace(x1=x1)
            else:
                row.append(Rect(x0, z0, x1, z1))
        for piece in row:
            below = next(
                (each for each in found if each.z1 == z0 and (each.x0, each.x1) == (piece.x0, piece.x1)), None
            )
            if below is None:
                found.append(piece)
            else:
                found[found.index(below)] = below._replace(z1=z1)
    return found


def _inside(outline: Sequence[Point], x: float, z: float) -> bool:
    """Whether a point is in a polygon: a ray from it crosses the outline an odd number of times."""
    odd = False
    for first, second in zip(outline, (*outline[1:], outline[0]), strict=True):
        if (first.z > z) != (second.z > z):
            across = first.x + (z - first.z) / (second.z - first.z) * (second.x - first.x)
            odd ^= x < across
    return odd


def line_of(wall: Wall) -> Line:
    """The foot of a wall."""
    foot = list(dict.fromkeys((point.x, point.z) for point in wall.polygon))
    (x0, z0), (x1, z1) = foot[0], foot[1]
    length = math.hypot(x1 - x0, z1 - z0)
    return Line(x0, z0, (x1 - x0) / length, (z1 - z0) / length, length)


def _side(wall: Wall, room: Sequence[Rect], gaps: Sequence[Gap]) -> Side:
    line = line_of(wall)
    inward = 0
    for step in (1, -1):
        x, z = line.at(line.length / 2, step * NEAR_M)
        if any(piece.x0 <= x <= piece.x1 and piece.z0 <= z <= piece.z1 for piece in room):
            inward = step
    ys = [point.y for point in wall.polygon]
    holes = tuple((low, high, gap.low, gap.high) for low, high, gap in _through(line, gaps))
    return Side(line, inward, max(max(ys) - min(ys), 1.0), surface("walls", wall.material), holes)


def _gap(hole: Hole, wall: Wall) -> Gap:
    line = line_of(wall)
    us, ys = [point.x for point in hole.corners], [point.y for point in hole.corners]
    u0, u1 = max(min(us), 0.0), min(max(us), line.length)
    return Gap(hole, line, u0, max(u1, u0), max(min(ys), 0.0), max(ys))


def _build_wall(shell: Shell, side: Side, gaps: Sequence[Gap]) -> None:
    """A wall on its room's side of the line, with the holes that go through it, round the corners."""
    line, v = side.line, side.inward * SLAB_M
    u = -SLAB_M
    for low, high, gap in sorted(_through(line, gaps), key=lambda each: each[:2]):
        low, high = max(low, u), max(high, u)
        _raise(shell, side, (u, 0.0, low, side.height), v)
        _raise(shell, side, (low, gap.high, high, side.height), v)
        _raise(shell, side, (low, 0.0, high, gap.low), v)
        u = high
    _raise(shell, side, (u, 0.0, line.length + SLAB_M, side.height), v)


def _through(line: Line, gaps: Sequence[Gap]) -> Iterator[tuple[float, float, Gap]]:
    """From where to where holes go through a wall."""
    for gap in gaps:
        ends = []
        for u in (gap.u0, gap.u1):
            x, z = gap.line.at(u)
            ends.append((x - line.x) * line.dx + (z - line.z) * line.dz)
            away = abs((x - line.x) * line.dz - (z - line.z) * line.dx)
            if away > NEAR_M:
                ends = []
                break
        if ends and min(ends) < line.length and max(ends) > 0.0:
            yield max(min(ends), 0.0), min(max(ends), line.length), gap


def _raise(shell: Shell, side: Side, area: tuple[float, float, float, float], v: float) -> None:
    """A piece of a wall, unless it would be nothing."""
    u0, low, u1, high = area
    if u1 - u0 > 1e-4 and high - low > 1e-4:
        rect = side.line.rect(u0, 0.0, u1, v) if v else side.line.rect(u0, -SLAB_M, u1, SLAB_M)
        shell.structures.append(_box(rect, low, high, side.material))


def _box(rect: Rect, low: float, high: float, material: str) -> Structure:
    lo, hi = (rect.x0, low, rect.z0), (rect.x1, high, rect.z1)
    return Structure(
        (round(lo[0], 4) + 0.0, round(lo[1], 4) + 0.0, round(lo[2], 4) + 0.0),
        (round(hi[0], 4) + 0.0, round(hi[1], 4) + 0.0, round(hi[2], 4) + 0.0),
        material,
    )


def _build_door(shell: Shell, gap: Gap) -> None:
    """A frame, and the wings in it unless the asset has none; before and behind it stays free."""
    hole, line, (wide, out) = gap.hole, gap.line, JAMB_M
    width = gap.u1 - gap.u0
    narrow = width < NARROWEST_M + 2 * wide or gap.high < LOW_M
    if narrow:
        shell.notes.append(f"{hole.id} is too small to walk through")
        wide = 0.0
    frame = ("white paint", "oak", "light wood", "dark wood")[drawn(hole.asset_id, 4)]
    for u in (gap.u0, gap.u1 - wide) if wide else ():
        shell.structures.append(_box(line.rect(u, -out, u + wide, out), 0.0, gap.high, frame))
    if wide:
        top = line.rect(gap.u0 + wide, -out, gap.u1 - wide, out)
        shell.structures.append(_box(top, gap.high - wide, gap.high, frame))
    before = width / 2 if width > DOUBLE_M else width
    shell.clear.append(line.rect(gap.u0 - LEAF_M, -BEFORE_M, gap.u1 + LEAF_M, before + LEAF_M))
    if not hole.asset_id.lower().startswith("doorframe") and not narrow:
        _hang_door(shell, gap, frame)


def _hang_door(shell: Shell, gap: Gap, frame: str) -> None:
    line, width = gap.line, gap.u1 - gap.u0 - 2 * JAMB_M[0]
    x, z = line.at((gap.u0 + gap.u1) / 2)
    position = (round(x, 4) + 0.0, 0.0, round(z, 4) + 0.0)
    door = Thing(
        id=object_id("Doorway", position),
        type="Doorway",
        position=position,
        size=(round(width, 4), round(gap.high - JAMB_M[0], 4), LEAF_M),
        yaw=line.yaw,
        look=object_type("Doorway").looks.index(frame),
        open=(gap.hole.openness or 0.0) >= 0.5,
        shape="double_doorway" if width > DOUBLE_M else "",
        lacks=("open",) if gap.hole.openable is False else (),
        name=gap.hole.id,
    )
    shell.things.append(door)
    shell.doors.append(door)


def _build_outer_door(shell: Shell, gap: Gap) -> None:
    """A door that stays shut: a leaf and a frame on the wall, and a handle."""
    line, (wide, _) = gap.line, JAMB_M
    side = next((each for each in shell.sides if each.line == line), None)
    v = (side.inward if side and side.inward else 1) * SLAB_M
    leaf = ("door", "white paint", "oak")[drawn(gap.hole.asset_id, 3)]
    for u0, u1, low, deep, material in (
        (gap.u0, gap.u0 + wide, 0.0, 2.6, "skirting"),
        (gap.u1 - wide, gap.u1, 0.0, 2.6, "skirting"),
        (gap.u0 + wide, gap.u1 - wide, gap.high - wide, 2.6, "skirting"),
    ):
        shell.structures.append(_box(line.rect(u0, v, u1, v * deep), low, gap.high, material))
    shell.structures.append(
        _box(line.rect(gap.u0 + wide, v, gap.u1 - wide, v * 2), 0.0, gap.high - wide, leaf)
    )
    grip = line.rect(gap.u1 - wide - 0.12, v * 2, gap.u1 - wide - 0.04, v * 3.5)
    shell.structures.append(_box(grip, 1.0, 1.03, "steel"))


def _build_window(shell: Shell, gap: Gap) -> None:
    """A window in its hole, which is cut through the wall already."""
    width, height = gap.u1 - gap.u0, gap.high - gap.low
    if width < 0.2 or height < 0.2:
        shell.notes.append(f"{gap.hole.id} is too small for a window")
        return
    side = next((each for each in shell.sides if each.line == gap.line), None)
    inward = side.inward if side and side.inward else 1
    x, z = gap.line.at((gap.u0 + gap.u1) / 2, -inward * (WINDOW_M / 2 - SLAB_M))
    position = (round(x, 4) + 0.0, round(gap.low, 4), round(z, 4) + 0.0)
    yaw = gap.line.yaw if inward > 0 else (gap.line.yaw + 180.0) % 360
    size = (round(width, 4), round(height, 4), WINDOW_M)
    shell.things.append(
        Thing(
            id=object_id("Window", position), type="Window", position=position, size=size, yaw=yaw,
            name=gap.hole.id,
        )
    )  # fmt: skip


def facing(yaw: float) -> tuple[float, float]:
    """The direction (x, z) that a thing turned so faces."""
    return turned(0.0, 1.0, yaw)
