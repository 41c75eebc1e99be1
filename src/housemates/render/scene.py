"""The renderer: keeps a world as faces, redoes what has changed, and draws frames of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Protocol, Self

import numpy as np

from housemates.core.copies import Memo, copied_fields
from housemates.home.containment import enclosing
from housemates.home.things import Agent, Scene, Thing, turned
from housemates.render import mesh as meshes
from housemates.render import raster
from housemates.render.building import middles, occluders, structure_mesh
from housemates.render.camera import Camera, agent_camera
from housemates.render.frames import Frame, Label
from housemates.render.geometry_cache import Build, Drawn, Pose, alike, held_pose, recall, remember
from housemates.render.looks import PLAIN, Looks, part_material
from housemates.render.mesh import Mesh
from housemates.render.mesh_transforms import empty_faces, place, take_over
from housemates.render.patterns import textures
from housemates.render.shadows import cast, recast

LOOKS = ("fields", "colours", "pattern", "see_through")
"""What a finger does not feel of faces."""
SPARE_FACES = 768
"""Room for what comes to be seen or gets more faces before all have to be laid out anew."""


class Visible(Protocol):
    """A world that can be drawn."""

    @property
    def scene(self) -> Scene: ...

    @property
    def things(self) -> Mapping[str, Thing]: ...

    @property
    def agent(self) -> Agent: ...

    @property
    def looks(self) -> str: ...


BUILDING = Pose((0.0, 0.0, 0.0), 0.0)
"""The building's faces are in the world's frame."""
EMPTY = Build(
    None,
    None,
    (),
    {},
    {},
    {},
    (Label("", ""),),
    raster.sheet(empty_faces(0), raster.Groups(np.zeros((0, 2), np.int32), np.zeros((0, 4), np.float32))),
    0,
    {},
)
"""What a renderer has before it draws anything."""


class Renderer:
    """Draws one world as it is at each call.

    Records are immutable, so a thing whose record is the same object has not changed.
    """

    def __init__(self, world: Visible) -> None:
        """Draw this world."""
        self.world = world
        self._looks = Looks(world.looks)
        self._agent: Agent | None = None
        self._carried: list[str] = []
        self._build = EMPTY
        self._shared = True
        self._touch_sheet: raster.Sheet | None = None
        self._glass: tuple[int, raster.Floats] | None = None
        self._moved: dict[str, tuple[Thing, Mesh]] = {}
        self.revision = 0
        """Grows whenever `refresh` finds that something looks different or is elsewhere."""
        self.changes = 0
        """Grows whenever `refresh` finds things that are not as they were, wherever the agent is."""

    def __deepcopy__(self, memo: Memo) -> Self:
        """One for the copy of the world; of what both have built, each makes a copy before it changes it."""
        self._shared, self._touch_sheet = True, None
        return copied_fields(self, memo)

    def frame(self, camera: Camera | None = None, out: Frame | None = None, to_touch: bool = False) -> Frame:
        """What a camera sees now; by default the agent's, at 300x300.

        Args:
            camera: Who looks.
            out: An earlier frame of the same size whose arrays may be overwritten.
            to_touch: Show what a pointing finger meets: nothing that the agent holds, water and glass as
                solid as anything, and no colours.
        """
        self.refresh()
        return self.drawn(camera or agent_camera(self.world.agent), out, to_touch)

    def drawn(self, camera: Camera, out: Frame | None = None, to_touch: bool = False) -> Frame:
        """What a camera saw at the last `refresh`; see `frame`."""
        if out is not None and out.ids.shape == (camera.height, camera.width):
            drawn = raster.Pictures(out.rgb[None], out.ids[None], out.depth[None])
        else:
            drawn = raster.empty_pictures(1, camera.width, camera.height)
        world = self._to_touch() if to_touch else self._build.sheet
        raster.draw_sheets([world], [camera], textures(), drawn)
        return Frame(camera, drawn.rgb[0], drawn.ids[0], drawn.depth[0], self.labels)

    def tangible(self, camera: Camera) -> bool:
        """Whether a finger meets what a camera saw at the last `refresh`, but for what is held: no glass."""
        from housemates.render.surfaces import any_in_view

        if self._glass is None or self._glass[0] != self.revision:
            held = [self._build.slots[name] for name in self._carried]
            self._glass = (self.revision, raster.glass(self._build.sheet, held))
        return not any_in_view(self._glass[1], camera.packed)

    def frames(self, cameras: Sequence[Camera]) -> list[Frame]:
        """What several cameras of one size see now."""
        world = self.sheet()
        drawn = raster.draw(world.faces, world.groups, cameras, textures(), shadows=world.shadows)
        return [
            Frame(camera, drawn.rgb[number], drawn.ids[number], drawn.depth[number], self.labels)
            for number, camera in enumerate(cameras)
        ]

    def sheet(self, to_touch: bool = False) -> raster.Sheet:
        """The world now, as the rasteriser draws it; `to_touch` as for `frame`."""
        self.refresh()
        return self._to_touch() if to_touch else self._build.sheet

    @property
    def labels(self) -> tuple[Label, ...]:
        """The thing behind each number of a frame, as of the last `refresh`."""
        return self._build.labels

    @property
    def faces(self) -> raster.Faces:
        """What there is to be seen of the world at present."""
        columns, (runs, spheres) = self.sheet().faces, self._build.sheet.groups
        shown = [slice(*run) for run in runs[spheres[:, 3] >= 0.0].tolist()]
        return raster.Faces._make(np.concatenate([column[run] for run in shown]) for column in columns)

    @property
    def triangle_count(self) -> int:
        """How many triangles the world's faces amount to at present."""
        corners = self.faces.corners
        return 2 * len(corners) - int((corners[:, 2] == corners[:, 3]).all(axis=1).sum())

    def refresh(self) -> None:
        """Bring the faces up to date with the world."""
        world, before = self.world, self._agent
        shown = self._build.shows(world.scene, world.things)
        if not shown or before is None or before.held != world.agent.held:
            self._carried = _carried(world.things, world.agent)
        if shown:
            if before is not world.agent and world.agent.held:
                self._redo(self._wanted(self._carried))
        else:
            self.changes += 1
            start = self._build is EMPTY
            if not (start and self._begun()):
                self._follow(start)
        self._agent = world.agent

    def _begun(self) -> bool:
        """Whether this is the start of a world that is known, which is then drawn as it was.

        If it is not, but another start in the same building is, what has to be drawn is what differs.
        """
        known = recall(self.world.scene, self.world.things, self.world.agent, self._looks.seed)
        self._build, self._shared = known or alike(self.world.scene, self._looks.seed) or EMPTY, True
        self.revision += 1
        return known is not None

    def _follow(self, start: bool) -> None:
        """Redo what has changed in its place if it has room there, else lay out all faces anew."""
        things, before = self.world.things, self._build
        same_names = before.stands_in(self.world.scene) and list(things) == list(before.numbers)
        changed = self._changed() if same_names else None
        if changed is None or not self._redo(changed):
            self._rebuild(self._wanted(things))
        elif not self._recast(changed):
            self._cast()
        self._build = self._build._replace(agent=self.world.agent, records=list(things.values()))
        if start:
            remember(self._build, self._looks.seed)
            self._shared = True

    def _cast(self) -> None:
        """Lay out all shadows anew."""
        build, things = self._build, self.world.things.values()
        shadows, casts = cast(self.world.scene, things, build.numbers, build.casts)
        self._build = build._replace(sheet=raster.shaded(build.sheet, shadows), casts=casts)
        self._recast(build.drawn)

    def _recast(self, changed: Mapping[str, Drawn]) -> bool:
        """Redo the shadows of what has changed; False if there are more or fewer of them now.

        What is carried or hidden casts none.
        """
        casts, shadows = self._build.casts, self._build.sheet.shadows
        for name, drawn in changed.items():
            if drawn.pose is None or name in self._carried:
                shadows.spots[casts[name].run] = raster.NOWHERE
                continue
            made = recast(shadows, self.world.scene, drawn.thing, casts[name])
            if made is None:
                return False
            casts[name] = made
        return True

    def _changed(self) -> dict[str, Drawn]:
        """What looks different, is elsewhere, hidden or shown."""
        things = self.world.things
        changed = {
            new.id for old, new in zip(self._build.records, things.values(), strict=True) if old is not new
        }
        touched = _with_contents(things, changed)
        return self._wanted([*(name for name in things if name in touched), *self._carried])

    def _wanted(self, names: Iterable[str]) -> dict[str, Drawn]:
        """Things as they are, and where they are to be seen."""
        things, agent, carried = self.world.things, self.world.agent, self._carried
        found = {}
        for name in names:
            thing, pose = things[name], None
            if visible_by_itself(things, thing):
                pose = held_pose(agent, thing) if name in carried else thing_pose(thing)
            found[name] = Drawn(thing, pose)
        return found

    def _redo(self, wanted: Mapping[str, Drawn]) -> bool:
        """Redo what has changed in its place, or behind all others; False if there is no room left."""
        for name, drawn in wanted.items():
            if self._build.drawn[name] == drawn:
                continue
            if self._shared:
                self._build, self._shared, self._touch_sheet = self._build.copy(), False, None
            build, slot = self._build, self._build.slots[name]
            self.revision += 1
            if drawn.pose is None:
                build.sheet.groups.spheres[slot] = raster.NOWHERE
                build.drawn[name] = drawn
                continue
            body = self._mesh(drawn.thing)
            size, (first, after) = len(body.corners), build.sheet.groups.runs[slot].tolist()
            if size > after - first:
                first = build.used
                if first + size > len(build.sheet.faces.instance):
                    return False
                self._build = build._replace(used=first + size)
            build.sheet.groups.runs[slot] = first, first + size
            _put(build.sheet, slot, body, drawn.pose, build.numbers[name], self._looks)
            build.drawn[name] = drawn
        return True

    def _mesh(self, thing: Thing) -> Mesh:
        """The faces of a thing that is drawn again, which are often those of the last time."""
        known = self._moved.get(thing.id)
        if known is None or known[0] is not thing:
            known = self._moved[thing.id] = (thing, thing_mesh(thing, self._looks))
        return known[1]

    def _to_touch(self) -> raster.Sheet:
        """The world with everything solid and black, and without what the agent holds."""
        faces, groups = self._build.sheet.faces, self._build.sheet.groups
        if self._touch_sheet is None:
            plain = {name: np.zeros_like(getattr(faces, name)) for name in LOOKS}
            solid = faces._replace(**plain)
            self._touch_sheet = raster.sheet(
                solid, groups._replace(spheres=groups.spheres.copy()), occluders=self._build.sheet.occluders
            )
        spheres = self._touch_sheet.groups.spheres
        spheres[:] = groups.spheres
        for name in self._carried:
            spheres[self._build.slots[name]] = raster.NOWHERE
        return self._touch_sheet

    def _rebuild(self, wanted: dict[str, Drawn]) -> None:
        """Lay out all faces anew, the building first; those of what has not changed are taken over."""
        walls, things, old = self.world.scene.structures, self.world.things, self._build.sheet
        kept, middle_of = self._kept(wanted), middles(self.world.scene)
        poses = [BUILDING] * len(walls) + [drawn.pose for drawn in wanted.values()]
        bodies = {
            slot: structure_mesh(wall, middle_of(wall), self._looks)
            for slot, wall in enumerate(walls)
            if slot not in kept
        }
        for slot, drawn in enumerate(wanted.values(), start=len(walls)):
            if slot not in kept and drawn.pose is not None:
                bodies[slot] = thing_mesh(drawn.thing, self._looks)
        had = np.diff(old.groups.runs).ravel()
        counts = [len(bodies[slot].corners) if slot in bodies else 0 for slot in range(len(poses))]
        for slot, at in kept.items():
            counts[slot] = int(had[at])
        used, spheres = sum(counts), np.full((len(counts), 4), raster.NOWHERE, np.float32)
        groups = raster.Groups(raster.side_by_side(counts), spheres)
        hiding = occluders(self.world.scene)
        sheet = raster.sheet(empty_faces(used + SPARE_FACES), groups, occluders=hiding)
        if kept:
            new, was = np.array(list(kept)), np.array(list(kept.values()))
            take_over(old.faces, old.groups.runs[was, 0], sheet.faces, groups.runs[new, 0], had[was])
            spheres[new] = old.groups.spheres[was]
        numbers = {name: number for number, name in enumerate(things, start=1)}
        instances = [0] * len(walls) + [numbers[name] for name in wanted]
        for slot, body in bodies.items():
            _put(sheet, slot, body, poses[slot], instances[slot], self._looks)
        sheet.faces.instance[:used] = np.repeat(instances, counts)
        labels = (Label("", ""), *(Label(name, each.type) for name, each in things.items()))
        slots = {name: slot for slot, name in enumerate(wanted, start=len(walls))}
        casts = self._build.casts
        self._build = Build(
            self.world.scene, self.world.agent, (), wanted, slots, numbers, labels, sheet, used, casts
        )
        self._shared, self._touch_sheet = False, None
        self.revision += 1
        self._cast()

    def _kept(self, wanted: Mapping[str, Drawn]) -> dict[int, int]:
        """The places of what is wanted as it is drawn: where its faces go, and where they are now."""
        walls, build = len(self.world.scene.structures), self._build
        kept = {slot: slot for slot in range(walls)} if build.stands_in(self.world.scene) else {}
        for slot, (name, drawn) in enumerate(wanted.items(), start=walls):
            if drawn.pose is not None and build.drawn.get(name) == drawn:
                kept[slot] = build.slots[name]
        return kept


def _put(sheet: raster.Sheet, slot: int, body: Mesh, pose: Pose | None, instance: int, looks: Looks) -> None:
    """Write the faces of a body into its place."""
    assert pose is not None
    first = int(sheet.groups.runs[slot, 0])
    place(body, pose.position, pose.yaw, instance, sheet.faces, first, looks.lights)
    centre, radius = body.sphere
    x, z = turned(centre[0], centre[2], pose.yaw)
    where = pose.position
    sheet.groups.spheres[slot] = (where[0] + x, where[1] + centre[1], where[2] + z, radius)


def thing_mesh(thing: Thing, looks: Looks = PLAIN) -> Mesh:
    """The faces of a thing in its own frame, as its state shows it."""
    parts = thing.shape_parts()
    return meshes.build(parts, tuple(part_material(thing, part.material, looks) for part in parts))


def visible_by_itself(things: Mapping[str, Thing], thing: Thing) -> bool:
    """Whether a thing is whole and nothing closed hides it."""
    return thing.solid and (not thing.parents or enclosing(things, thing) is None)


def _with_contents(things: Mapping[str, Thing], names: Set[str]) -> set[str]:
    """These things, all that is in or on them, and what is in or on that."""
    found, last = set(names), names
    while last:
        last = {name for name, thing in things.items() if thing.parents and thing.parents[0] in last} - found
        found |= last
    return found


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
