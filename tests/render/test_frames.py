"""Questions to a frame: masks, boxes, classes and counts agree with each other."""

from __future__ import annotations

import numpy as np
import pytest
from rooms import Room

from housemates.errors import HousematesError
from housemates.render.camera import Camera
from housemates.render.frames import Frame, type_numbers
from housemates.render.scene import Renderer


@pytest.fixture(name="frame")
def make_frame(kitchen: Room) -> Frame:
    return Renderer(kitchen).frame(Camera((0.5, 1.5, 0.25), rotation=90.0, horizon=30.0))


def test_boxes_fit_the_masks(frame: Frame) -> None:
    assert len(frame.boxes()) > 10
    for box in frame.boxes():
        rows, columns = np.nonzero(frame.mask(box.id))
        assert (columns.min(), rows.min()) == (box.left, box.top)
        assert (columns.max() + 1, rows.max() + 1) == (box.right, box.bottom)
        assert len(rows) == box.pixels == frame.visible()[box.id]


def test_the_thing_at_a_pixel_has_that_pixel_in_its_mask(frame: Frame) -> None:
    name = frame.thing_at(150, 200)
    assert name is not None
    assert frame.mask(name)[200, 150]


def test_a_pixel_outside_is_refused(frame: Frame) -> None:
    with pytest.raises(HousematesError, match="outside"):
        frame.thing_at(300, 0)


def test_what_is_not_there_has_an_empty_mask(frame: Frame) -> None:
    assert not frame.mask("Mug|nowhere").any()


def test_the_map_of_types_names_the_type_of_the_thing_at_each_pixel(frame: Frame) -> None:
    types = frame.types()
    for box in frame.boxes():
        assert set(types[frame.mask(box.id)]) == {type_numbers()[box.type]}
    assert not types[frame.ids == 0].any()
