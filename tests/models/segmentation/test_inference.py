"""The eyes of the package see the large things of a room that they were not taught on, without torch."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from housemates.home import World
from housemates.home.scenes import load
from housemates.models.segmentation import Eyes
from housemates.models.segmentation.integer_heads import best_types
from housemates.render.camera import agent_camera
from housemates.render.detections import given
from housemates.render.frames import Frame
from housemates.render.scene import Renderer


@pytest.fixture(name="eyes", scope="module")
def make_eyes() -> Eyes:
    pytest.importorskip("onnxruntime")
    return Eyes()


@pytest.fixture(name="frame", scope="module")
def make_frame() -> Frame:
    world = World(load("kitchen-21"))
    return Renderer(world).frame(agent_camera(world.agent))


def test_they_see_the_floor_and_how_far_away_it_is(eyes: Eyes, frame: Frame) -> None:
    glimpse = eyes.look(frame.rgb)
    floors = [each for each in glimpse.things if each.type == "Floor"]
    assert floors and max(each.confidence for each in floors) > 0.5
    assert glimpse.depth is not None
    known = frame.depth < 20
    assert np.median(np.abs(glimpse.depth - frame.depth)[known] / frame.depth[known]) < 0.5


def test_boxes_and_pixels_fit_the_numbers(eyes: Eyes, frame: Frame) -> None:
    glimpse = eyes.look(frame.rgb)
    for thing in glimpse.things:
        rows, columns = np.nonzero(glimpse.mask(thing))
        assert (columns.min(), rows.min()) == (thing.left, thing.top)
        assert (columns.max() + 1, rows.max() + 1) == (thing.right, thing.bottom)
        assert len(rows) == thing.pixels and 0.0 <= thing.confidence <= 1.0


def test_what_was_seen_before_is_seen_the_same_and_nobody_can_change_it(eyes: Eyes, frame: Frame) -> None:
    first, again = eyes.look(frame.rgb), eyes.look(frame.rgb.copy())
    assert first is again is not eyes.look(frame.rgb, horizon=30)
    assert first.things == Eyes().look(frame.rgb).things
    with pytest.raises(ValueError, match="read-only"):
        first.numbers[0] = 1


def test_types_are_read_in_whole_numbers() -> None:
    rng = np.random.default_rng(0)
    scores = rng.integers(-(10**5), 10**5, (400, 125)).astype(np.int32)
    factors, biases = (rng.integers(300, 1024, 125).astype(np.int32) for _ in range(2))
    best = (scores.astype(np.int64) * factors + biases).argmax(-1)
    assert (best_types(scores, factors, biases) == best).all()


def test_pictures_of_any_size_are_seen(eyes: Eyes) -> None:
    world = World(load("kitchen-21"))
    frame = Renderer(world).frame(agent_camera(world.agent, 640, 480))
    glimpse = eyes.look(frame.rgb)
    assert glimpse.numbers.shape == (480, 640)
    assert glimpse.depth is not None and glimpse.depth.shape == (480, 640)


def test_given_things_are_judged_by_their_pixels(eyes: Eyes, frame: Frame) -> None:
    judged = eyes.judge(frame.rgb, given(frame))
    assert [each.id for each in judged.things] == [each.id for each in given(frame).things]
    doors = [each for each in judged.things if each.type == "Cabinet"]
    assert doors and all(set(each.states) == {"open"} for each in doors)


def test_features_are_a_vector_and_a_map(eyes: Eyes, frame: Frame) -> None:
    found = eyes.features(frame.rgb)
    assert found.map.shape == (len(found.vector), 10, 10)
    assert np.allclose(found.vector, found.map.mean((1, 2)), atol=1e-5)


def test_looking_does_without_torch() -> None:
    code = "import sys, housemates.models.segmentation as e; e.Eyes; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_what_is_unsure_belongs_to_the_larger_thing_of_its_family_that_it_touches(
    eyes: Eyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    plate, mug, table = (eyes.card.types.index(name) for name in ("Plate", "Mug", "DiningTable"))
    numbers = np.full((10, 10), 3, np.uint16)
    numbers[2:8, 2:8], numbers[3:5, 3:5] = 1, 2
    likely = np.zeros((4, len(eyes.card.types)), np.float32)
    likely[[1, 2, 3], [plate, mug, table]] = 0.9, 0.5, 0.9
    monkeypatch.setattr(eyes, "_likely", lambda codes: likely)
    kinds, codes = np.array([0, plate, mug, table], np.uint8), np.zeros((100, 48), np.uint8)
    assert set(np.unique(eyes._joined(numbers, kinds, codes))) == {1, 3}
    likely[2, mug] = 0.9
    assert set(np.unique(eyes._joined(numbers, kinds, codes))) == {1, 2, 3}
