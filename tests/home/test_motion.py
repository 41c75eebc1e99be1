"""Steps, turns, looks and teleports."""

from __future__ import annotations

import pytest

from housemates.home import act


def pose(world) -> tuple[float, float, int, int]:
    agent = world.agent
    return agent.x, agent.z, agent.rotation, agent.horizon


@pytest.mark.parametrize(
    ("name", "x", "z"),
    [
        ("Forward", 0.0, 0.25),
        ("Backward", 0.0, -0.25),
        ("PanLeft", -0.25, 0.0),
        ("PanRight", 0.25, 0.0),
    ],
)
def test_a_step_is_a_quarter_of_a_metre_and_does_not_turn(kitchen, name, x, z) -> None:
    assert act(kitchen.world, name).success
    assert pose(kitchen.world) == (x, z, 0, 30)


def test_forward_follows_the_heading_clockwise_from_z(kitchen) -> None:
    act(kitchen.world, "TurnRight")
    act(kitchen.world, "Forward")
    assert pose(kitchen.world) == (0.25, 0.0, 90, 30)


def test_four_turns_come_round(kitchen) -> None:
    for name in ("TurnLeft", "TurnRight"):
        seen = [act(kitchen.world, name) and kitchen.world.agent.rotation for _ in range(4)]
        assert sorted(seen) == [0, 90, 180, 270]
        assert seen[-1] == 0


def test_the_camera_tilts_between_30_up_and_60_down(kitchen) -> None:
    tilts = [(act(kitchen.world, "LookDown").success, kitchen.world.agent.horizon) for _ in range(2)]
    assert tilts == [(True, 60), (False, 60)]
    tilts = [(act(kitchen.world, "LookUp").success, kitchen.world.agent.horizon) for _ in range(4)]
    assert tilts == [(True, 30), (True, 0), (True, -30), (False, -30)]
    assert "any further up" in act(kitchen.world, "LookUp").message


def test_looks_of_15_degrees_are_possible_too(kitchen) -> None:
    act(kitchen.world, "LookUp", degrees=15)
    assert kitchen.world.agent.horizon == 15


def test_furniture_stops_a_step_and_the_agent_stays(kitchen) -> None:
    act(kitchen.world, "Forward")
    outcome = act(kitchen.world, "Forward")
    assert not outcome.success
    assert outcome.message == "The way ahead is blocked."
    assert pose(kitchen.world) == (0.0, 0.25, 0, 30)


def test_the_agent_stays_in_the_room(kitchen) -> None:
    moves = [act(kitchen.world, "PanLeft").success for _ in range(20)]
    assert moves == [True] * 9 + [False] * 11
    assert kitchen.world.agent.x == -2.25


def test_teleport_lands_on_the_grid_with_a_heading_and_a_tilt(kitchen) -> None:
    assert act(kitchen.world, "Teleport", x=1.5, z=-0.5, rotation=180, horizon=0).success
    assert pose(kitchen.world) == (1.5, -0.5, 180, 0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"x": 0.1, "z": 0.0}, "not on the grid"),
        ({"x": 0.0, "z": 1.0}, "no room to stand"),
        ({"x": 99.0, "z": 0.0}, "no room to stand"),
        ({"x": 0.0, "z": 0.0, "horizon": 75}, "between -30 and 60"),
    ],
)
def test_teleport_is_refused_where_one_cannot_stand(kitchen, arguments, said) -> None:
    before = pose(kitchen.world)
    outcome = act(kitchen.world, "Teleport", **arguments)
    assert not outcome.success
    assert said in outcome.message
    assert pose(kitchen.world) == before
