"""A house while it is being furnished: what is there already, and where something more has room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
import numpy as np
import numpy.typing as npt

from housemates.home.geometry import part_boxes
from housemates.home.scenes.houses.assets import table
from housemates.home.scenes.houses.pieces import Piece, Stand, build_piece
from housemates.home.scenes.houses.shell import SLAB_M, Shell, facing
from housemates.home.scenes.plan import NoRoom, Rect
from housemates.home.things import Structure, Thing, floor_boxes

Boxes = npt.NDArray[np.float64]

DEEP_M = 0.008
"""How far things may go into each other."""
SCALES = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)
"""How much smaller a piece is made to fit where it stands."""
SHIFT_M, MOST_SHIFTS = 0.1, 4
"""A piece is moved by steps of this length, at most so many each way."""
BACK_M = 0.35
"""A piece whose back is nearer to a wall is put against it."""
HEAD_M = 1.8
GAP_M = 0.006


class Site:
    """What stands in a house so far."""

    def __init__(self, shell: Shell) -> None:
        self.things: dict[str, Thing] = {}
        self.structures: list[Structure] = list(shell.structures)
        self.clear = shell.clear
        self.rooms = [
            [Rect(*rect) for rect in floor_boxes(thing)] for thing in shell.things if thing.type == "Floor"
        ]
        self._rows: list[Boxes] = [_structure_boxes(self.structures)]
        self._all: Boxes | None = None
        for thing in shell.things:
            self.add(thing)
        for door in shell.doors:
            self._take(part_boxes(msgspec.structs.replace(door, open=not door.open)))

    def add(self, thing: Thing) -> None:
        """Note that a thing stands here."""
        self.things[thing.id] = thing
        self._take(part_boxes(thing))

    def add_piece(self, piece: Piece) -> None:
        """Note that a piece stands here."""
        for thing in piece.things:
            self.add(thing)
        self.structures += piece.structures
        self._take(_structure_boxes(piece.structures))

    def _take(self, boxes: Boxes) -> None:
        self._rows.append(boxes)
        self._all = None

    @property
    def boxes(self) -> Boxes:
        """The boxes of everything."""
        if self._all is None:
            self._all = np.concatenate(self._rows)
        return self._all

    def hits(self, boxes: Boxes) -> bool:
        """Whether some of these boxes go into what is there."""
        there = self.boxes
        low, high = boxes[:, :3].min(axis=0), boxes[:, 3:].max(axis=0)
        there = there[(there[:, 3:] > low).all(axis=1) & (there[:, :3] < high).all(axis=1)]
        shared = np.minimum(boxes[:, None, 3:], there[None, :, 3:])
        shared -= np.maximum(boxes[:, None, :3], there[None, :, :3])
        thin = np.minimum((boxes[:, 3:] - boxes[:, :3])[:, None], (there[:, 3:] - there[:, :3])[None])
        return bool((shared > np.minimum(DEEP_M, thin / 2)).all(axis=2).any())

    def room_at(self, x: float, z: float) -> list[Rect]:
        """The rectangles of the room in which a point is; none if it is outside."""
        return next((room for room in self.rooms if _holds(room, x, z)), [])

    def has_room(self, piece: Piece, room: list[Rect]) -> bool:
        """Whether a piece can stand in a room as it is."""
        boxes = np.concatenate(
            [*(part_boxes(thing) for thing in piece.things), _structure_boxes(piece.structures)]
        )
        x0, _, z0 = boxes[:, :3].min(axis=0)
        x1, _, z1 = boxes[:, 3:].max(axis=0)
        if not all(_holds(room, x, z) for x in (x0, x1) for z in (z0, z1)):
            return False
        low = boxes[boxes[:, 1] < HEAD_M]
        for rect in self.clear:
            inside = (low[:, 0] < rect.x1) & (low[:, 3] > rect.x0)
            if (inside & (low[:, 2] < rect.z1) & (low[:, 5] > rect.z0)).any():
                return False
        return not self.hits(boxes) and not any(thing.id in self.things for thing in piece.things)

    def is_free(self, thing: Thing) -> bool:
        """Whether a thing goes into nothing that is there."""
        return not self.hits(part_boxes(thing))

    def settle(self, stand: Stand) -> Piece | None:
        """Put a piece where it is to stand, moved or smaller if it has to be; None if it does not fit."""
        room = self.room_at(stand.x, stand.z)
        if not room:
            return None
        width, height, depth = stand.size
        for scale in SCALES:
            size = (round(width * scale, 4), height, round(depth * scale, 4))
            for x, z in self._spots(stand._replace(size=size), room):
                try:
                    piece = build_piece(stand._replace(size=size, x=x, z=z))
                except NoRoom:
                    continue
                if self.has_room(piece, room):
                    self.add_piece(piece)
                    return piece
        return None

    def _spots(self, stand: Stand, room: list[Rect]) -> Iterator[tuple[float, float]]:
        """Where a piece may stand: against a wall behind it that is near, then ever farther from there."""
        ahead, (x, z) = facing(stand.yaw), (stand.x, stand.z)
        behind = table()["behind"].get(stand.kind, 0.0)
        for direction, half, near in (
            ((-ahead[0], -ahead[1]), stand.size[2] / 2 + behind, BACK_M),
            (ahead, stand.size[2] / 2, 0.0),
            ((ahead[1], -ahead[0]), stand.size[0] / 2, 0.0),
            ((-ahead[1], ahead[0]), stand.size[0] / 2, 0.0),
        ):
            gap = _to_edge(room, x, z, direction) - SLAB_M - GAP_M - half
            if gap < near:
                x, z = x + direction[0] * gap, z + direction[1] * gap
        steps = range(-MOST_SHIFTS, MOST_SHIFTS + 1)
        shifts = sorted(((i, j) for i in steps for j in steps), key=lambda each: (_far(each), each))
        for across, along in shifts:
            yield (
                round(x + SHIFT_M * (across * ahead[1] + along * ahead[0]), 4),
                round(z + SHIFT_M * (along * ahead[1] - across * ahead[0]), 4),
            )


def _far(shift: tuple[int, int]) -> int:
    return shift[0] ** 2 + shift[1] ** 2


def _holds(room: Iterable[Rect], x: float, z: float) -> bool:
    return any(
        rect.x0 - 1e-6 <= x <= rect.x1 + 1e-6 and rect.z0 - 1e-6 <= z <= rect.z1 + 1e-6 for rect in room
    )


def _to_edge(room: list[Rect], x: float, z: float, direction: tuple[float, float]) -> float:
    """How far the edge of a room is from a point in it, in one of the four directions of the axes."""
    far, step = 0.0, 0.01
    dx, dz = round(direction[0]), round(direction[1])
    while far < 20.0:
        rect = next(
            (each for each in room if _holds([each], x + dx * (far + step), z + dz * (far + step))), None
        )
        if rect is None:
            return far
        edge = rect.x1 if dx > 0 else rect.x0 if dx < 0 else rect.z1 if dz > 0 else rect.z0
        far = abs(edge - (x if dx else z))
    return far


def _structure_boxes(structures: Iterable[Structure]) -> Boxes:
    return np.array([(*each.lo, *each.hi) for each in structures], dtype=np.float64).reshape(-1, 6)
