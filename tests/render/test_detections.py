"""Glimpses: what the simulator gives is every thing of the picture, with its pixels."""

from __future__ import annotations

from rooms import Room

from housemates.render.camera import Camera
from housemates.render.detections import given
from housemates.render.scene import Renderer


def test_a_given_glimpse_has_every_thing_with_its_pixels_and_no_state(kitchen: Room) -> None:
    frame = Renderer(kitchen).frame(Camera((0.5, 1.5, 0.25), rotation=90.0, horizon=30.0))
    glimpse = given(frame)
    assert [each.id for each in glimpse.things] == [box.id for box in frame.boxes()]
    for thing in glimpse.things:
        assert (glimpse.mask(thing) == frame.mask(thing.id)).all()
        assert thing.confidence == 1.0 and not thing.states
