"""What can be wrong with a scene, ours or a user's: overlaps, floating things, what nobody can reach."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from housemates.home.actions import act
from housemates.home.geometry import (
    bounding_box,
    clear_lines,
    count_in_view,
    nearest_distance,
    obstacles,
    part_boxes,
    sample_points,
)
from housemates.home.navigation import HEADINGS, Cell, Pose, agent_at, cell_of, grid, reachable
from housemates.home.scenes.tables import tables
from housemates.home.things import GRID_M, REACH_M, Scene, Thing
from housemates.home.world import World

DEEP_M = 0.01
"""How far things may go into each other."""
TOUCH_M = 0.025
"""How near things must be to hold one another."""
HORIZONS = (30, 0, 60, -30)
USED = ("pickup", "open", "toggle", "receptacle", "slice", "fill")
"""What makes it matter whether a thing can be reached."""
BACK_M = 0.9
"""How far from a door or drawer one stands to open it, by preference."""


Bounds = npt.NDArray[np.float64]


class Fault(NamedTuple):
    """One thing that is wrong."""

    kind: str
    """overlap, floating, blocked, unreachable, disconnected, missing or agent."""
    thing: str
    """The object's id, or its type if it is missing."""
    message: str


def faults(scene: Scene) -> list[Fault]:
    """Everything that is wrong with a scene."""
    world = World(scene)
    found = [*_overlaps(world), *_floating(world), *_missing(world)]
    open_passages(world)
    found += _nowhere_to_stand(world)
    if any(fault.kind == "agent" for fault in found):
        return found
    return [*found, *_out_of_reach(world)]


class Boxes(NamedTuple):
    """The boxes of all parts in a world and of the building, with whose each is."""

    bounds: Bounds
    owner: npt.NDArray[np.int64]
    """Index of the thing; -1 for the building."""
    hollow: npt.NDArray[np.bool_]
    """Whether the part is a vessel that things lie in."""


def _boxes(world: World, things: list[Thing]) -> Boxes:
    rows, owner, hollow = [], [], []
    for number, thing in enumerate(things):
        if thing.solid and thing.id != world.agent.held:
            rows.append(part_boxes(thing))
            owner += [number] * len(rows[-1])
            hollow += [part.kind in ("bowl", "tube") for part in thing.shape_parts()]
    shell = np.array([(*each.lo, *each.hi) for each in world.scene.structures]).reshape(-1, 6)
    rows.append(shell)
    return Boxes(
        np.concatenate(rows),
        np.array(owner + [-1] * len(shell)),
        np.array(hollow + [False] * len(shell), dtype=bool),
    )


def _overlap(one: Bounds, others: Bounds) -> Bounds:
    """How far each box of one thing and each of the others share space, along each axis."""
    low = np.maximum(one[:, None, :3], others[None, :, :3])
    high = np.minimum(one[:, None, 3:], others[None, :, 3:])
    shared: Bounds = high - low
    return shared


def _slack(one: Bounds, others: Bounds) -> Bounds:
    """How much of that is allowed: a centimetre, for a fork or a card half of how thin it is."""
    thin = np.minimum((one[:, 3:] - one[:, :3])[:, None], (others[:, 3:] - others[:, :3])[None])
    allowed: Bounds = np.minimum(DEEP_M, thin / 2)
    return allowed


def _overlaps(world: World) -> Iterator[Fault]:
    things = list(world.things.values())
    boxes = _boxes(world, things)
    for number, thing in enumerate(things):
        for other in _entered(world, thing, number, things, boxes):
            yield Fault("overlap", thing.id, f"{thing.id} goes through {other}.")


def _entered(world: World, thing: Thing, number: int, things: list[Thing], boxes: Boxes) -> list[str]:
    """What a thing goes through, of the building and the things that come after it."""
    mine = boxes.owner == number
    theirs = (boxes.owner > number) | (boxes.owner == -1)
    shared = _overlap(boxes.bounds[mine], boxes.bounds[theirs])
    inside = (shared > _slack(boxes.bounds[mine], boxes.bounds[theirs])).all(axis=2)
    if not inside.any():
        return []
    deep, owners = (shared > DEEP_M).all(axis=2), boxes.owner[theirs]
    vessel, content = boxes.hollow[mine][:, None], boxes.hollow[theirs][None, :]
    names = []
    for owner in sorted(set(owners[inside.any(axis=0)].tolist())):
        hit = inside & (owners == owner)[None, :]
        if owner >= 0:
            other = things[owner]
            if thing.id in (above.id for above in world.ancestors(other)):
                hit = hit & deep & ~vessel
            if other.id in (above.id for above in world.ancestors(thing)):
                hit = hit & deep & ~content
        if hit.any():
            names.append(things[owner].id if owner >= 0 else "the building")
    return names


def _floating(world: World) -> Iterator[Fault]:
    things = list(world.things.values())
    boxes = _boxes(world, things)
    for number, thing in enumerate(things):
        if thing.type == "Floor" or not thing.solid or world.in_hand(thing):
            continue
        others = boxes.bounds[boxes.owner != number]
        box = part_boxes(thing)
        if thing.kind.can("pickup"):
            lo, hi = bounding_box(thing)
            box = np.array([(lo[0], lo[1], lo[2], hi[0], lo[1] + 0.001, hi[2])])
        touches = (_overlap(box, others).min(axis=2) > -TOUCH_M).any()
        if not touches and thing.position[1] > world.scene.floor_y + TOUCH_M:
            yield Fault("floating", thing.id, f"{thing.id} rests on nothing.")


def _missing(world: World) -> Iterator[Fault]:
    table = tables().rooms.get(world.scene.room)
    there = {thing.type for thing in world.things.values()}
    for kind in table.needs if table else ():
        if kind not in there:
            yield Fault("missing", kind, f"There is no {kind} in this {world.scene.room}.")


def _nowhere_to_stand(world: World) -> Iterator[Fault]:
    here = cell_of(world.agent)
    if not grid(world).at(2 * here.x, 2 * here.z):
        yield Fault("agent", "agent", f"The agent does not fit at ({world.agent.x}, {world.agent.z}).")
        return
    cut_off = len(set(grid(world).cells()) - reachable(world))
    if cut_off:
        yield Fault("disconnected", "agent", f"The agent cannot walk to {cut_off} of the free places.")


def _out_of_reach(world: World) -> Iterator[Fault]:
    """Whatever the agent cannot see and touch, after opening what holds it or hangs before it."""
    start = world.snapshot()
    cells = reachable(world)
    hidden = []
    for thing in start.things.values():
        if not thing.solid or thing.type == "Floor" or not set(USED) & thing.kind.affords:
            continue
        if world.enclosing(thing) is not None:
            continue
        if thing.kind.passage and thing.open and (hit := entered(world, thing)):
            yield Fault("blocked", thing.id, f"{thing.id} hits {hit[0]} when it opens.")
        if thing.can("open") and not thing.open and not thing.kind.can("pickup"):
            yield from _behind_a_door(world, thing, cells)
            world.restore(start)
        elif not usable(world, thing, cells):
            hidden.append(thing)
    if hidden:
        draw_screens(world)
        cells = reachable(world)
    for thing in hidden:
        if not usable(world, thing, cells):
            yield Fault("unreachable", thing.id, f"{thing.id} can be seen and reached from nowhere.")
    world.restore(start)


def open_passages(world: World) -> None:
    """Open every door between rooms that can be opened."""
    for thing in list(world.things.values()):
        if thing.kind.passage and thing.can("open"):
            world.update(thing, open=True)


def draw_screens(world: World) -> None:
    """Open what hangs before things without holding them: shower doors and curtains."""
    for thing in list(world.things.values()):
        if thing.kind.can("open") and not thing.kind.can("pickup") and not thing.kind.can("receptacle"):
            world.update(thing, open=True)


def _behind_a_door(world: World, door: Thing, cells: set[Cell]) -> Iterator[Fault]:
    hidden = [other for other in world.contents_deep(door) if world.enclosing(other) is not None]
    if not open_door(world, door, cells):
        yield Fault(
            "blocked", door.id, f"{door.id} cannot be opened from anywhere without shutting the agent in."
        )
        return
    hit = entered(world, world.things[door.id])
    if hit:
        yield Fault("blocked", door.id, f"{door.id} hits {hit[0]} when it opens.")
    around = reachable(world)
    for thing in hidden:
        if not usable(world, world.things[thing.id], around):
            message = f"{thing.id} can be reached from nowhere, even when {door.id} is open."
            yield Fault("unreachable", thing.id, message)


def entered(world: World, thing: Thing) -> list[str]:
    """What of the building and the other things a thing would go through, standing as it does."""
    things = [thing, *(other for other in world.things.values() if other.id != thing.id)]
    return _entered(world, thing, 0, things, _boxes(world, things))


def open_door(world: World, door: Thing, cells: set[Cell]) -> bool:
    """Open a door or drawer from the first place where the agent can without shutting itself in."""
    before = world.snapshot()
    for pose in poses(world, door, cells, BACK_M):
        world.agent = agent_at(world.agent, pose)
        if act(world, "Open", target=door.id).success and len(reachable(world)) > len(cells) / 2:
            return True
        world.restore(before)
    return False


def usable(world: World, thing: Thing, cells: set[Cell]) -> bool:
    """Whether the agent can see and reach a thing from somewhere, and take it if it can be taken."""
    for pose in poses(world, thing, cells):
        if not thing.kind.can("pickup") or _can_take(world, thing, pose):
            return True
    return False


def _can_take(world: World, thing: Thing, pose: Pose) -> bool:
    before = world.snapshot()
    world.agent = msgspec.structs.replace(agent_at(world.agent, pose), held="")
    taken = act(world, "Pickup", target=thing.id).success
    world.restore(before)
    return taken


def poses(world: World, thing: Thing, cells: set[Cell], away: float = 0.0) -> Iterator[Pose]:
    """Poses from which a thing is seen and reached, those nearest to `away` metres from it first."""
    ignore = frozenset([thing.id, *(other.id for other in world.contents_deep(thing))])
    boxes = obstacles(world, ignore)
    points = np.array(list(sample_points(thing)))
    x, _, z = thing.position
    near = []
    for cell in cells:
        flat = float(np.hypot(cell.x * GRID_M - x, cell.z * GRID_M - z))
        if flat < REACH_M + max(thing.size):
            near.append((round(abs(flat - away), 6), cell))
    for _, cell in sorted(near):
        spot = agent_at(world.agent, Pose(cell.x, cell.z, 0, 0))
        if nearest_distance(thing, spot.position) <= REACH_M - 0.02:
            yield from _looks(world, cell, points[clear_lines(spot.eye, points, boxes)])


def _looks(world: World, cell: Cell, seen: npt.NDArray[np.float64]) -> Iterator[Pose]:
    """For each heading, how the agent can look from a cell to have one of these points in view."""
    for rotation in HEADINGS if len(seen) else ():
        heading = agent_at(world.agent, Pose(cell.x, cell.z, rotation, 0))
        counts = count_in_view(heading, seen, HORIZONS)
        if any(counts):
            yield Pose(cell.x, cell.z, rotation, HORIZONS[counts.index(max(counts))])
