"""Setting a scene up: poses and states of many things at once, and things strewn at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import numpy as np

from housemates.benchmarks.alfred.formats.assets import stand
from housemates.benchmarks.alfred.formats.episodes import ObjectPose, Xyz
from housemates.benchmarks.alfred.formats.support import parents_of
from housemates.benchmarks.alfred.tasks.goals import home_type
from housemates.home.actions import force
from housemates.home.containment import is_shut
from housemates.home.metadata import object_metadata
from housemates.home.scenes.contents import places, settle
from housemates.home.things import Scene, Thing
from housemates.home.types import Vec, object_types
from housemates.home.world import World, rounded
from housemates.thor.alfred_plans import furnished, raised, small_things
from housemates.thor.arguments import Arguments, is_number, is_vector
from housemates.thor.ids import thor_id
from housemates.thor.replies import INVALID_ARGUMENT, Refused
from housemates.thor.scenes import Place, Record, asset, box_around
from housemates.thor.simulation import Simulation, answers

FAR_M = 100.0
MOST_COPIES = 50
MOST_POSES = 2000
STATES = {
    "CanOpen": ("open", "Open", "Close"),
    "CanToggleOnOff": ("on", "ToggleOn", "ToggleOff"),
    "CanBeDirty": ("dirty", "Dirty", "Clean"),
    "CanBeFilled": ("liquid", "Fill", "Empty"),
    "CanBeCooked": ("cooked", "Cook", ""),
    "CanBreak": ("broken", "Break", ""),
}
"""What SetStateOfAllObjects can change: the state, what brings it about and what ends it."""
FLAGS = {"isOpen": "open", "isToggled": "on", "isDirty": "dirty", "isBroken": "broken"}


@answers("SetObjectPoses", required=("objectPoses",))
def set_object_poses(simulation: Simulation, arguments: Arguments) -> None:
    """Have exactly these assets in the scene, in these poses; what is loose and not named is gone."""
    poses = arguments["objectPoses"]
    if len(poses) > MOST_POSES:
        raise Refused(f"objectPoses: no more than {MOST_POSES}")
    world, place = simulation.world, simulation.place
    small_only = simulation.settings.old or bool(arguments.get("skipMoveable"))
    found: dict[str, Thing] = {}
    for number, pose in enumerate(poses):
        thing = _posed(simulation.place, pose, number)
        if thing.can("pickup") or not small_only:
            found.setdefault(thing.id, thing)
    kept = [
        thing
        for thing in world.things.values()
        if thing.id not in found and not (thing.can("pickup") if small_only else place.loose(thing))
    ]
    scene = msgspec.structs.replace(world.scene, things=(*kept, *found.values()), agent=world.agent)
    simulation.refurnish(_resting(place, scene))


def _resting(place: Place, scene: Scene) -> Scene:
    """The scene with what each loose thing rests on; in a plan, told from its surfaces as they are known."""
    if place.old:
        return _on_furniture(place, scene)
    if place.records:
        scene = _rebuilt(place, scene)
    scene = msgspec.structs.replace(scene, things=tuple(parents_of(scene.things, place.loose)))
    return _rebuilt(place, scene) if place.records else scene


def _on_furniture(place: Place, scene: Scene) -> Scene:
    """The scene with what each small thing rests on, by the surfaces that ALFRED's files tell."""
    small = [thing for thing in scene.things if thing.can("pickup")]
    things = scene.things
    if place.knowledge is not None and not place.knowledge.rests:
        fitted = {thing.id: thing for thing in furnished(place.knowledge, small, scene.agent.y).things}
        things = tuple(_as_used(fitted.get(thing.id, thing), thing) for thing in scene.things)
    return msgspec.structs.replace(scene, things=tuple(raised(parents_of(things))))


def _as_used(fitted: Thing, thing: Thing) -> Thing:
    return msgspec.structs.replace(
        thing, levels=fitted.levels, parts=fitted.parts, zones=fitted.zones, shape=fitted.shape
    )


def _posed(place: Place, pose: Any, number: int) -> Thing:
    """The asset of a pose where it is to be."""
    given = pose if isinstance(pose, Mapping) else {}
    name, position, rotation = given.get("objectName"), given.get("position"), given.get("rotation") or {}
    if not (
        isinstance(name, str)
        and isinstance(position, Mapping)
        and is_vector(position)
        and is_vector(rotation)
    ):
        raise Refused(f"objectPoses[{number}]: expected objectName, position and rotation", INVALID_ARGUMENT)
    where, turns = _vec(position), _vec(rotation)
    if max(map(abs, where)) > FAR_M:
        raise Refused(f"objectPoses[{number}]: position is too far away")
    pattern = place.assets.get(asset(name))
    if pattern is None:
        return _usual(place, name, number, where, turns)
    standing = stand(box_around(pattern), where, turns)
    return msgspec.structs.replace(
        pattern,
        id=thor_id(pattern.id.split("|")[0] or pattern.type, where),
        name=name,
        position=rounded(standing.position),
        size=standing.size,
        yaw=standing.yaw,
        pivot=standing.pivot,
        parents=(),
    )


def _usual(place: Place, name: str, number: int, where: Vec, turns: Vec) -> Thing:
    """A thing of the class that an unknown asset is named after, with the usual box of the class."""
    if home_type(asset(name).split("_")[0]) not in object_types():
        raise Refused(f"objectPoses[{number}]: No object of name {name!r:.80} found in scene.")
    middles = None if place.knowledge is None else place.knowledge.middles
    pose = ObjectPose(asset(name), Xyz(*where), Xyz(*turns))
    (thing,) = small_things([pose], place.name, middles)
    return msgspec.structs.replace(thing, name=name)


def _vec(value: Mapping[str, float]) -> Vec:
    return (float(value.get("x", 0.0)), float(value.get("y", 0.0)), float(value.get("z", 0.0)))


def _rebuilt(place: Place, scene: Scene) -> Scene:
    """The plan made anew of AI2-THOR's records, so that its surfaces fit what is on them."""
    world = World(scene)
    agent = scene.agent
    records = [_record(place, world, thing) for thing in scene.things]
    made = place.furnished(
        records,
        {
            "position": dict(zip("xyz", agent.position, strict=True)),
            "rotation": {"y": float(agent.rotation)},
            "cameraHorizon": agent.horizon,
        },
    )
    known = {thing.id: thing for thing in scene.things}
    things = tuple(_as_before(thing, known.get(thing.id)) for thing in made.things)
    return msgspec.structs.replace(made, things=things)


def _record(place: Place, world: World, thing: Thing) -> Record:
    known = place.records.get(thing.id)
    if known is not None and not place.loose(thing):
        return {**known, **{flag: getattr(thing, state) for flag, state in FLAGS.items()}}
    return object_metadata(world, thing, False, [])


def _as_before(thing: Thing, before: Thing | None) -> Thing:
    """A rebuilt thing with what records do not tell."""
    if before is None:
        return thing
    return msgspec.structs.replace(
        thing, look=before.look, liquid=before.liquid, temperature=before.temperature
    )


@answers("SetObjectToggles", required=("objectToggles",))
def set_object_toggles(simulation: Simulation, arguments: Arguments) -> None:
    """Switch all things of some types on or off."""
    wanted: dict[str, bool] = {}
    for row in arguments["objectToggles"]:
        if not isinstance(row, Mapping) or not isinstance(row.get("objectType"), str):
            raise Refused("objectToggles: expected objectType and isOn", INVALID_ARGUMENT)
        wanted[home_type(row["objectType"])] = bool(row.get("isOn"))
    for thing in list(simulation.world.things.values()):
        if thing.type in wanted and thing.solid and thing.can("toggle") and thing.on != wanted[thing.type]:
            force(simulation.world, "ToggleOn" if wanted[thing.type] else "ToggleOff", target=thing.id)


@answers("SetStateOfAllObjects")
def set_state_of_all_objects(simulation: Simulation, arguments: Arguments) -> None:
    """Bring all things that can be in a state into it, or, without `forceAction`, out of it."""
    change = arguments.get("StateChange", arguments.get("stateChange"))
    if change not in STATES:
        raise Refused(f"StateChange: {change!s:.60} is not one of {', '.join(STATES)}")
    state, begin, end = STATES[change]
    wanted = bool(arguments.get("forceAction"))
    action = begin if wanted else end
    for thing in list(simulation.world.things.values()) if action else ():
        fit = action != "Break" or simulation.breaks(thing)
        if fit and thing.solid and bool(getattr(thing, state)) != wanted:
            force(simulation.world, action, target=thing.id)


@answers("MakeObjectsOfTypeUnbreakable", required=("objectType",))
def make_unbreakable(simulation: Simulation, arguments: Arguments) -> None:
    """Let nothing of a type break any more."""
    simulation.unbreakable.add(arguments["objectType"])


@answers("InitialRandomSpawn")
def initial_random_spawn(simulation: Simulation, arguments: Arguments) -> None:
    """Strew the small things over the places where such things are, the same way for the same seed."""
    rng = np.random.default_rng(abs(int(arguments.get("randomSeed", 0))))
    world = simulation.world
    avoided = set(arguments.get("excludedReceptacles", ()))
    stay = {*arguments.get("excludedObjectIds", ()), *(agent.held for agent in simulation.agents)}
    seen_only = bool(arguments.get("forceVisible"))
    copies = list(_copies(world, arguments.get("numDuplicatesOfType", ())))
    small = [thing for thing in world.things.values() if thing.solid and thing.can("pickup")]
    for index in rng.permutation(len(small)).tolist():
        thing = small[index]
        if thing.id in stay or world.contents(thing):
            continue
        before = world.snapshot()
        forget(world, thing)
        if _strewn(world, thing, rng, avoided, seen_only) is None:
            world.restore(before)
    for copy in copies:
        _strewn(world, copy, rng, avoided, seen_only)


def forget(world: World, thing: Thing) -> None:
    """Take a thing that holds nothing out of the world."""
    left = world.snapshot()
    world.restore(left._replace(things={k: v for k, v in left.things.items() if k != thing.id}, grid=None))


def _strewn(
    world: World, thing: Thing, rng: np.random.Generator, avoided: set[str], seen_only: bool
) -> Thing | None:
    options = (
        receptacle
        for receptacle in places(world, thing.type, rng)
        if receptacle.type not in avoided
        and receptacle.type != "Floor"
        and not world.in_hand(receptacle)
        and not (seen_only and (is_shut(receptacle) or world.enclosing(receptacle)))
    )
    return settle(world, thing, options, rng)


def _copies(world: World, wanted: Any) -> Iterator[Thing]:
    """Copies of things, so that there are as many of a type as is wanted."""
    there = Counter(thing.type for thing in world.things.values() if thing.solid)
    number = 0
    for row in wanted:
        given = row if isinstance(row, Mapping) else {}
        kind, count = given.get("objectType"), given.get("count")
        if not isinstance(kind, str) or count is None or not is_number(count):
            raise Refused("numDuplicatesOfType: expected objectType and count", INVALID_ARGUMENT)
        pattern = next((thing for thing in world.of_type(kind) if thing.solid and thing.can("pickup")), None)
        for _ in range(min(int(count), MOST_COPIES) - there[kind] if pattern is not None else 0):
            assert pattern is not None
            number += 1
            yield msgspec.structs.replace(pattern, name=f"{asset(pattern.name)}(Clone)_copy_{number}")
