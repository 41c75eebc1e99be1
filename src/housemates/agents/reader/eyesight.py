"""The reader's own eyes: its picture's colours and nothing else become things, places and depth."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.embodied.clicking import points_of
from housemates.benchmarks.embodied.ground import Points
from housemates.benchmarks.embodied.memory import Memory
from housemates.benchmarks.embodied.senses import Click, Senses, Stance
from housemates.benchmarks.seat import Act, Percept
from housemates.home.things import CAMERA_ABOVE_AGENT_M
from housemates.home.types import object_type
from housemates.models.eyes import Eyes
from housemates.render.camera import Camera
from housemates.render.frames import Frame, Label
from housemates.render.glimpses import Glimpse

VIEW = "view"
SAME_M = {True: 0.3, False: 0.8}
"""How far from where it was a thing of the same type is still the same: what can be carried, and what not."""
SURE = {True: 0.35, False: 0.25}
"""How sure the eyes must be of a thing: the same two."""
LOOKED_AT = 80
"""Pixels of a thing by which it is placed."""
OUT_OF_HAND_M = 0.45
"""What is nearer to the eye than this is in the hand."""


class OwnEyes:
    """A benchmark's senses without the simulator's segmentation and depth.

    Args:
        senses: The benchmark's part: where it believes to be, and its acts.
        eyes: What recognises things.
        memory: Things that were seen before; what is seen again keeps its key.
    """

    def __init__(self, senses: Senses, eyes: Eyes, memory: Memory) -> None:
        self.senses, self.eyes, self.memory = senses, eyes, memory
        self.look_deg, self.fov_deg = senses.look_deg, senses.fov_deg
        self.blind_m, self.wall_m, self.bumps = senses.blind_m, senses.wall_m, senses.bumps
        self._made = 0
        self._seen: tuple[int, Frame] | None = None

    def feel(self, percept: Percept) -> Stance:
        """As the benchmark has it."""
        return self.senses.feel(percept)

    def move(self, name: str) -> Act:
        """As the benchmark has it."""
        return self.senses.move(name)

    def touch(self, name: str, frame: Frame, key: str, click: Click) -> Act:
        """As the benchmark has it."""
        return self.senses.touch(name, frame, key, click)

    def see(self, percept: Percept) -> Frame:
        """What the eyes make of the picture, seen from where one believes to be."""
        if self._seen is None or self._seen[0] != percept.turn:
            self._seen = (percept.turn, self._look(percept))
        return self._seen[1]

    def _look(self, percept: Percept) -> Frame:
        rgb = percept.pictures[VIEW]()
        glimpse = self.eyes.look(rgb)
        assert glimpse.depth is not None
        x, y, z, rotation, horizon = self.feel(percept)
        height, width = rgb.shape[:2]
        eye = (x, y + CAMERA_ABOVE_AGENT_M, z)
        camera = Camera(eye, rotation, horizon, width, height, self.fov_deg)
        bare = Frame(camera, rgb, glimpse.numbers, glimpse.depth, ())
        labels = self._labels(glimpse, bare)
        ids = np.where(np.isin(glimpse.numbers, list(labels)), glimpse.numbers, 0).astype(np.uint16)
        named = tuple(labels.get(number, Label("", "")) for number in range(int(glimpse.numbers.max()) + 1))
        return Frame(camera, rgb, ids, glimpse.depth, named)

    def _labels(self, glimpse: Glimpse, frame: Frame) -> dict[int, Label]:
        """A key for each thing of a glimpse: that of a thing seen there before, or a new one."""
        taken: set[str] = {self.memory.held}
        found: dict[int, Label] = {}
        for thing in sorted(glimpse.things, key=lambda each: -each.pixels):
            carried = object_type(thing.type).can("pickup")
            if thing.confidence < SURE[carried]:
                continue
            rows, columns = np.nonzero(glimpse.mask(thing))
            pick = np.linspace(0, len(rows) - 1, min(LOOKED_AT, len(rows))).astype(np.int64)
            points = points_of(frame, rows[pick], columns[pick])
            if self.memory.held and float(np.median(frame.depth[rows[pick], columns[pick]])) < OUT_OF_HAND_M:
                continue
            key = self._known(thing.type, points, carried, taken)
            if not key:
                self._made += 1
                key = f"{thing.type}#{self._made}"
            taken.add(key)
            found[thing.number] = Label(key, thing.type)
        return found

    def _known(self, kind: str, points: Points, carried: bool, taken: set[str]) -> str:
        """The key of the remembered thing that this one is; empty if it is new."""
        middle: NDArray[np.float64] = np.median(points, axis=0)
        best, nearest = "", SAME_M[carried]
        for each in self.memory.things.values():
            if each.type != kind or each.key in taken or self.memory.carries(each.key):
                continue
            away = float(np.linalg.norm(each.points - middle, axis=1).min())
            if away < nearest:
                best, nearest = each.key, away
        return best
