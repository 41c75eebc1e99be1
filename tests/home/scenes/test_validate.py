"""Faults that are put into a room are found and named."""

from __future__ import annotations

import msgspec
import pytest

from housemates.home.scenes import load, scene_ids
from housemates.home.scenes.validate import faults
from housemates.home.things import Scene, Structure, Thing, to_world

SCENE = load("bathroom-05")


def changed(kind: str, scene: Scene = SCENE, **fields: object) -> Scene:
    """The scene with other values for the first thing of a type."""
    first = next(thing for thing in scene.things if thing.type == kind)
    new = msgspec.structs.replace(first, **fields)
    return msgspec.structs.replace(
        scene, things=tuple(new if thing is first else thing for thing in scene.things)
    )


def find(scene: Scene, kind: str) -> Thing:
    return next(thing for thing in scene.things if thing.type == kind)


def kinds(scene: Scene) -> set[tuple[str, str]]:
    return {(fault.kind, fault.thing.split("|")[0]) for fault in faults(scene)}


@pytest.mark.parametrize(
    "name", [name for split in ("seen", "unseen") for name in scene_ids(split=split)[::7]]
)
def test_shipped_rooms_have_no_faults(name: str) -> None:
    assert faults(load(name)) == []


def test_a_thing_in_another_overlaps_it() -> None:
    found = faults(changed("GarbageCan", position=find(SCENE, "Toilet").position))
    can = find(SCENE, "GarbageCan").id
    assert any(fault.kind == "overlap" and can in fault.message for fault in found)


def test_a_thing_in_the_air_floats() -> None:
    x, _, z = SCENE.agent.position
    assert ("floating", "SoapBottle") in kinds(changed("SoapBottle", position=(x, 1.2, z), parents=()))


def test_what_a_room_needs_is_missed() -> None:
    without = tuple(thing for thing in SCENE.things if thing.type != "Plunger")
    assert ("missing", "Plunger") in kinds(msgspec.structs.replace(SCENE, things=without))


def test_an_agent_in_a_wall_has_no_room() -> None:
    agent = msgspec.structs.replace(SCENE.agent, x=50.0)
    assert ("agent", "agent") in kinds(msgspec.structs.replace(SCENE, agent=agent))


def test_a_wall_through_the_room_cuts_it_in_two() -> None:
    scene = load("bedroom-03")
    floor = find(scene, "Floor")
    half = floor.size[2] / 2
    wall = Structure((-0.55, 0.0, -half), (-0.45, 2.5, half), "wall")
    found = kinds(msgspec.structs.replace(scene, structures=(*scene.structures, wall)))
    assert ("disconnected", "agent") in found


def test_a_thing_behind_a_wall_of_its_own_is_unreachable() -> None:
    plunger = find(SCENE, "Plunger")
    x, _, z = plunger.position
    box = Structure((x - 0.15, 0.0, z - 0.15), (x + 0.15, 1.7, z + 0.15), "wall")
    found = kinds(msgspec.structs.replace(SCENE, structures=(*SCENE.structures, box)))
    assert ("unreachable", "Plunger") in found


def test_a_drawer_with_something_before_it_is_blocked() -> None:
    drawer, can = find(SCENE, "Drawer"), find(SCENE, "GarbageCan")
    before = to_world(drawer, (0.0, 0.0, drawer.size[2] / 2 + can.size[2] / 2 + 0.05))
    assert ("blocked", "Drawer") in kinds(changed("GarbageCan", position=(before[0], 0.0, before[2])))


def test_a_thin_thing_in_a_wall_overlaps_it_too() -> None:
    kitchen = load("kitchen-05")
    low = find(kitchen, "Floor").size[0] / 2
    scene = changed("Fork", kitchen, position=(low, 0.92, 0.0), parents=())
    assert ("overlap", "Fork") in kinds(scene)
