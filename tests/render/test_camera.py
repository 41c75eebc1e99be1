"""Cameras map points to pixels and back, and refuse nonsense."""

from __future__ import annotations

import math

import pytest

from housemates.errors import HousematesError
from housemates.home.things import Agent
from housemates.render.camera import Camera, agent_camera, look_at, overhead_camera


def test_what_is_ahead_is_in_the_middle() -> None:
    column, row, depth = Camera((0.0, 1.0, 0.0)).pixel((0.0, 1.0, 2.0))
    assert (column, row, depth) == pytest.approx((150.0, 150.0, 2.0))


def test_right_is_right_and_up_is_up() -> None:
    for rotation in (0, 90, 180, 270):
        camera = Camera((0.0, 1.0, 0.0), rotation=rotation)
        right, up, forward = camera.axes
        column, row, _ = camera.pixel(tuple(camera.position + forward * 2 + right + up * 0.5))
        assert (column, row) == pytest.approx((225.0, 112.5))


def test_an_agent_that_turns_right_looks_east() -> None:
    assert agent_camera(Agent(0.0, 0.0, rotation=90, horizon=0)).axes[2] == pytest.approx([1.0, 0.0, 0.0])


def test_a_positive_horizon_looks_down() -> None:
    assert Camera((0.0, 1.0, 0.0), horizon=30.0).axes[2][1] == pytest.approx(-0.5)


def test_a_field_of_view_of_90_degrees_reaches_as_far_up_as_ahead() -> None:
    assert Camera((0.0, 0.0, 0.0), width=200, height=100).pixel((0.0, 2.0, 2.0))[1] == pytest.approx(0.0)


def test_rays_lead_back_to_the_point() -> None:
    camera = Camera((0.3, 1.5, -0.2), rotation=37.0, horizon=22.0, width=320, height=200, fov=65.0)
    point = (1.1, 0.4, 2.0)
    assert camera.point(*camera.pixel(point)) == pytest.approx(point)


def test_look_at_has_its_target_in_the_middle() -> None:
    camera = look_at((2.0, 3.0, -1.0), (0.5, 0.2, 0.7))
    assert camera.pixel((0.5, 0.2, 0.7))[:2] == pytest.approx((150.0, 150.0))


def test_the_overhead_camera_is_a_plan() -> None:
    camera = overhead_camera((0.0, 0.0, 0.0), 4.0, 400, 400)
    assert camera.pixel((1.0, 0.0, 1.0))[:2] == pytest.approx((300.0, 100.0))
    assert camera.pixel((1.0, 2.0, 1.0))[:2] == pytest.approx((300.0, 100.0), abs=1.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"width": 0, "height": 0},
        {"width": -3},
        {"height": 100_000},
        {"width": 2.5},
        {"position": (math.nan, 0.0, 0.0)},
        {"position": (1e9, 0.0, 0.0)},
        {"rotation": math.inf},
        {"horizon": math.nan},
        {"fov": 0.0},
        {"fov": 180.0},
    ],
)
def test_nonsense_is_refused_in_one_sentence(wrong: dict[str, object]) -> None:
    with pytest.raises(HousematesError) as error:
        Camera(**{"position": (0.0, 1.0, 0.0), **wrong})  # type: ignore[arg-type]
    assert "\n" not in str(error.value)
