"""Making rooms: a layout is drawn, furnished and filled, and drawn again until it has no faults."""

from __future__ import annotations

import msgspec
import numpy as np

from housemates.errors import HousematesError
from housemates.home.geometry import point_in_view
from housemates.home.navigation import HEADINGS, Pose, agent_at, grid, reachable
from housemates.home.scenes import bathroom, bedroom, contents, furniture, kitchen, living_room
from housemates.home.scenes.groups import GROUPS
from housemates.home.scenes.plan import NoRoom, RoomPlan
from housemates.home.scenes.tables import RoomTable, room_table
from housemates.home.scenes.validate import Fault, faults
from housemates.home.scenes.walls import build_walls
from housemates.home.things import GRID_M, Agent, Scene
from housemates.home.types import object_type
from housemates.home.world import World

ATTEMPTS = 60
MODULES = (bathroom, bedroom, furniture, kitchen, living_room)
"""Where the groups are defined."""


def generate_room(
    room: str, rng: np.random.Generator, family: str | None = None, scene_id: str = ""
) -> Scene:
    """A new room.

    Args:
        room: kitchen, living room, bedroom or bathroom.
        rng: Where all randomness comes from.
        family: Its layout, one of those in `rooms.toml`; by default any but those of the unseen split.
        scene_id: Its name.
    """
    table = room_table(room)
    room = room.replace("-", " ")
    usual = [name for name, each in table.families.items() if not each.unseen]
    chosen = family or usual[int(rng.integers(len(usual)))]
    if chosen not in table.families:
        raise HousematesError(
            f"Unknown layout {chosen!r} of a {room}: expected one of {', '.join(table.families)}."
        )
    for _ in range(ATTEMPTS):
        try:
            return _attempt(room, table, chosen, rng, scene_id)
        except NoRoom:
            continue
    raise HousematesError(f"No {room} of layout {chosen!r} came out in {ATTEMPTS} tries; take another seed.")


def _attempt(room: str, table: RoomTable, family: str, rng: np.random.Generator, name: str) -> Scene:
    plan = furnished(room, table, family, rng)
    scene = Scene(
        id=name,
        room=room,
        things=tuple(plan.things),
        agent=Agent(x=0.0, z=0.0),
        structures=tuple(plan.structures),
    )
    world = World(scene)
    _enter(world, plan)
    contents.fill_with_things(world, plan, table, rng)
    contents.set_states(world, rng)
    return _mended(world, plan, rng)


def furnished(room: str, table: RoomTable, family: str, rng: np.random.Generator) -> RoomPlan:
    """A room with its furniture and walls, but nothing in it yet."""
    layout = table.families[family]
    width, depth = (_side(rng, low, high) for low, high in (layout.width, layout.depth))
    first = int(rng.integers(4))
    plan = RoomPlan(room, *((depth, width) if first % 2 else (width, depth)), rng, first)
    floors = object_type("Floor").looks
    plan.things[0] = msgspec.structs.replace(plan.things[0], look=floors.index(plan.choice(table.floors)))
    for group in layout.groups:
        GROUPS[group](plan, layout)
    for group, often in table.extras.items():
        if plan.chance(often):
            try:
                GROUPS[group](plan, layout)
            except NoRoom:
                if often == 1.0:
                    raise
    missing = set(table.needs) - set(table.contents) - {thing.type for thing in plan.things}
    if missing:
        raise NoRoom(f"no {min(missing)}")
    build_walls(plan, plan.choice(table.walls))
    return plan


def _side(rng: np.random.Generator, low: float, high: float) -> float:
    steps = round((high - low) / (2 * GRID_M))
    return low + 2 * GRID_M * int(rng.integers(steps + 1))


def _enter(world: World, plan: RoomPlan) -> None:
    """Stand the agent inside the door, looking where most of the furniture is."""
    x, z = plan.entrance
    free = grid(world).cells()
    if not free:
        raise NoRoom("nowhere to stand")
    cell = min(free, key=lambda each: ((each.x * GRID_M - x) ** 2 + (each.z * GRID_M - z) ** 2, each))
    looks = [agent_at(world.agent, Pose(cell.x, cell.z, rotation, 30)) for rotation in HEADINGS]
    points = [thing.position for thing in world.things.values()]
    world.agent = max(looks, key=lambda agent: sum(point_in_view(agent, point) for point in points))
    if len(reachable(world)) < len(free):
        raise NoRoom("the room is not connected")


def _mended(world: World, plan: RoomPlan, rng: np.random.Generator) -> Scene:
    """The scene without faults: small things that cannot be got at are put elsewhere a few times."""
    for _ in range(4):
        scene = msgspec.structs.replace(world.scene, things=tuple(world.things.values()), agent=world.agent)
        found = faults(scene)
        if not found:
            return scene
        for fault in found:
            _mend(world, plan, fault, rng)
    raise NoRoom("some faults stay")


def _mend(world: World, plan: RoomPlan, fault: Fault, rng: np.random.Generator) -> None:
    thing = world.things.get(fault.thing)
    if thing is None or not thing.kind.can("pickup") or world.contents(thing):
        raise NoRoom(fault.message)
    del world.things[thing.id]
    if not contents.put_somewhere(world, plan, thing.type, rng):
        raise NoRoom(fault.message)
