"""Furniture of floor plans that are known by names alone."""

from __future__ import annotations

from housemates.benchmarks.alfred.formats.furniture import furnish, matched
from housemates.home.scenes.plans.knowledge import PlanKnowledge
from housemates.home.things import object_id


def test_furniture_is_known_by_class_and_nearest_place() -> None:
    fixtures = [{"objectId": f"Desk|+0{x}.00|+00.00|+00.00", "objectType": "Desk"} for x in (1, 3)]
    fixtures.append({"objectId": "SideTable|+05.00|+00.00|+00.00", "objectType": "SideTable"})
    named = {"Desk|+01.20|+00.00|+00.10": (1.2, 0.0, 0.1), "Cart|+05.10|+00.00|+00.00": (5.1, 0.0, 0.0)}
    assert matched(fixtures, named) == {
        "Desk|+01.00|+00.00|+00.00": "Desk|+01.20|+00.00|+00.10",
        "SideTable|+05.00|+00.00|+00.00": "Cart|+05.10|+00.00|+00.00",
    }


def test_doors_of_a_pair_meet_in_the_middle_and_neighbours_hang_back_to_back() -> None:
    hinges = {"left": 0.0, "right": 0.8, "next": 0.85}
    named = {object_id("Cabinet", (x, 2.0, 0.0)): (x, 2.0, 0.0) for x in hinges.values()}
    layout = {(x, z) for x in range(-4, 8) for z in range(4, 8)}
    known = PlanKnowledge("FloorPlan1", layout=layout, named=named)
    middles = sorted(
        record["axisAlignedBoundingBox"]["center"]["x"]
        for record in furnish(known).records
        if record["objectType"] == "Cabinet"
    )
    assert 0.0 < middles[0] < 0.4
    assert middles[1] < 0.8 < 0.85 < middles[2]
