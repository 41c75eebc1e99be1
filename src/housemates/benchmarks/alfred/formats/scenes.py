"""The floor plan of a trajectory as it was when the demonstration began."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from housemates.benchmarks.alfred.formats.assets import movable_box, recentred, stand
from housemates.benchmarks.alfred.formats.episodes import ObjectPose, Start, Trajectory
from housemates.benchmarks.alfred.formats.furniture import furnish
from housemates.benchmarks.alfred.formats.support import parents_of
from housemates.benchmarks.alfred.tasks.goals import home_type
from housemates.benchmarks.alfred.world.dynamics import FOV_DEG
from housemates.data.store import Store
from housemates.errors import HousematesError
from housemates.home.navigation import HEADINGS, Cell, cell_of, grid
from housemates.home.scenes.plans.knowledge import PlanKnowledge
from housemates.home.scenes.plans.pieces import piece_count
from housemates.home.scenes.plans.rebuild import rebuild
from housemates.home.things import GRID_M, Agent, Scene, Thing, object_id
from housemates.home.types import Vec, object_types
from housemates.home.world import World, rounded

OPEN_AT_START = ("Box", "Laptop")
Middles = Mapping[str, Sequence[tuple[float, float]]]


def scene_of(trajectory: Trajectory, store: Store) -> Scene:
    """Rebuild the plan from what the store knows about it, and put the trajectory's objects in.

    The demonstration itself is never looked at.

    Raises:
        HousematesError: if the store does not know the plan, or an object is of no class that is known.
    """
    start = trajectory.scene
    knowledge = store.knowledge(start.floor_plan)
    if knowledge is None or not knowledge.named:
        raise HousematesError(
            f"{trajectory.task_id}: scene.floor_plan: the store {store.folder} knows nothing of "
            f"{start.floor_plan!r}; import ALFRED's layouts, or demonstrations in that plan."
        )
    movables = movable_things(start.object_poses, trajectory.task_id, knowledge.middles)
    height = float(start.init_action.y)
    if knowledge.rests:
        room = _furnished(store, start.floor_plan, height)
    else:
        room = _furnish(msgspec.structs.replace(knowledge, rests=set(lying(movables))), height, bare=True)
    things = parents_of([*_switched(room.things, start), *movables])
    if start.dirty_and_empty:
        things = [_dirty(thing) for thing in things]
    agent = _agent(start)
    walkable = tuple(sorted(with_way_in(room, cell_of(agent))))
    return msgspec.structs.replace(room, things=tuple(things), agent=agent, walkable=walkable)


def with_way_in(room: Scene, start: Cell) -> set[tuple[int, int]]:
    """The cells where one is known to walk, and those over which the start is joined to them.

    A demonstration may begin where nobody was seen before. Then whatever the furniture leaves free around
    the start is taken for floor, as far as the nearest known cell.
    """
    known: set[tuple[int, int]] = set(room.walkable or ())
    if not known.isdisjoint(_neighbours([start])) and start in known:
        return known
    free = {*_free_cells(room), *known}
    seen: set[tuple[int, int]] = {start}
    ring = seen
    while ring and known.isdisjoint(ring - {start}):
        ring = (_neighbours(ring) & free) - seen
        seen = seen | ring
    return known | seen


def _neighbours(cells: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
    return {(x + dx, z + dz) for x, z in cells for dx, dz in HEADINGS.values()}


@lru_cache(maxsize=128)
def _free_cells(room: Scene) -> frozenset[tuple[int, int]]:
    """The cells that the furniture of a room leaves free, wherever people were seen."""
    bare = msgspec.structs.replace(room, walkable=None, structures=())
    return frozenset(grid(World(bare)).cells())


@lru_cache(maxsize=128)
def _furnished(store: Store, plan: str, agent_y: float) -> Scene:
    """A plan of which there are demonstrations, with nothing but its furniture."""
    knowledge = store.knowledge(plan)
    assert knowledge is not None
    return _furnish(knowledge, agent_y, bare=False)


def furnished_plan(knowledge: PlanKnowledge, agent_y: float) -> Scene:
    """A plan with nothing but its furniture, by ALFRED's names.

    Args:
        knowledge: What is known about the plan.
        agent_y: How high the agent is there.
    """
    return _furnish(knowledge, agent_y, bare=not knowledge.rests)


def _furnish(knowledge: PlanKnowledge, agent_y: float, bare: bool) -> Scene:
    found = furnish(knowledge)
    cells = sorted(knowledge.walked | knowledge.layout) or [(0, 0)]
    x, z = cells[0]
    agent: dict[str, Any] = {
        "position": {"x": x * GRID_M, "y": agent_y, "z": z * GRID_M},
        "rotation": {"y": 0.0},
        "cameraHorizon": 30,
    }
    scene = rebuild(knowledge.plan, found.records, agent, found.knowledge)
    things = tuple(msgspec.structs.replace(thing, open=False) for thing in scene.things)
    scene = msgspec.structs.replace(scene, things=things)
    return msgspec.structs.replace(scene, walkable=tuple(sorted(_floor_cells(scene, knowledge, bare))))


def _floor_cells(room: Scene, known: PlanKnowledge, bare: bool) -> set[tuple[int, int]]:
    """Where people walked, and ALFRED's layout, which leaves out some cells at its edge.

    In a plan without demonstrations (`bare`), those that the furniture leaves free are taken for floor too.
    """
    cells = known.walked | known.layout
    if not bare:
        return cells
    return cells | (_neighbours(cells) & _free_cells(room))


def _agent(start: Start) -> Agent:
    pose = start.init_action
    return Agent(
        x=float(pose.x),
        z=float(pose.z),
        y=float(pose.y),
        rotation=round(pose.rotation / 90) * 90 % 360,
        horizon=round(pose.horizon),
        fov=FOV_DEG,
    )


def lying(things: Iterable[Thing]) -> Iterator[tuple[int, int, int]]:
    """The points under things in centimetres, to five of them and in height to one."""
    for thing in things:
        x, y, z = thing.position
        yield round(x * 20) * 5, round(y * 100), round(z * 20) * 5


def movable_things(poses: Iterable[ObjectPose], source: str, middles: Middles | None = None) -> list[Thing]:
    """The things that can be carried, where they are at the start; two in one place are one.

    Args:
        poses: Assets and their poses.
        source: Names the trajectory in errors.
        middles: Where the middles of assets were seen, if anything is known about that.
    """
    found: dict[str, Thing] = {}
    for index, pose in enumerate(poses):
        kind = home_type(pose.type)
        if kind not in object_types():
            raise HousematesError(
                f"{source}: scene.object_poses[{index}].objectName: unknown class {pose.type!r}."
            )
        thing = _movable(pose, kind, (middles or {}).get(pose.object_name, ()))
        found.setdefault(thing.id, thing)
    return list(found.values())


def _movable(pose: ObjectPose, kind: str, seen: Sequence[tuple[float, float]]) -> Thing:
    place: Vec = (float(pose.position.x), float(pose.position.y), float(pose.position.z))
    rotation: Vec = (float(pose.rotation.x), float(pose.rotation.y), float(pose.rotation.z))
    standing = stand(recentred(movable_box(pose.type), seen), place, rotation)
    thing = Thing(
        id=official_id(pose.type, place),
        type=kind,
        position=rounded(standing.position),
        size=standing.size,
        yaw=standing.yaw,
        pivot=standing.pivot,
        name=pose.object_name,
        open=kind in OPEN_AT_START,
    )
    return msgspec.structs.replace(thing, slices=piece_count(thing))


def official_id(kind: str, place: Vec) -> str:
    """An id as AI2-THOR writes it, in which a zero has no sign."""
    return object_id(kind, place).replace("-00.00", "00.00").replace("+00.00", "00.00")


def _switched(things: Sequence[Thing], start: Start) -> list[Thing]:
    """Lamps are off or on as the start says; all else that can be switched is off."""
    on = {each.object_type: each.is_on for each in start.object_toggles}
    return [
        msgspec.structs.replace(thing, on=on.get(thing.type, False)) if thing.can("toggle") else thing
        for thing in things
    ]


def _dirty(thing: Thing) -> Thing:
    return msgspec.structs.replace(thing, dirty=thing.can("dirty"), liquid="")
