"""What is known of single assets: their pieces, the zones of dishes, and how pots and pans are built."""

from __future__ import annotations

import msgspec
import pytest

from housemates.home.outlines import NONE
from housemates.home.scenes.plans.dishes import inside
from housemates.home.scenes.plans.records import thing_from_record
from housemates.home.slices import pieces
from housemates.home.things import Thing, thor_position, whole_in
from housemates.home.zones import spot_in_zones

LOAF = Thing(
    "loaf",
    "Bread",
    (0.0, 0.9, 0.0),
    (0.12, 0.131, 0.312),
    pivot=(0.0, 0.07, 0.0),
    name="Bread_14bde010",
)
PLATE = Thing("plate", "Plate", (0.0, 0.9, 0.0), (0.288, 0.197, 0.288), name="Plate_57fe3df4(Clone)_copy_3")
SLICE = Thing("slice", "TomatoSliced", (0.0, 0.0, 0.0), (0.1, 0.1, 0.01), pivot=(0.0, 0.05, 0.0))


def record(kind: str, width: float, depth: float) -> dict:
    box = {"center": {"x": 0.0, "y": 1.0, "z": 0.0}, "size": {"x": width, "y": 0.15, "z": depth}}
    place = {"x": 0.0, "y": 1.0, "z": (depth - width) / 2}
    return {"objectId": kind, "objectType": kind, "position": place, "axisAlignedBoundingBox": box}


def body(thing: Thing) -> tuple[float, float]:
    """Middle and depth of its round wall."""
    wall = next(part for part in thing.shape_parts() if part.kind == "tube")
    return (wall.lo[2] + wall.hi[2]) / 2, wall.hi[2] - wall.lo[2]


def test_slices_part_behind_the_pivot_of_a_loaf_and_its_end_lies_before_it() -> None:
    end, *slices = pieces(LOAF)
    assert end.type == "Bread" and end.position[2] == pytest.approx(0.076, abs=0.002)
    places = [piece.position[2] for piece in slices]
    assert places == sorted(places, reverse=True) and places[-1] < -LOAF.size[2] / 2


def test_where_the_pivot_is_not_in_the_middle_the_pieces_go_with_it() -> None:
    moved = pieces(msgspec.structs.replace(LOAF, pivot=(0.0, 0.07, 0.05)))
    shift = [b.position[2] - a.position[2] for a, b in zip(pieces(LOAF), moved, strict=True)]
    assert shift == pytest.approx([0.05] * len(shift))


def test_an_apple_falls_into_three_wedges_around_its_core() -> None:
    apple = Thing("apple", "Apple", (0.0, 0.0, 0.0), (0.1, 0.13, 0.1), name="Apple_36134545(Clone)")
    assert [piece.yaw for piece in pieces(apple)] == [0.0, 120.0, 240.0]


def test_a_plate_is_two_rectangles_that_cross() -> None:
    first, second = inside(PLATE)
    assert (first.yaw, second.yaw) == (0, 90)
    assert first.x1 - first.x0 > first.z1 - first.z0
    assert inside(Thing("plate", "Plate", (0.0, 0.0, 0.0), (0.2, 0.1, 0.2), name="Plate_nobody_knows")) == ()


def test_a_slice_on_a_plate_stands_at_a_corner_of_one_of_its_lattices() -> None:
    plate = msgspec.structs.replace(PLATE, zones=inside(PLATE))
    spot = spot_in_zones(SLICE, plate, (0.03, 0.9, 0.06), NONE, walled=True)
    assert spot is not None
    assert spot.position == pytest.approx((0.035, 0.915, 0.056), abs=0.001)


@pytest.mark.parametrize("kind", ["Pot", "Pan"])
def test_a_long_pot_or_pan_is_round_around_its_pivot_and_has_one_handle(kind: str) -> None:
    long, wide = (thing_from_record(record(kind, *sides), "test") for sides in ((0.28, 0.44), (0.34, 0.28)))
    middle, depth = body(long)
    assert middle == pytest.approx(long.pivot[2], abs=0.01) and depth == pytest.approx(0.28, abs=0.02)
    assert body(wide) == pytest.approx((0.0, 0.28), abs=0.02)
    assert thor_position(wide) == pytest.approx((0.0, 1.0, -0.03))


@pytest.mark.parametrize(
    ("name", "whole"),
    [
        ("Bread|+01.00|+00.90|-00.50|BreadSliced_3", "Bread|+01.00|+00.90|-00.50"),
        ("Bread|+01.00|+00.90|-00.50|Bread_0", "Bread|+01.00|+00.90|-00.50"),
        ("Sink|+01.00|+00.90|-00.50|SinkBasin", "Sink|+01.00|+00.90|-00.50|SinkBasin"),
        ("Mug|+01.00|+00.90|-00.50", "Mug|+01.00|+00.90|-00.50"),
    ],
)
def test_the_id_of_a_piece_tells_its_whole(name: str, whole: str) -> None:
    assert whole_in(name) == whole
