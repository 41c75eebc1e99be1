"""The renderer: keeps a world as faces, redoes what has changed, and draws frames of it."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np

from housemates.home.containment import enclosing
from housemates.home.things import Agent, Scene, Structure, Thing, turned
from housemates.home.types import Vec
from housemates.render import mesh as meshes
from housemates.render import raster
from housemates.render.camera import Camera, agent_camera
from housemates.render.frames import Frame, Label
from housemates.render.materials import material, part_material
from housemates.render.mesh import Mesh
from housemates.render.patterns import textures
from housemates.render.placing import empty_faces, place, take_over
from housemates.render.shadows import Casters

HAND_M = (0.0, -0.115, 0.354)
"""Where the hand is as the camera sees it: right, up and forward."""
SKIRTING_M = (0.09, 0.012)
"""Height and thickness of the board along the foot of a wall."""


class Visible(Protocol):
    """A world that can be drawn."""

    @property
    def scene(self) -> Scene: ...

    @property
    def things(self) -> Mapping[str, Thing]: ...

    @property
    def agent(self) -> Agent: ...


class Pose(NamedTuple):
    """Where a thing is drawn: the middle of its base and its turn in degrees."""

    position: Vec
    yaw: float


class Drawn(NamedTuple):
    """A thing as it was last turned into faces."""

    thing: Thing
    pose: Pose | None
    """None while it is hidden; its faces keep their room."""


BUILDING = Pose((0.0, 0.0, 0.0), 0.0)
"""The building's faces are in the world's frame."""


class Renderer:
    """Draws one world as it is at each call.

    Records are immutable, so a thing whose record is the same object has not changed.
    """

    def __init__(self, world: Visible, shadows: bool = True) -> None:
        """Draw this world, with or without the shadows of what stands in it."""
        self.world = world
        self._casters = Casters() if shadows else None
        self._shadows = raster.NO_SHADOWS
        self._drawn: dict[str, Drawn] = {}
        self._slots: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._scene: Scene | None = None
        self._agent: Agent | None = None
        self._records: list[Thing] = []
        self._labels: tuple[Label, ...] = (Label("", ""),)
        self._faces = empty_faces(0)
        self._groups = raster.Groups(np.zeros(1, np.int32), np.zeros((0, 4), np.float32))
        self._scratch: dict[tuple[int, int], raster.Scratch] = {}

    def frame(self, camera: Camera | None = None, out: Frame | None = None, to_touch: bool = False) -> Frame:
        """What a camera sees now; by default the agent's, at 300x300.

        Args:
            camera: Who looks.
            out: An earlier frame of the same size whose arrays may be overwritten.
            to_touch: Show what a pointing finger meets: nothing that the agent holds, and water and glass
                as solid as anything.
        """
        camera = camera or agent_camera(self.world.agent)
        pictures = None
        if out is not None and out.ids.shape == (camera.height, camera.width):
            pictures = raster.Pictures(out.rgb[None], out.ids[None], out.depth[None])
        drawn = self._draw([camera], pictures, to_touch)
        return Frame(camera, drawn.rgb[0], drawn.ids[0], drawn.depth[0], self._labels)

    def frames(self, cameras: Sequence[Camera]) -> list[Frame]:
        """What several cameras of one size see now."""
        drawn = self._draw(cameras, None, to_touch=False)
        return [
            Frame(camera, drawn.rgb[number], drawn.ids[number], drawn.depth[number], self._labels)
            for number, camera in enumerate(cameras)
        ]

    @property
    def faces(self) -> raster.Faces:
        """The world as the rasteriser sees it at present."""
        self.refresh()
        return self._faces

    @property
    def triangle_count(self) -> int:
        """How many triangles the world's faces amount to at present."""
        corners = self.faces.corners
        return 2 * len(corners) - int((corners[:, 2] == corners[:, 3]).all(axis=1).sum())

    def refresh(self) -> None:
        """Bring the faces up to date with the world."""
        world = self.world
        if self._same_things():
            if self._agent is not world.agent and world.agent.held:
                self._redo({name: self._carried(name) for name in _carried(world.things, world.agent)})
            self._agent = world.agent
            return
        wanted = self._wanted()
        same_names = list(wanted) == list(self._drawn) and list(world.things) == list(self._numbers)
        in_place = self._scene is world.scene and same_names
        if not (in_place and self._redo(wanted)):
            self._rebuild({name: drawn for name, drawn in wanted.items() if drawn.pose is not None})
        self._scene, self._agent, self._records = world.scene, world.agent, list(world.things.values())
        if self._casters:
            carried = _carried(world.things, world.agent)
            standing = [
                drawn.thing for name, drawn in self._drawn.items() if drawn.pose and name not in carried
            ]
            self._shadows = self._casters.cast(world.scene, standing, self._numbers)

    def _same_things(self) -> bool:
        world = self.world
        return (
            self._scene is world.scene
            and len(self._records) == len(world.things)
            and all(map(operator.is_, world.things.values(), self._records))
        )

    def _wanted(self) -> dict[str, Drawn]:
        """Everything that is to be seen, and where, and what was seen before but is hidden now."""
        things = self.world.things
        carried = set(_carried(things, self.world.agent))
        found = {}
        for name, thing in things.items():
            if visible_by_itself(things, thing):
                found[name] = self._carried(name) if name in carried else Drawn(thing, thing_pose(thing))
            elif thing.solid and name in self._drawn:
                found[name] = Drawn(thing, None)
        return found

    def _carried(self, name: str) -> Drawn:
        thing = self.world.things[name]
        return Drawn(thing, _held_pose(self.world.agent, thing))

    def _redo(self, wanted: Mapping[str, Drawn]) -> bool:
        """Redo what has changed in its place; False if something now needs more or less room."""
        for name, drawn in wanted.items():
            before = self._drawn.get(name)
            if before is None or (before.thing is drawn.thing and before.pose == drawn.pose):
                continue
            slot = self._slots[name]
            if drawn.pose is None:
                self._groups.spheres[slot, 3] = -np.inf
                self._drawn[name] = drawn
                continue
            body = thing_mesh(drawn.thing)
            if len(body.corners) != self._groups.first[slot + 1] - self._groups.first[slot]:
                return False
            self._put(slot, body, drawn.pose, self._numbers[name])
            self._drawn[name] = drawn
        return True

    def _draw(
        self, cameras: Sequence[Camera], pictures: raster.Pictures | None, to_touch: bool
    ) -> raster.Pictures:
        self.refresh()
        faces = self._faces
        if to_touch:
            faces = faces._replace(see_through=np.zeros_like(faces.see_through))
        carried = _carried(self.world.things, self.world.agent) if to_touch else []
        hidden = [self._slots[name] for name in carried if name in self._slots]
        radii = self._groups.spheres[hidden, 3]
        self._groups.spheres[hidden, 3] = -np.inf
        scratch = self._scratch_for(cameras[0]) if cameras else None
        shadows = raster.NO_SHADOWS if to_touch else self._shadows
        drawn = raster.draw(
            faces, self._groups, cameras, textures(), scratch=scratch, out=pictures, shadows=shadows
        )
        self._groups.spheres[hidden, 3] = radii
        return drawn

    def _scratch_for(self, camera: Camera) -> raster.Scratch:
        """Buffers for pictures of this camera's size."""
        size = (camera.width, camera.height)
        scratch = self._scratch.get(size)
        if scratch is None or len(scratch.marks) <= len(self._faces.corners):
            scratch = self._scratch[size] = raster.empty_scratch(len(self._faces.corners), *size)
        return scratch

    def _rebuild(self, wanted: dict[str, Drawn]) -> None:
        """Lay out all faces anew, the building first; those of what has not changed are taken over."""
        walls, things = self.world.scene.structures, self.world.things
        old_faces, old_groups, kept = self._faces, self._groups, self._kept(wanted)
        poses = [BUILDING] * len(walls) + [drawn.pose for drawn in wanted.values()]
        middle = _middle(self.world.scene)
        bodies = {slot: structure_mesh(wall, middle) for slot, wall in enumerate(walls) if slot not in kept}
        for slot, drawn in enumerate(wanted.values(), start=len(walls)):
            if slot not in kept:
                bodies[slot] = thing_mesh(drawn.thing)
        old_counts = np.diff(old_groups.first)
        counts = [
            int(old_counts[kept[slot]]) if slot in kept else len(bodies[slot].corners)
            for slot in range(len(poses))
        ]
        first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
        self._faces = empty_faces(int(first[-1]))
        self._groups = raster.Groups(first, np.empty((len(counts), 4), np.float32))
        if kept:
            new, old = np.array(list(kept)), np.array(list(kept.values()))
            take_over(old_faces, old_groups.first[old], self._faces, first[new], old_counts[old])
            self._groups.spheres[new] = old_groups.spheres[old]
        self._numbers = {name: number for number, name in enumerate(things, start=1)}
        numbers = [0] * len(walls) + [self._numbers[name] for name in wanted]
        for slot, body in bodies.items():
            self._put(slot, body, poses[slot], numbers[slot])
        self._faces.instance[:] = np.repeat(numbers, counts)
        self._labels = (Label("", ""), *(Label(name, each.type) for name, each in things.items()))
        self._drawn = wanted
        self._slots = {name: slot for slot, name in enumerate(wanted, start=len(walls))}

    def _kept(self, wanted: Mapping[str, Drawn]) -> dict[int, int]:
        """The places of what is wanted as it is drawn: where its faces go, and where they are now."""
        walls = len(self.world.scene.structures)
        kept = {slot: slot for slot in range(walls)} if self._scene is self.world.scene else {}
        for slot, (name, drawn) in enumerate(wanted.items(), start=walls):
            before = self._drawn.get(name)
            if before is not None and before.thing is drawn.thing and before.pose == drawn.pose:
                kept[slot] = self._slots[name]
        return kept

    def _put(self, slot: int, body: Mesh, pose: Pose | None, instance: int) -> None:
        assert pose is not None
        place(body, pose.position, pose.yaw, instance, self._faces, int(self._groups.first[slot]))
        centre, radius = body.sphere()
        x, z = turned(centre[0], centre[2], pose.yaw)
        where = pose.position
        self._groups.spheres[slot] = (where[0] + x, where[1] + centre[1], where[2] + z, radius)


def thing_mesh(thing: Thing) -> Mesh:
    """The faces of a thing in its own frame, as its state shows it."""
    parts = thing.shape_parts()
    return meshes.build(parts, tuple(part_material(thing, part.material) for part in parts))


@lru_cache(maxsize=1024)
def structure_mesh(structure: Structure, middle: Vec) -> Mesh:
    """A part of the building; of a wall, only what looks at the room's middle, and a skirting at its foot."""
    kind = material(structure.material)
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
        made.append(meshes.paint(meshes.box(lo, hi, faces=[*faces, (1, 1)]), material("skirting")))
    return meshes.join(made)


def visible_by_itself(things: Mapping[str, Thing], thing: Thing) -> bool:
    """Whether a thing is whole and nothing closed hides it."""
    return thing.solid and enclosing(things, thing) is None


def _carried(things: Mapping[str, Thing], agent: Agent) -> list[str]:
    """The thing in hand and all that is on or in it."""
    if not agent.held:
        return []
    found = [agent.held]
    for name in found:
        found += [other for other, thing in things.items() if name in thing.parents and other not in found]
    return found


def thing_pose(thing: Thing) -> Pose:
    """Where a thing that nobody carries is."""
    return Pose(thing.position, thing.yaw)


def _held_pose(agent: Agent, thing: Thing) -> Pose:
    """Where a carried thing is in the world."""
    right, up, forward = agent_camera(agent).axes
    x, y, z = agent.eye + right * HAND_M[0] + up * HAND_M[1] + forward * HAND_M[2]
    to_right, to_front = turned(thing.position[0], thing.position[2], agent.rotation)
    position = (float(x) + to_right, float(y) + thing.position[1], float(z) + to_front)
    return Pose(position, thing.yaw + agent.rotation)


def _middle(scene: Scene) -> Vec:
    """The middle of the building, a metre above the floor."""
    if not scene.structures:
        return (0.0, scene.floor_y + 1.0, 0.0)
    lo = np.min([structure.lo for structure in scene.structures], axis=0)
    hi = np.max([structure.hi for structure in scene.structures], axis=0)
    return (float(lo[0] + hi[0]) / 2, scene.floor_y + 1.0, float(lo[2] + hi[2]) / 2)
