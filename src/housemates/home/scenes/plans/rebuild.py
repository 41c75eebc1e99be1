"""A scene from the AI2-THOR records of one state, truer with what is known about its plan."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from housemates.home import placement
from housemates.home.kinds import BASIN_TYPES
from housemates.home.navigation import Cell, grid, reachable
from housemates.home.scenes.plans import links, surfaces
from housemates.home.scenes.plans.dishes import inside
from housemates.home.scenes.plans.doors import WITH_DOORS, double, with_door
from housemates.home.scenes.plans.knowledge import PlanKnowledge
from housemates.home.scenes.plans.orientation import Rect, face_room, footprint, front_side
from housemates.home.scenes.plans.pieces import piece_count
from housemates.home.scenes.plans.records import thing_from_record
from housemates.home.scenes.plans.slots import cavity, recorded_microwave, slot
from housemates.home.things import (
    AGENT_HEIGHT_M,
    GRID_M,
    Agent,
    Scene,
    Structure,
    Thing,
    Zone,
    thor_position,
    to_local,
    to_world,
    turned,
)
from housemates.home.types import Vec
from housemates.home.world import World

ROOMS = {0: "kitchen", 2: "living room", 3: "bedroom", 4: "bathroom"}
BUILT_IN = (
    "Cabinet", "Drawer", "Fridge", "Sink", "SinkBasin", "Bathtub", "BathtubBasin", "Toilet", "StoveKnob",
    "StoveBurner", "Faucet", "Window", "Curtains", "Blinds", "Mirror", "LightSwitch", "TowelHolder",
    "HandTowelHolder", "ToiletPaperHanger", "ShowerHead", "ShowerDoor", "ShowerCurtain", "ShowerGlass",
    "Painting", "Poster",
)  # fmt: skip
COUNTER_M = 1.1
"""Cabinets that end below this stand under a counter."""
WALL_M = 0.1
WALL_HEIGHT_M = 2.6


def room_of(plan: str) -> str:
    """The kind of room an iTHOR floor plan is, by its number."""
    number = re.search(r"\d+", plan)
    return ROOMS.get(int(number.group()) // 100 if number else 0, "kitchen")


def rebuild(
    plan: str,
    objects: Sequence[Mapping[str, Any]],
    agent: Mapping[str, Any],
    knowledge: PlanKnowledge | None = None,
) -> Scene:
    """Make a scene of object records and an agent record.

    Args:
        plan: The floor plan's name, such as `FloorPlan6`.
        objects: Full AI2-THOR records, as in a TEACh game's initial state.
        agent: Record with `position`, `rotation` and `cameraHorizon`.
        knowledge: What other games taught about the plan.
    """
    known = knowledge or PlanKnowledge(plan)
    things = _unique(thing_from_record(record, plan) for record in objects)
    recorded = {thing.id: thing for thing in things}
    start = _agent(agent)
    floor_y = start.y - AGENT_HEIGHT_M
    things = [_on_floor_level(thing, floor_y) for thing in things]
    floor = _floor(things)
    cells = known.walked | known.layout
    things = [_faced(thing, cells, floor, floor_y, known) for thing in things]
    things = [_with_zones(thing, recorded[thing.id], known) for thing in things]
    things = [_with_levels(thing, things, known) for thing in things]
    walked = surfaces.walked_points(cells)
    things = [_cut_out(thing, recorded[thing.id], things, walked, known) for thing in things]
    things = _linked(things, known, cells, floor)
    scene = Scene(
        id=plan,
        room=room_of(plan),
        things=tuple(things),
        agent=start,
        structures=tuple(_structures(things, floor, floor_y)),
        floor_y=floor_y,
    )
    return msgspec.structs.replace(scene, walkable=_walkable(scene, known))


def _unique(things: Iterable[Thing]) -> list[Thing]:
    found: dict[str, Thing] = {}
    for thing in things:
        found.setdefault(thing.id, thing)
    listed = {name: tuple(p for p in thing.parents if p in found) for name, thing in found.items()}
    parents = {
        name: tuple(parent for parent in holders if name not in _above(listed, parent))
        for name, holders in listed.items()
    }
    return [
        msgspec.structs.replace(thing, parents=parents[thing.id], slices=piece_count(thing))
        for thing in found.values()
    ]


def _above(parents: Mapping[str, tuple[str, ...]], name: str) -> set[str]:
    """Everything that holds a thing. Pots that touch are recorded as holding each other: neither does."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for parent in parents[waiting.pop()]:
            if parent not in found:
                found.add(parent)
                waiting.append(parent)
    return found


def _agent(record: Mapping[str, Any]) -> Agent:
    place = record["position"]
    return Agent(
        x=float(place["x"]),
        z=float(place["z"]),
        y=float(place["y"]),
        rotation=round(record["rotation"]["y"] / 90) * 90 % 360,
        horizon=round(record["cameraHorizon"]),
    )


def _on_floor_level(thing: Thing, floor_y: float) -> Thing:
    if thing.type != "Floor":
        return thing
    x, _, z = thing.position
    return msgspec.structs.replace(
        thing, position=(x, floor_y, z), size=(thing.size[0], 0.01, thing.size[2]), yaw=0.0
    )


def _floor(things: Sequence[Thing]) -> Rect:
    floors = [footprint(thing) for thing in things if thing.type == "Floor"]
    boxes = floors or [footprint(thing) for thing in things]
    return Rect(
        min(box.x0 for box in boxes),
        min(box.z0 for box in boxes),
        max(box.x1 for box in boxes),
        max(box.z1 for box in boxes),
    )


def _faced(
    thing: Thing, cells: set[tuple[int, int]], floor: Rect, floor_y: float, known: PlanKnowledge
) -> Thing:
    if thing.type == "Microwave":
        return recorded_microwave(thing, floor_y)
    if thing.type not in BUILT_IN or thing.yaw:
        return thing
    faced = face_room(thing, cells, floor)
    if thing.type == "Cabinet" and thing.position[1] + thing.size[1] < floor_y + COUNTER_M:
        faced = msgspec.structs.replace(faced, shape="low_cabinet")
    if faced.yaw % 90:
        return faced
    if thing.type == "SinkBasin":
        faced = msgspec.structs.replace(faced, shape=surfaces.WIDE_BASIN)
    if thing.type in WITH_DOORS:
        if known.unwalked and thing.type == "Fridge":
            return double(faced)
        faced = with_door(faced, known.doors.get(thing.id), known.looks.get(thing.id, ()))
    return faced


def _with_levels(thing: Thing, things: Sequence[Thing], known: PlanKnowledge) -> Thing:
    if thing.type not in (*surfaces.SEVERAL_LEVELS, *surfaces.ONE_LEVEL, "CounterTop"):
        return thing
    low, high = surfaces.level_range(thing)
    resting = surfaces.resting_heights(thing, things)
    heights = [height for height in resting + known.heights.get(thing.id, []) if low < height < high]
    thing = msgspec.structs.replace(thing, levels=surfaces.levels(thing, heights))
    if thing.zones and thing.type in surfaces.SEVERAL_LEVELS:
        return surfaces.shelved(thing, placement.heights(thing))
    return surfaces.settled(thing, resting) if thing.type in surfaces.ONE_LEVEL else thing


def _with_zones(thing: Thing, recorded: Thing, known: PlanKnowledge) -> Thing:
    """A receptacle with its zones, which are known in the frame that its record gave it."""
    if not thing.kind.can("receptacle"):
        return thing
    zones = tuple(_zone_in_frame(thing, recorded, zone) for zone in known.zones.get(thing.id, ()))
    if thing.type == "Microwave":
        zones = (cavity(thing, zones),)
    return msgspec.structs.replace(thing, zones=zones or slot(thing) or inside(thing))


def _zone_in_frame(thing: Thing, recorded: Thing, zone: Zone) -> Zone:
    yaw = (zone.yaw + recorded.yaw - thing.yaw) % 360
    corners = []
    for corner in ((zone.x0, zone.z0), (zone.x1, zone.z1)):
        x, z = turned(*corner, zone.yaw)
        place = _in_frame(thing, recorded, x, zone.y, z)
        corners.append(turned(place[0], place[2], -yaw))
    return Zone(*corners[0], *corners[1], place[1], yaw)


def _in_frame(thing: Thing, recorded: Thing, x: float, y: float, z: float) -> Vec:
    """A place that is known from the pivot of a record, in the frame of the thing made of it."""
    pivot = recorded.pivot
    return to_local(thing, to_world(recorded, (pivot[0] + x, pivot[1] + y, pivot[2] + z)))


def _cut_out(
    thing: Thing,
    recorded: Thing,
    things: Sequence[Thing],
    walked: surfaces.Points,
    known: PlanKnowledge,
) -> Thing:
    if thing.type == "CounterTop":
        return surfaces.counter(thing, things, walked, _resting(thing, things, known))
    basin_type = BASIN_TYPES.get(thing.type)
    if basin_type:
        box = surfaces.footprint_of(thing)
        basins = [other for other in things if other.type == basin_type and _meets(box, other)]
        flat = msgspec.structs.replace(thing, yaw=0.0, size=_size_of(box, thing))
        return surfaces.rim(_with_zones(flat, recorded, known), basins)
    return thing


def _resting(counter: Thing, things: Sequence[Thing], known: PlanKnowledge) -> surfaces.Points:
    """Where things rest on a counter, now or in other games."""
    x, _, z = thor_position(counter)
    here = [(thing.position[0], thing.position[2]) for thing in things if counter.id in thing.parents[:1]]
    there = [(x + place.x, z + place.z) for place in known.seen.get(counter.id, ()) if place.times > 1]
    return np.array([*here, *there], dtype=np.float64).reshape(-1, 2)


def _size_of(box: Rect, thing: Thing) -> tuple[float, float, float]:
    return (box.x1 - box.x0, thing.size[1], box.z1 - box.z0)


def _meets(box: Rect, other: Thing) -> bool:
    x, _, z = other.position
    return box.x0 <= x <= box.x1 and box.z0 <= z <= box.z1


def _linked(
    things: Sequence[Thing], known: PlanKnowledge, cells: set[tuple[int, int]], floor: Rect
) -> list[Thing]:
    hot = tuple(thing.id for thing in things if thing.type == "StoveBurner" and thing.temperature == "Hot")
    on = tuple(thing.id for thing in things if thing.type == "StoveKnob" and thing.on)
    burners = [surfaces.footprint_of(thing) for thing in things if thing.type == "StoveBurner"]
    front = front_side(_around(burners), cells, floor) if burners else 0.0
    looks = [*known.stove, links.StoveSeen(on, hot)]
    controls = {**links.faucet_basins(things), **links.knob_burners(things, looks, front)}
    return [msgspec.structs.replace(thing, controls=controls.get(thing.id, ())) for thing in things]


def _around(boxes: Sequence[Rect]) -> Rect:
    return Rect(
        min(box.x0 for box in boxes),
        min(box.z0 for box in boxes),
        max(box.x1 for box in boxes),
        max(box.z1 for box in boxes),
    )


def _structures(things: Sequence[Thing], floor: Rect, floor_y: float) -> Iterable[Structure]:
    """What is no object: the body of the stove, and the walls around everything."""
    burners = [thing for thing in things if thing.type == "StoveBurner"]
    if burners:
        box = _around([surfaces.footprint_of(burner) for burner in burners])
        knobs = [thing for thing in things if thing.type == "StoveKnob" and _meets(box, thing)]
        top = min(thing.position[1] for thing in burners + knobs) - 0.001
        yield Structure((box.x0, floor_y, box.z0), (box.x1, top, box.z1), "white enamel")
    x0, z0, x1, z1 = _room(things, floor)
    low, high = floor_y, floor_y + WALL_HEIGHT_M
    yield Structure((x0 - WALL_M, low, z0 - WALL_M), (x0, high, z1 + WALL_M), "wall")
    yield Structure((x1, low, z0 - WALL_M), (x1 + WALL_M, high, z1 + WALL_M), "wall")
    yield Structure((x0, low, z0 - WALL_M), (x1, high, z0), "wall")
    yield Structure((x0, low, z1), (x1, high, z1 + WALL_M), "wall")


def _room(things: Sequence[Thing], floor: Rect) -> Rect:
    """What is within the walls: all that stands on the floor, and all furniture even where it does not."""
    boxes = [(thing, surfaces.footprint_of(thing)) for thing in things if thing.type != "Floor"]
    inner = _around([box for _, box in boxes])
    within = Rect(
        max(floor.x0, inner.x0), max(floor.z0, inner.z0), min(floor.x1, inner.x1), min(floor.z1, inner.z1)
    )
    return _around([within, *(box for thing, box in boxes if not thing.kind.can("pickup"))])


def _walkable(scene: Scene, known: PlanKnowledge) -> tuple[tuple[int, int], ...] | None:
    """Where people walked, and where ALFRED's layout and the furniture both leave room.

    Where nobody walked, either of them is believed: the layouts lack the cells next to counters and tables.
    """
    if not known.walked and not known.layout:
        return None
    start = (round(scene.agent.x / GRID_M), round(scene.agent.z / GRID_M))
    if known.unwalked:
        return tuple(sorted(_roomy(scene, known.layout | {start})))
    free = set(grid(World(msgspec.structs.replace(scene, structures=()))).cells())
    cells = known.walked | {cell for cell in known.layout if Cell(*cell) in free}
    return tuple(sorted(cells | {start}))


def _roomy(scene: Scene, cells: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """These cells, and all that furniture and walls leave free and one can walk to."""
    free = grid(World(scene)).cells()
    joined = msgspec.structs.replace(scene, walkable=tuple(sorted(cells.union(free))))
    return cells | reachable(World(joined))
