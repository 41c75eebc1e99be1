"""The reader's own eyes: what they remember of pictures, whatever recognises things in them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from housemates.agents.embodied.embodiment import Pose
from housemates.agents.embodied.object_memory import ObjectMemory, TrackedObject
from housemates.agents.reader.perception.held_object import appeared, in_hand
from housemates.agents.reader.perception.own_eyes import PredictedVision
from housemates.agents.reader.perception.triangulation import PositionEstimate
from housemates.agents.teach.embodiment import TeachEmbodiment
from housemates.render.camera import Camera
from housemates.render.detections import Glimpse
from housemates.render.detections import Seen as Detection

SIDE = 300
STANCE = Pose(0.0, 0.9, 0.0, 0.0, 30.0)
CAMERA = Camera((0.0, 1.5, 0.0), 0.0, 30.0, SIDE, SIDE, 90.0)


class Staring:
    """Eyes that see one thing, and count how often they look."""

    def __init__(self, kind: str, left: int, top: int, side: int = 40) -> None:
        self.looks = 0
        numbers = np.zeros((SIDE, SIDE), np.uint16)
        numbers[top : top + side, left : left + side] = 1
        thing = Detection(kind, 1, left, top, left + side, top + side, side * side, 0.9)
        self.glimpse = Glimpse(numbers, [thing], np.full((SIDE, SIDE), 1.0, np.float32))

    def look(self, rgb: Any, horizon: float, fov: float) -> Glimpse:
        """The same as ever."""
        self.looks += 1
        return self.glimpse


def percept(turn: int, shade: int = 0) -> Any:
    """What a Follower perceives: a picture of one shade."""
    rgb = np.full((SIDE, SIDE, 3), shade, np.uint8)
    return SimpleNamespace(turn=turn, pictures={"view": lambda: rgb}, data=SimpleNamespace(pose=STANCE))


def own(eyes: Staring, memory: ObjectMemory) -> PredictedVision:
    return PredictedVision(TeachEmbodiment(), cast(Any, eyes), memory)


def test_a_picture_that_has_not_changed_is_not_looked_at_again() -> None:
    eyes = Staring("Mug", 200, 20)
    embodiment = own(eyes, ObjectMemory())
    first = embodiment.observe(percept(1))
    assert embodiment.observe(percept(2)) is first
    assert embodiment.observe(percept(3, shade=9)) is not first
    assert eyes.looks == 2


def test_what_is_in_the_hand_is_no_thing_of_the_room() -> None:
    memory = ObjectMemory()
    embodiment = own(Staring("Cup", 130, 180), memory)
    assert "Cup" in [label.type for label in embodiment.observe(percept(1)).labels]
    memory.hold("it", "Mug", (0.0, 0.9, 0.0))
    frame = embodiment.observe(percept(2, shade=9))
    assert "Cup" not in [label.type for label in frame.labels]
    assert np.isnan(frame.depth[200, 150])


def test_a_hand_holds_what_has_changed_before_the_eye() -> None:
    before = np.zeros((SIDE, SIDE, 3), np.uint8)
    now = before.copy()
    now[190:210, 140:160] = 7
    now[10:20, 10:20] = 7
    mask = appeared(before, now, CAMERA, "Mug")
    assert mask[200, 150]
    assert not mask[15, 15]
    assert in_hand(CAMERA, "Pot").sum() > in_hand(CAMERA, "Mug").sum()


def test_two_looks_from_different_places_tell_how_far_a_thing_is() -> None:
    there, fix = np.array([0.0, 1.0, 2.0]), PositionEstimate()
    for eye in (np.zeros(3), np.array([1.5, 0.0, 0.5])):
        fix.add(eye, eye + 1.4 * (there - eye))
    assert np.linalg.norm(fix.place - there) < 0.2 * np.linalg.norm(there)


def test_a_look_at_something_else_begins_anew() -> None:
    fix = PositionEstimate()
    fix.add(np.zeros(3), np.array([0.0, 0.0, 2.0]))
    other = np.array([2.0, 0.0, 0.0])
    assert fix.add(np.zeros(3), other) == pytest.approx(other)


def test_a_thing_seen_again_keeps_its_key() -> None:
    memory = ObjectMemory()
    embodiment = own(Staring("Mug", 200, 20), memory)
    (key,) = [each.id for each in embodiment.observe(percept(1)).labels if each.type == "Mug"]
    memory.things[key] = TrackedObject(key, "Mug", np.array([[0.47, 1.71, 1.23]]), np.zeros(3), 0, 50)
    points = embodiment.observe(percept(2, shade=9))
    assert [each.id for each in points.labels if each.type == "Mug"] == [key]
