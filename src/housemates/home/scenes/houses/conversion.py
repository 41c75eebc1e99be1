"""A house of ProcTHOR's format becomes a scene: the shell, the furniture, what lies on it, and the agent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from housemates.errors import HousematesError
from housemates.home.navigation import Cell, grid, reachable
from housemates.home.scenes.houses import contents
from housemates.home.scenes.houses.assets import kind_of, name_of, table
from housemates.home.scenes.houses.pieces import Stand, usual_size
from housemates.home.scenes.houses.records import HouseRecord, Object, Start, read_house
from housemates.home.scenes.houses.shell import Shell, build_shell
from housemates.home.scenes.houses.site import Site
from housemates.home.scenes.validate import Fault, entered, faults, open_passages
from housemates.home.things import AGENT_RADIUS_M, GRID_M, HOUSE, Agent, Scene, Thing, floor_boxes
from housemates.home.types import object_type
from housemates.home.world import World

ROUNDS = 5
"""How often what is at fault is mended."""
HORIZONS = (-30, 0, 30, 60)
BODY_M = AGENT_RADIUS_M - 1e-6
PART_OF_OTHERS = (
    "Faucet",
    "SinkBasin",
    "BathtubBasin",
    "Drawer",
    "Shelf",
    "Cabinet",
    "StoveBurner",
    "StoveKnob",
)
"""Types that come with the furniture they belong to, if that is there."""


class House(NamedTuple):
    """A house as a scene, and what of its file is not in it."""

    scene: Scene
    notes: tuple[str, ...]
    """What has no counterpart or no room, each once, in a few words."""


def is_house(data: Any) -> bool:
    """Whether plain JSON data are a house of ProcTHOR's format."""
    return isinstance(data, Mapping) and "rooms" in data and "things" not in data


def house_from_data(data: Any, source: str, scene_id: str) -> House:
    """Make a scene of a house of ProcTHOR's format that came from `source`.

    Raises:
        HousematesError: naming the source and the field that is wrong.
    """
    return _Builder(read_house(data, source), source, scene_id).build()


class _Builder:
    """One house on its way to a scene."""

    def __init__(self, house: HouseRecord, source: str, scene_id: str) -> None:
        self.house, self.source, self.scene_id = house, source, scene_id
        self.shell: Shell = build_shell(house)
        self.site = Site(self.shell)
        self.foreign: Counter[str] = Counter()
        self.without_room: Counter[str] = Counter()
        self.broken: Counter[str] = Counter()

    def build(self) -> House:
        self._free_doors()
        lying: list[tuple[Object, str, tuple[Thing, ...]]] = []
        for each in self.house.objects or ():
            self._stand(each, lying)
        scene = self._scene(tuple(self.site.things.values()))
        world = World(scene)
        for each, kind, own in lying:
            if contents.put(world, each, kind, own) is None:
                self.without_room[kind] += 1
        scene = self._walked(self._scene(tuple(world.things.values())))
        scene = self._mended(scene)
        return House(scene, tuple(self._notes()))

    def _scene(self, things: tuple[Thing, ...]) -> Scene:
        structures = tuple(self.site.structures)
        return Scene(self.scene_id, HOUSE, things, Agent(0.0, 0.0), structures)

    def _free_doors(self) -> None:
        """Have doors open to a side where nothing that is built is in their way; take out the others."""
        world = World(self._scene(tuple(self.site.things.values())))
        for door in list(self.shell.doors):
            turned = next((each for each in _swings(door) if not entered(world, each)), None)
            if turned is None:
                self.shell.doors.remove(door)
                del self.site.things[door.id]
                self.without_room[door.type] += 1
            else:
                self.site.things[door.id] = msgspec.structs.replace(turned, open=door.open)

    def _stand(self, each: Object, lying: list[tuple[Object, str, tuple[Thing, ...]]]) -> None:
        """Let an object of the house stand or hang where it is, and note what is on it."""
        kind = kind_of(each)
        own: tuple[Thing, ...] = ()
        if not kind or object_type(kind).passage or kind == "Floor":
            self.foreign[name_of(each)] += 1
        elif object_type(kind).can("pickup"):
            lying.append((each, kind, ()))
        elif kind in table()["hung"]["types"] and each.position.y > 0.7:
            if contents.hang(self.site, self.shell.sides, each, kind) is None:
                self.without_room[kind] += 1
        elif kind not in PART_OF_OTHERS:
            own = self._furnish(each, kind)
        for child in each.children or ():
            self._lay(child, own, lying)

    def _lay(
        self, each: Object, own: tuple[Thing, ...], lying: list[tuple[Object, str, tuple[Thing, ...]]]
    ) -> None:
        kind = kind_of(each)
        if not kind or object_type(kind).passage:
            self.foreign[name_of(each)] += 1
        elif kind not in PART_OF_OTHERS:
            lying.append((each, kind, own))
        for child in each.children or ():
            self._lay(child, own, lying)

    def _furnish(self, each: Object, kind: str) -> tuple[Thing, ...]:
        yaw = float(round(each.yaw / 90) * 90 % 360)
        size = usual_size(kind, each.asset_id)
        stand = Stand(kind, each.asset_id, size, each.position.x, each.position.z, yaw, each.id)
        piece = self.site.settle(stand)
        if piece is None:
            self.without_room[kind] += 1
            return ()
        return tuple(self._with_states(thing, each, kind) for thing in piece.things)

    def _with_states(self, thing: Thing, each: Object, kind: str) -> Thing:
        """The main thing of a piece with its name and states."""
        if thing.type != kind:
            return thing
        told = msgspec.structs.replace(thing, name=each.id, **contents.states(each, kind))
        self.site.things[thing.id] = told
        return told

    def _walked(self, scene: Scene) -> Scene:
        """The scene with the agent in the largest part of the house, and the cells to which it can walk."""
        here = _largest(scene)
        if not here:
            raise HousematesError(f"{self.source}: rooms: there is nowhere to stand.")
        for door in self.shell.doors:
            for turned in _swings(next(thing for thing in scene.things if thing.id == door.id)):
                other = _with(scene, turned)
                found = set() if entered(World(other), turned) else _largest(other)
                if len(found) > len(here):
                    scene, here = _with(scene, msgspec.structs.replace(turned, open=door.open)), found
        self.shell.notes.extend(f"{room} cannot be walked to" for room in self._cut_off(scene, here))
        start = self.house.metadata.agent if self.house.metadata else None
        return msgspec.structs.replace(scene, agent=_agent(start, here), walkable=tuple(sorted(here)))

    def _cut_off(self, scene: Scene, here: set[Cell]) -> list[str]:
        """The rooms in which there is none of these cells."""
        floors = [thing for thing in scene.things if thing.type == "Floor"]
        return [
            each.name for each in floors if not any(_stands_on(floor_boxes(each), cell, 0.0) for cell in here)
        ]

    def _mended(self, scene: Scene) -> Scene:
        """The scene without faults: what cannot be opened stays shut, what cannot be reached goes."""
        for _ in range(ROUNDS):
            found = faults(scene)
            if not found:
                return scene
            scene = self._without(scene, found)
        raise HousematesError(f"{self.source}: {found[0].message}")

    def _without(self, scene: Scene, found: list[Fault]) -> Scene:
        shut = {fault.thing for fault in found if fault.kind == "blocked"}
        gone = {fault.thing for fault in found if fault.kind in ("overlap", "floating", "unreachable")}
        things = []
        for thing in scene.things:
            if thing.id in gone or (thing.id in shut and "open" in thing.lacks):
                gone.add(thing.id)
            elif thing.id in shut:
                self.broken[thing.type] += 1
                things.append(msgspec.structs.replace(thing, lacks=(*thing.lacks, "open"), open=False))
            else:
                things.append(thing)
        while orphans := {thing.id for thing in things if thing.id not in gone and gone & set(thing.parents)}:
            gone |= orphans
        for thing in scene.things:
            self.without_room[thing.type] += thing.id in gone
        kept = tuple(thing for thing in things if thing.id not in gone)
        return msgspec.structs.replace(scene, things=tuple(_controlling(thing, gone) for thing in kept))

    def _notes(self) -> Iterator[str]:
        """What is not as in the file."""
        for told, counts in (
            ("no counterpart", self.foreign),
            ("no room, or out of reach", self.without_room),
            ("cannot be opened where they stand", self.broken),
        ):
            names = [
                f"{name} ({count})" if count > 1 else name for name, count in sorted(counts.items()) if count
            ]
            if names:
                yield f"{told}: {', '.join(names)}"
        yield from self.shell.notes


def _without_loose(scene: Scene) -> Scene:
    """The scene without what can be carried, which is not reckoned with where one walks."""
    return msgspec.structs.replace(
        scene, things=tuple(thing for thing in scene.things if not thing.kind.can("pickup"))
    )


def _stands_on(boxes: list[tuple[float, float, float, float]], cell: Cell, near: float = BODY_M) -> bool:
    """Whether the agent stands on these pieces of floor with all of its body."""
    x, z = cell.x * GRID_M, cell.z * GRID_M
    return all(
        any(x0 <= x + dx <= x1 and z0 <= z + dz <= z1 for x0, z0, x1, z1 in boxes)
        for dx, dz in ((near, 0.0), (-near, 0.0), (0.0, near), (0.0, -near))
    )


def _largest(scene: Scene) -> set[Cell]:
    """The largest part of a house in which the agent gets from each cell to each, all doors open."""
    loose = _without_loose(scene)
    world = World(loose)
    open_passages(world)
    floors = [box for thing in scene.things if thing.type == "Floor" for box in floor_boxes(thing)]
    left = {cell for cell in grid(world).cells() if _stands_on(floors, cell)}
    world = World(msgspec.structs.replace(loose, walkable=tuple(sorted(left))))
    open_passages(world)
    best: set[Cell] = set()
    while left:
        part = reachable(world, min(left))
        left -= part
        best = max(best, part, key=len)
    return best


def _swings(door: Thing) -> Iterator[Thing]:
    """A door opened to either side, with its hinge at either end."""
    for turn in (0.0, 180.0):
        for mirrored in (False, True):
            yield msgspec.structs.replace(door, yaw=(door.yaw + turn) % 360, mirrored=mirrored, open=True)


def _controlling(thing: Thing, gone: set[str]) -> Thing:
    """The thing without what it controls and is not there any more."""
    if gone.isdisjoint(thing.controls):
        return thing
    left = tuple(name for name in thing.controls if name not in gone)
    return msgspec.structs.replace(thing, controls=left)


def _with(scene: Scene, new: Thing) -> Scene:
    """The scene with another record for a thing."""
    things = tuple(new if thing.id == new.id else thing for thing in scene.things)
    return msgspec.structs.replace(scene, things=things)


def _agent(start: Start | None, cells: set[Cell]) -> Agent:
    """The agent on the cell nearest to where it is to begin."""
    if start is None:
        cell = min(cells)
        return Agent(cell.x * GRID_M, cell.z * GRID_M)
    x, z = start.position.x / GRID_M, start.position.z / GRID_M
    cell = min(cells, key=lambda each: ((each.x - x) ** 2 + (each.z - z) ** 2, each))
    horizon = min(HORIZONS, key=lambda each: abs(each - start.horizon))
    rotation = int(round(start.yaw / 90) * 90 % 360)
    return Agent(cell.x * GRID_M, cell.z * GRID_M, rotation, horizon)
