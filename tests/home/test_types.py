"""The tables of types and shapes fit together."""

from __future__ import annotations

import pytest

from housemates.errors import HousematesError
from housemates.home import Thing
from housemates.home.placement import surfaces
from housemates.home.shapes import shape
from housemates.home.types import ObjectType, object_type, object_types

AFFORDANCES = {
    *("pickup", "move", "receptacle", "open", "toggle", "slice", "cook", "fill", "dirty", "break"),
    *("use up", "drain"),
}
TYPES = list(object_types().values())
SIZELESS_HOLDERS = {"Sink", "Bathtub", "Bed", "HandTowelHolder", "TowelHolder", "ToiletPaperHanger"}


def example(kind: ObjectType, **fields: bool) -> Thing:
    return Thing(f"{kind.name}|0", kind.name, (0.0, 0.0, 0.0), kind.size, **fields)


def named(kind: ObjectType) -> str:
    return kind.name


def test_all_types_of_teach_and_alfred_are_there() -> None:
    assert len(TYPES) >= 120
    assert {"Mug", "StoveKnob", "BreadSliced", "EggCracked", "Safe", "Footstool"} <= set(object_types())


@pytest.mark.parametrize("kind", TYPES, ids=named)
def test_a_row_is_consistent(kind: ObjectType) -> None:
    assert kind.affords <= AFFORDANCES
    assert all(value > 0 for value in kind.size)
    assert kind.looks
    assert shape(kind.shape).rows
    assert set(kind.found) <= set(object_types())
    assert set(kind.holds) <= set(object_types())
    assert bool(kind.slices) == kind.can("slice") == bool(kind.slice_type)
    assert not kind.slice_type or kind.slice_type in object_types()
    assert not kind.basin or object_type(kind.basin).can("drain")
    assert bool(kind.surface) == bool(kind.aside) and (not kind.surface or kind.can("receptacle"))


@pytest.mark.parametrize("kind", [kind for kind in TYPES if kind.can("receptacle")], ids=named)
def test_a_receptacle_has_a_surface_when_it_is_open(kind: ObjectType) -> None:
    assert surfaces(example(kind, open=True)) or kind.name in SIZELESS_HOLDERS


@pytest.mark.parametrize("kind", [kind for kind in TYPES if kind.can("open")], ids=named)
def test_opening_is_seen(kind: ObjectType) -> None:
    assert example(kind, open=True).shape_parts() != example(kind).shape_parts()


@pytest.mark.parametrize("kind", TYPES, ids=named)
def test_parts_stay_about_their_box(kind: ObjectType) -> None:
    width, height, depth = kind.size
    for part in example(kind).shape_parts():
        assert all(low <= high for low, high in zip(part.lo, part.hi, strict=True)), part
        assert -width <= part.lo[0]
        assert part.hi[0] <= width
        assert part.hi[1] <= height + 0.1
        assert -depth <= part.lo[2]
        assert part.hi[2] <= depth


def test_an_unknown_type_is_named() -> None:
    with pytest.raises(HousematesError, match="Unicorn"):
        object_type("Unicorn")
