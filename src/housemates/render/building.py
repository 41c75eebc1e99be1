"""The building as faces: walls, which are seen from inside their room only, and whatever else is built in."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from housemates.home.things import HOUSE, Scene, Structure, floor_boxes
from housemates.home.types import Vec
from housemates.render import mesh as meshes
from housemates.render.looks import PLAIN, Looks
from housemates.render.mesh import Mesh

SKIRTING_M = (0.09, 0.012)
"""Height and thickness of the board along the foot of a wall."""


@lru_cache(maxsize=2048)
def structure_mesh(structure: Structure, middle: Vec, looks: Looks = PLAIN) -> Mesh:
    """A part of the building; of a wall, only what looks at the room's middle, and a skirting at its foot."""
    room = f"{middle[0]:.2f} {middle[2]:.2f}"
    kind = looks.of_building(structure.material, room)
    lo, hi = np.array(structure.lo, float), np.array(structure.hi, float)
    if not kind.wall:
        return meshes.paint(meshes.box(lo, hi, kind.grain), kind)
    faces = [(axis, 0) for axis in range(3) if middle[axis] < lo[axis]]
    faces += [(axis, 1) for axis in range(3) if middle[axis] > hi[axis]]
    made = [meshes.paint(meshes.box(lo, hi, faces=faces or [(1, 1)]), kind)]
    height, thick = SKIRTING_M
    if lo[1] < middle[1] and hi[1] > lo[1] + height:
        lo[[0, 2]] -= thick
        hi[[0, 2]] += thick
        hi[1] = lo[1] + height
        made.append(meshes.paint(meshes.box(lo, hi, faces=[*faces, (1, 1)]), looks.of_building("skirting")))
    return meshes.join(made)


def middles(scene: Scene) -> Callable[[Structure], Vec]:
    """A call that tells the middle of the room that a part of the building belongs to, the nearest one."""
    if scene.room != HOUSE:
        middle = _middle(scene)
        return lambda structure: middle
    rooms = [box for thing in scene.things if thing.type == "Floor" for box in floor_boxes(thing)]
    lows = np.array([(x0, z0) for x0, z0, _, _ in rooms])
    highs = np.array([(x1, z1) for _, _, x1, z1 in rooms])

    def nearest(structure: Structure) -> Vec:
        x, z = ((structure.lo[axis] + structure.hi[axis]) / 2 for axis in (0, 2))
        away = np.maximum(np.maximum(lows - (x, z), (x, z) - highs), 0.0)
        room = int(np.argmin((away**2).sum(axis=1)))
        across, along = (lows[room] + highs[room]) / 2
        return (float(across), scene.floor_y + 1.0, float(along))

    return nearest


def _middle(scene: Scene) -> Vec:
    """The middle of the building, a metre above the floor."""
    if not scene.structures:
        return (0.0, scene.floor_y + 1.0, 0.0)
    lo = np.min([structure.lo for structure in scene.structures], axis=0)
    hi = np.max([structure.hi for structure in scene.structures], axis=0)
    return (float(lo[0] + hi[0]) / 2, scene.floor_y + 1.0, float(lo[2] + hi[2]) / 2)
