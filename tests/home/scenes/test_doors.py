"""Doors of rebuilt plans: leaves and hinges from open boxes and from where people stood and pointed."""

from __future__ import annotations

import msgspec
import pytest

from housemates.home.scenes.plans.doors import Look, with_door
from housemates.home.scenes.plans.knowledge import PlanKnowledge
from housemates.home.scenes.plans.rebuild import rebuild
from housemates.home.scenes.plans.surfaces import walls
from housemates.home.things import Scene, Thing, Zone

FRIDGE = Thing("Fridge|1", "Fridge", (0.0, 0.0, 0.0), (0.8, 1.8, 0.7))
CABINET = Thing("Cabinet|1", "Cabinet", (0.0, 0.5, 0.0), (0.8, 0.6, 0.4), pivot=(0.0, 0.3, 0.2))
BEFORE = (0.0, 1.5, 1.5)


def look_at(x: float, action: str, eye: tuple[float, float, float] = BEFORE) -> Look:
    """From an eye at a point a little before the front of the fridge."""
    return Look(eye, (x - eye[0], 1.0 - eye[1], 0.5 - eye[2]), action)


def outermost(thing: Thing) -> tuple[float, float]:
    """How far an open thing reaches to its left and to its right."""
    parts = msgspec.structs.replace(thing, open=True).shape_parts()
    return min(part.lo[0] for part in parts), max(part.hi[0] for part in parts)


@pytest.mark.parametrize(("x", "mirrored"), [(-0.43, False), (0.43, True)])
def test_a_hinge_is_where_people_closed_the_door(x: float, mirrored: bool) -> None:
    assert with_door(FRIDGE, None, [look_at(x, "Close")] * 3).mirrored is mirrored


def test_a_door_on_both_sides_has_two_leaves() -> None:
    found = with_door(FRIDGE, None, [look_at(-0.43, "Close"), look_at(0.43, "Close")] * 3)
    assert found.shape == "fridge_double"


def test_a_hinge_is_not_where_people_looked_in() -> None:
    aside = (-1.0, 1.5, 0.6)
    assert with_door(FRIDGE, None, [Look(aside, (1.0, -0.5, -0.4), "Pickup")] * 3).mirrored


def test_a_hinge_is_not_where_people_stood_to_open_the_door() -> None:
    there = (-0.4, 1.5, 0.8)
    assert with_door(FRIDGE, None, [look_at(0.0, "Open", there)]).mirrored
    assert not with_door(FRIDGE, None, []).mirrored


def test_what_was_seen_open_counts_more_than_where_people_pointed() -> None:
    grown_left = (0.14, 0.0, 0.0, 0.66)
    assert not with_door(FRIDGE, grown_left, [look_at(0.43, "Close")] * 3).mirrored


def test_a_cabinet_that_opens_half_its_width_to_both_sides_has_two_leaves() -> None:
    double = with_door(CABINET, (0.01, 0.0, 0.01, 0.39), ())
    assert double.shape == "cabinet_double"
    assert outermost(double) == pytest.approx((-0.43, 0.43))


def test_a_leaf_narrower_than_its_cabinet_hangs_in_the_middle_of_it() -> None:
    narrow = with_door(CABINET, (0.0, 0.0, 0.0, 0.6), ())
    leaf = msgspec.structs.replace(narrow, open=True).shape_parts()[-2]
    assert leaf.lo[0] == pytest.approx(-0.3 - 0.012)
    assert leaf.hi[2] - leaf.lo[2] == pytest.approx(0.6)


def test_a_fridge_is_hollow_only_around_its_zones() -> None:
    zones = (Zone(-0.3, -0.2, 0.2, 0.1, 0.7), Zone(-0.3, -0.2, 0.2, 0.0, 1.2))
    shelved = msgspec.structs.replace(FRIDGE, zones=zones, levels=(0.7, 1.2))
    assert walls(shelved) == pytest.approx((0.09, 0.19, 0.14, 0.25, 0.35))
    hollow = msgspec.structs.replace(shelved, walls=walls(shelved), mirrored=True)
    shelves = [part for part in hollow.shape_parts() if part.support]
    assert [(part.lo[0], part.hi[2], part.hi[1]) for part in shelves] == [
        pytest.approx((-0.31, 0.1, 0.7)),
        pytest.approx((-0.31, 0.0, 1.2)),
    ]


def record(kind: str, x: float, y: float, z: float, size: tuple[float, float, float]) -> dict[str, object]:
    """An AI2-THOR record of an upright box that stands at a place."""
    width, height, depth = size
    return {
        "objectId": f"{kind}|{x:+06.2f}|{y:+06.2f}|{z:+06.2f}",
        "objectType": kind,
        "position": {"x": x, "y": y, "z": z},
        "rotation": {"x": 0.0, "y": 0.0, "z": 0.0},
        "axisAlignedBoundingBox": {
            "center": {"x": x, "y": y + height / 2, "z": z},
            "size": {"x": width, "y": height, "z": depth},
        },
        "pickupable": kind == "Egg",
        "parentReceptacles": [],
    }


FLOOR = record("Floor", 0.0, 0.0, 0.0, (4.0, 0.01, 4.0))
MICROWAVE = record("Microwave", 0.0, 0.9, -2.0, (0.7, 0.35, 0.36))
AGENT = {"position": {"x": 0.0, "y": 0.9, "z": 0.0}, "rotation": {"y": 0.0}, "cameraHorizon": 30}


def room(*records: dict[str, object], known: PlanKnowledge | None = None) -> Scene:
    return rebuild("FloorPlan1", [FLOOR, *records], AGENT, known)


def test_walls_stand_behind_the_furniture_even_where_the_floor_ends_before_it() -> None:
    stray = record("Egg", 0.0, 0.0, 9.0, (0.05, 0.05, 0.05))
    scene = room(MICROWAVE, stray)
    inner = [(wall.lo[2], wall.hi[2]) for wall in scene.structures if wall.material == "wall"]
    assert pytest.approx(-2.18) in [high for _, high in inner]
    assert max(low for low, _ in inner) == pytest.approx(2.0)


def test_all_microwaves_have_one_case_and_one_zone() -> None:
    (microwave,) = (thing for thing in room(MICROWAVE).things if thing.type == "Microwave")
    left, right = outermost(microwave)
    assert (left, right) == pytest.approx((-0.303, 0.325))
    assert microwave.zones == (pytest.approx(Zone(-0.146, -0.1515, 0.27, 0.1137, 0.105)),)
    high = {**MICROWAVE, **record("Microwave", 0.0, 1.6, -1.0, (0.7, 0.35, 0.36))}
    (above,) = (thing for thing in room(high).things if thing.type == "Microwave")
    assert above.levels < microwave.levels


def test_what_is_in_a_microwave_tells_nothing_of_the_table_under_it() -> None:
    table = record("DiningTable", 0.0, 0.0, -2.0, (1.0, 1.0, 1.0))
    microwave = {**MICROWAVE, "parentReceptacles": [table["objectId"]]}
    egg = record("Egg", 0.0, 1.0, -2.0, (0.05, 0.05, 0.05))
    egg["parentReceptacles"] = [table["objectId"], microwave["objectId"]]
    known = PlanKnowledge("FloorPlan1")
    known.learn_state([{**each, "isToggled": False} for each in (table, microwave, egg)])
    assert list(known.heights) == [microwave["objectId"]]
