"""Where the tops of rebuilt furniture are: at what lies on them, and where more can be put."""

from __future__ import annotations

import pytest

from housemates.home.scenes.plans.surfaces import level_range, levels, settled
from housemates.home.things import Thing, Zone


def furniture(kind: str, height: float, *zones: Zone) -> Thing:
    return Thing(f"{kind}|+00.00|+00.00|+00.00", kind, (0.0, 0.0, 0.0), (1.0, height, 1.0), zones=zones)


def zone(y: float, yaw: float = 0.0) -> Zone:
    return Zone(-0.4, -0.4, 0.4, 0.4, y, yaw)


def test_what_lies_in_a_microwave_on_a_table_does_not_raise_the_table() -> None:
    heights = [0.726, 0.727, 0.824]
    assert levels(furniture("DiningTable", 0.87), heights) == (0.822,)
    assert levels(furniture("DiningTable", 0.87, zone(0.7265)), heights) == (0.725,)


def test_a_table_that_is_lower_than_its_zones_is_where_things_lie() -> None:
    assert levels(furniture("DiningTable", 1.1, zone(0.83)), [0.757, 0.758]) == (0.756,)


def test_a_bunk_bed_has_two_mattresses() -> None:
    bed = furniture("Bed", 2.3, zone(0.95), zone(2.11))
    found = levels(bed, [0.95, 0.951, 2.11])
    assert found == (0.949, 2.108)
    tops = [part.hi[1] for part in settled(bed, []).shape_parts() if part.support]
    assert len(tops) == 1
    bunk = Thing(bed.id, bed.type, bed.position, bed.size, levels=found)
    assert [part.hi[1] for part in bunk.shape_parts() if part.support] == pytest.approx(found)


def test_a_book_that_sank_into_a_bed_lies_on_it() -> None:
    bed = Thing("Bed|0|0|0", "Bed", (0.0, 0.0, 0.0), (1.5, 0.9, 2.0), levels=(0.61,))
    assert settled(bed, [0.555]).levels == (0.553,)
    assert settled(bed, [0.2]).levels == (0.61,)


def test_what_carries_things_at_its_base_is_a_board() -> None:
    table = furniture("DiningTable", 0.1)
    board = settled(Thing(table.id, table.type, table.position, table.size, levels=(0.008,)), [0.01])
    assert max(part.hi[1] for part in board.shape_parts()) == 0.0


def test_a_table_with_zones_askew_is_round() -> None:
    assert settled(furniture("DiningTable", 1.1, zone(0.8), zone(0.8, 45.0)), []).shape == "round_table"
    assert settled(furniture("DiningTable", 1.1, zone(0.8), zone(0.8, 89.9999)), []).shape == ""
    assert settled(furniture("Chair", 1.1, zone(0.5), zone(0.5, 45.0)), []).shape == ""


def test_what_stands_on_the_table_beside_a_chair_is_not_on_its_seat() -> None:
    low, high = level_range(furniture("Chair", 1.0))
    assert low < 0.47 < high < 0.7
