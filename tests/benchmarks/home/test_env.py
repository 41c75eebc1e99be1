"""The home as a Gymnasium environment."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import housemates
from housemates.benchmarks.home.env import ACTION_NAMES, HomeEnv
from housemates.errors import HousematesError
from housemates.home import ACTIONS, Thing
from housemates.home.geometry import in_reach
from housemates.home.navigation import agent_at, standing_poses
from housemates.home.placement import surfaces
from housemates.render.scene import Renderer

SCENE = "kitchen-03"


def home(**options: Any) -> HomeEnv:
    env = HomeEnv(**{"scene": SCENE, "size": 100, **options})
    env.reset(seed=0)
    return env


def show(env: HomeEnv, kind: str) -> tuple[str, tuple[float, float]]:
    """Turn the agent so that a thing of a type is seen in reach; its id and a place in the picture."""
    for thing in env.world.of_type(kind):
        for pose in standing_poses(env.world, thing)[:40]:
            env.world.agent = agent_at(env.world.agent, pose)
            env._frame = None
            rows, columns = np.nonzero(env.look().mask(thing.id))
            if len(rows) > 20 and in_reach(env.world.agent, thing):
                middle = len(rows) // 2
                return thing.id, ((columns[middle] + 0.5) / env.size, (rows[middle] + 0.5) / env.size)
    raise AssertionError(f"no {kind} can be seen")


def test_it_passes_the_checks_of_gymnasium() -> None:
    env = housemates.make("housemates/home-v1", scene=SCENE, size=64, ids=True, depth=True)
    check_env(env.unwrapped, skip_render_check=True)


def test_its_actions_are_those_of_the_home() -> None:
    assert set(ACTION_NAMES) <= set(ACTIONS)
    assert home().action_space["action"].n == 16


def test_the_same_seed_and_actions_give_the_same_episode() -> None:
    envs = [HomeEnv(size=64), HomeEnv(size=64)]
    starts = [env.reset(seed=5) for env in envs]
    assert starts[0][1]["scene"] == starts[1][1]["scene"]
    envs[0].action_space.seed(1)
    for _ in range(60):
        action = envs[0].action_space.sample()
        first, second = (env.step(action) for env in envs)
        assert first[0].keys() == second[0].keys()
        assert all(np.array_equal(first[0][key], second[0][key]) for key in first[0])
        assert first[4] == second[4]
    assert envs[0].world.digest() == envs[1].world.digest()


def test_seeds_lead_to_different_rooms() -> None:
    env = HomeEnv(frames=False, thor_metadata=False)
    assert len({env.reset(seed=seed)[1]["scene"] for seed in range(8)}) > 3


def test_a_click_picks_up_what_is_seen_there() -> None:
    env = home()
    name, place = show(env, "Mug")
    observation, *_, info = env.step({"action": "Pickup", "target": place})
    assert info["target"] == name
    assert observation["success"], info["message"]
    assert observation["held"] > 0
    assert info["metadata"]["inventoryObjects"][0]["objectId"] == name


def test_a_click_places_at_the_point_seen_there() -> None:
    env = home(scene="kitchen-01")
    name, place = show(env, "Mug")
    env.step({"action": "Pickup", "target": place})
    table = env.world.of_type("DiningTable")[0]
    for thing in list(env.world.contents_deep(table)):
        del env.world.things[thing.id]
    show(env, "DiningTable")
    place, point = place_on_top(env, table)
    observation, *_, info = env.step({"action": "Place", "target": place})
    assert observation["success"], info["message"]
    x, _, z = env.world.things[name].position
    assert math.hypot(x - point[0], z - point[2]) < 0.1


def place_on_top(env: HomeEnv, table: Thing) -> tuple[tuple[float, float], tuple[float, float, float]]:
    """A place in the picture and the point seen there, on the top of a table, in reach, not at its edge."""
    frame = env.look()
    top = table.position[1] + surfaces(table)[0].y
    for row, column in np.argwhere(frame.mask(table.id)):
        x, y, z = frame.camera.point(column + 0.5, row + 0.5, float(frame.depth[row, column]))
        from_middle = max(abs(x - table.position[0]), abs(z - table.position[2]))
        inner = from_middle < min(table.size[0], table.size[2]) / 2 - 0.1
        if abs(y - top) < 0.02 and inner and math.dist((x, y, z), env.world.agent.position) < 1.4:
            return ((column + 0.5) / env.size, (row + 0.5) / env.size), (x, y, z)
    raise AssertionError("the top of the table is not in view")


def test_a_target_can_be_an_id() -> None:
    env = home()
    name, _ = show(env, "Fridge")
    assert env.step({"action": "Open", "target": name})[4]["target"] == name


def test_a_click_on_the_building_is_refused_and_changes_nothing() -> None:
    env = home()
    places = np.argwhere(env.look().ids == 0)
    if not len(places):
        pytest.skip("the building is not in view")
    before = env.world.digest()
    row, column = places[0]
    observation, *_, info = env.step({"action": "Pickup", "target": (column / env.size, row / env.size)})
    assert not observation["success"]
    assert "nothing to use" in info["message"]
    assert env.world.digest() == before


def test_a_step_that_needs_no_picture_draws_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_picture(*_: Any) -> None:
        raise AssertionError("a picture was drawn")

    env = home(frames=False, thor_metadata=False)
    monkeypatch.setattr(Renderer, "frame", no_picture)
    for name in ACTION_NAMES[:8]:
        env.step({"action": name})
    env.step({"action": "Open", "target": env.world.of_type("Fridge")[0].id})


def test_a_goal_ends_the_episode_with_a_reward() -> None:
    env = home(goal=lambda world: (world.agent.rotation - world.scene.agent.rotation) % 360 == 180)
    assert env.step({"action": "TurnLeft"})[1:3] == (0.0, False)
    assert env.step({"action": "TurnLeft"})[1:3] == (1.0, True)


def test_an_episode_is_cut_off_after_its_steps() -> None:
    env = home(max_steps=3)
    assert [env.step({"action": "TurnLeft"})[3] for _ in range(3)] == [False, False, True]


def test_visible_in_the_metadata_is_what_the_picture_shows_in_reach() -> None:
    env = home()
    name, _ = show(env, "Mug")
    rows = {row["objectId"]: row for row in env.step({"action": "Forward"})[4]["metadata"]["objects"]}
    seen = env.look().visible()
    assert {key for key, row in rows.items() if row["visible"]} <= set(seen)
    assert name in rows


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ({"action": "Fly"}, "Unknown action 'Fly'"),
        ({"action": 16}, "expected 0 to 15"),
        ({"action": 1.5}, "expected 0 to 15"),
        ({"target": (0.5, 0.5)}, "Unknown action None"),
        ({"action": "Pickup"}, "expected an object id or two fractions"),
        ({"action": "Pickup", "target": (0.5, float("nan"))}, "from 0 to 1"),
        ({"action": "Pickup", "target": (0.5, 1.5)}, "from 0 to 1"),
    ],
)
def test_a_wrong_action_is_one_sentence_and_changes_nothing(action, said) -> None:
    env = home()
    before = env.world.digest()
    with pytest.raises(HousematesError) as caught:
        env.step(action)
    assert said in str(caught.value)
    assert env.world.digest() == before


@pytest.mark.parametrize("options", [{"size": 0}, {"size": 901}, {"render_mode": "human"}])
def test_wrong_options_are_refused(options) -> None:
    with pytest.raises(HousematesError):
        HomeEnv(**options)


def test_an_unknown_scene_is_named() -> None:
    with pytest.raises(HousematesError, match="attic-99"):
        HomeEnv().reset(options={"scene": "attic-99"})
