"""Floor plans as ALFRED's files tell them, which were made with version 2 of AI2-THOR."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import numpy as np

from housemates.benchmarks.alfred.formats.episodes import TRAJECTORIES, ObjectPose, Start
from housemates.benchmarks.alfred.formats.ingestion import plan_of
from housemates.benchmarks.alfred.formats.rooms import asset_name
from housemates.benchmarks.alfred.formats.scenes import Middles, furnished_plan, lying, movable_things
from housemates.benchmarks.alfred.formats.support import parents_of
from housemates.data.store import Store
from housemates.home.geometry import part_boxes
from housemates.home.scenes.contents import make, places, settle
from housemates.home.scenes.plans.knowledge import PlanKnowledge
from housemates.home.scenes.tables import room_table
from housemates.home.things import AGENT_HEIGHT_M, Scene, Thing
from housemates.home.types import object_type
from housemates.home.world import World
from housemates.thor.ids import thor_id

SEED = 0
"""Draws where things are in plans of which nothing but the furniture is known."""

SUNK_M = 0.012
"""Small things whose bases are so little below a surface lie on it; shapes are known no better."""
ABOVE_M = 0.002


def scene_of_plan(known: PlanKnowledge, store: Store, spare: list[Thing]) -> Scene:
    """A plan with its furniture by ALFRED's names, all off, and small things.

    They are where a demonstration has them, else where `spare` tells, else where such things usually are.
    """
    start = _demonstrated(known, store)
    small = spare if start is None else small_things(start.object_poses, known.plan, known.middles)
    scene = furnished(known, small, AGENT_HEIGHT_M if start is None else float(start.init_action.y))
    still = [msgspec.structs.replace(thing, on=False) if thing.on else thing for thing in scene.things]
    scene = msgspec.structs.replace(scene, things=tuple(raised(parents_of([*still, *small]))))
    return scene if small else strewn(scene)


def furnished(known: PlanKnowledge, small: list[Thing], agent_y: float) -> Scene:
    """A plan's furniture, whose surfaces fit what lies on them where no demonstration tells of them."""
    if not known.rests:
        known = msgspec.structs.replace(known, rests=set(lying(small)))
    return furnished_plan(known, agent_y)


def _demonstrated(known: PlanKnowledge, store: Store) -> Start | None:
    """How the first demonstration in a plan begins."""
    for text in TRAJECTORIES.texts(store.teachers(known.plan, "alfred"), []):
        if f'"{known.plan}"' in text.text and plan_of(text) == known.plan:
            return text.parse().scene
    return None


def raised(things: list[Thing]) -> list[Thing]:
    """The same with small things on top of the cloth or the board that would just hide them.

    What is in something that can be shut stays where it is.
    """
    shut_in = {thing.id for thing in things if thing.can("open")}
    still = [thing for thing in things if thing.solid and not thing.can("pickup") and not thing.can("open")]
    covers = np.concatenate([np.empty((0, 6)), *map(part_boxes, still)])
    found = []
    for thing in things:
        if thing.can("pickup") and shut_in.isdisjoint(thing.parents):
            x, y, z = thing.position
            top = y + thing.size[1]
            over = covers[
                (covers[:, 0] < x) & (x < covers[:, 3]) & (covers[:, 2] < z) & (z < covers[:, 5])
                & (covers[:, 1] < top) & (covers[:, 4] > y) & (covers[:, 4] < y + SUNK_M)
            ]  # fmt: skip
            if len(over):
                thing = msgspec.structs.replace(thing, position=(x, float(over[:, 4].max()) + ABOVE_M, z))
        found.append(thing)
    return found


def small_things(poses: Iterable[ObjectPose], source: str, middles: Middles | None) -> list[Thing]:
    """The small things of some poses, with the ids that AI2-THOR gives them there.

    Args:
        poses: Assets and where they are.
        source: Names the plan in errors.
        middles: Where the middles of assets were seen, if anything is known about that.
    """
    found: dict[str, Thing] = {}
    for pose in poses:
        (thing,) = movable_things([pose], source, middles)
        place = (float(pose.position.x), float(pose.position.y), float(pose.position.z))
        name = thor_id(pose.type, place)
        found.setdefault(name, msgspec.structs.replace(thing, id=name))
    return list(found.values())


def strewn(scene: Scene) -> Scene:
    """A scene with as many small things as rooms of its kind have, the largest first."""
    world, rng = World(scene), np.random.default_rng(SEED)
    contents = room_table(scene.room).contents
    for name in sorted(contents, key=lambda name: (-float(np.prod(object_type(name).size)), name)):
        for _ in range(contents[name][1]):
            thing = make(object_type(name), rng)
            named = msgspec.structs.replace(thing, name=asset_name(thing), open=False)
            settle(world, named, places(world, name, rng), rng)
    return msgspec.structs.replace(scene, things=tuple(world.things.values()))
