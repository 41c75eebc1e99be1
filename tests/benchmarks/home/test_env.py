"""The home's own seat, as learners and as agents meet it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fixtures.houses import generate
from housemates.benchmarks.home.session import HomeSession
from housemates.benchmarks.spaces import MOST_TYPES, TYPE_NUMBERS
from housemates.envs.seats import SeatEnv
from housemates.errors import HousematesError
from housemates.home import ACTIONS, MOVES, TOUCHES, Thing
from housemates.home.geometry import in_reach
from housemates.home.navigation import agent_at, standing_poses
from housemates.home.placement import surfaces
from housemates.home.types import object_types
from housemates.render.scene import Renderer

SCENE = "kitchen-03"
SIDE = 100
NAMES = (*MOVES, *TOUCHES)
Place = tuple[float, float]


def home(**options: Any) -> SeatEnv:
    env = SeatEnv("housemates/home-v3", **{"scene": SCENE, "size": SIDE, **options})
    env.reset(seed=0)
    return env


def session(env: SeatEnv) -> HomeSession:
    assert isinstance(env.session, HomeSession)
    return env.session


def action(name: str, point: Place = (0.5, 0.5)) -> dict[str, Any]:
    return {"action": NAMES.index(name), "point": np.array(point, np.float32)}


def show(env: SeatEnv, kind: str) -> tuple[str, Place]:
    """Turn the agent so that a thing of a type is seen in reach; its id and a place in the picture."""
    world = session(env).world
    for thing in world.of_type(kind):
        for pose in standing_poses(world, thing)[:40]:
            world.agent = agent_at(world.agent, pose)
            rows, columns = np.nonzero(session(env).eyes.look().mask(thing.id))
            if len(rows) > 20 and in_reach(world.agent, thing):
                middle = len(rows) // 2
                return thing.id, ((columns[middle] + 0.5) / SIDE, (rows[middle] + 0.5) / SIDE)
    raise AssertionError(f"no {kind} can be seen")


def test_its_actions_are_those_of_the_home() -> None:
    env = home()
    assert set(NAMES) <= set(ACTIONS)
    assert tuple(env.session.menu("agent")) == NAMES
    assert env.action_space["action"].n == len(NAMES)  # type: ignore[index]


def test_every_type_has_a_number_of_its_own() -> None:
    assert set(TYPE_NUMBERS) >= set(object_types())
    assert sorted(TYPE_NUMBERS.values()) == list(range(1, len(TYPE_NUMBERS) + 1))
    assert len(TYPE_NUMBERS) < MOST_TYPES
    assert (TYPE_NUMBERS["AluminumFoil"], TYPE_NUMBERS["Mug"], TYPE_NUMBERS["WineBottle"]) == (2, 66, 124)


def test_seeds_lead_to_different_rooms() -> None:
    env = SeatEnv("housemates/home-v3", rgb=False)
    assert len({env.reset(seed=seed)[1]["id"] for seed in range(8)}) > 3


def test_rooms_can_be_made_from_a_seed() -> None:
    env = SeatEnv("housemates/home-v3", split="generated", supply=1, rgb=False)
    assert "-seed-" in env.reset(seed=0)[1]["id"]


def test_a_point_picks_up_what_is_seen_there() -> None:
    env = home()
    name, place = show(env, "Mug")
    observation, *_, info = env.step(action("Pickup", place))
    assert observation["success"], info["message"]
    assert observation["held"] == TYPE_NUMBERS["Mug"]
    assert env.thor_metadata()["inventoryObjects"][0]["objectId"] == name


def test_a_point_places_where_it_is_seen() -> None:
    env = home(scene="kitchen-01")
    name, place = show(env, "Mug")
    env.step(action("Pickup", place))
    world = session(env).world
    table = world.of_type("DiningTable")[0]
    for thing in list(world.contents_deep(table)):
        del world.things[thing.id]
    show(env, "DiningTable")
    place, point = place_on_top(env, table)
    observation, *_, info = env.step(action("Place", place))
    assert observation["success"], info["message"]
    x, _, z = world.things[name].position
    assert math.hypot(x - point[0], z - point[2]) < 0.1


def place_on_top(env: SeatEnv, table: Thing) -> tuple[Place, tuple[float, float, float]]:
    """A place in the picture and the point seen there, on the top of a table, in reach, not at its edge."""
    frame = session(env).eyes.look()
    top = table.position[1] + surfaces(table)[0].y
    for row, column in np.argwhere(frame.mask(table.id)):
        x, y, z = frame.camera.point(column + 0.5, row + 0.5, float(frame.depth[row, column]))
        from_middle = max(abs(x - table.position[0]), abs(z - table.position[2]))
        inner = from_middle < min(table.size[0], table.size[2]) / 2 - 0.1
        reach = math.dist((x, y, z), session(env).world.agent.position)
        if abs(y - top) < 0.02 and inner and reach < 1.4:
            return ((column + 0.5) / SIDE, (row + 0.5) / SIDE), (x, y, z)
    raise AssertionError("the top of the table is not in view")


def test_a_thing_can_be_named_by_its_id_in_words() -> None:
    env = home(observations="text")
    name, _ = show(env, "Fridge")
    text, *_, info = env.step(f"Open {name}")
    assert info["success"], info["message"]
    assert f"fridge (open) [{name}]" in text


def test_pointing_can_be_restricted() -> None:
    env = home(observations="text", pointing="point")
    name, place = show(env, "Fridge")
    assert not env.step(f"Open {name}")[4]["success"]
    assert env.step(f"Open {place[0]} {place[1]}")[4]["success"]


def test_a_point_on_the_building_is_refused_and_changes_nothing() -> None:
    env = home()
    places = np.argwhere(session(env).eyes.look().ids == 0)
    if not len(places):
        pytest.skip("the building is not in view")
    before = env.session.digest()
    row, column = places[0]
    observation, *_, info = env.step(action("Pickup", ((column + 0.5) / SIDE, (row + 0.5) / SIDE)))
    assert not observation["success"]
    assert "nothing to use" in info["message"] and info["reason"] == "nothing_there"
    assert env.session.digest() == before


def test_a_step_that_needs_no_picture_draws_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_picture(*_: Any) -> None:
        raise AssertionError("a picture was drawn")

    env = home(rgb=False, observations="arrays")
    monkeypatch.setattr(Renderer, "drawn", no_picture)
    for name in MOVES:
        env.step(action(name))


def test_a_picture_of_an_unchanged_home_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    env = home(ids=True, depth=True)
    drawn = []
    draw = Renderer.drawn
    monkeypatch.setattr(Renderer, "drawn", lambda *given: drawn.append(1) or draw(*given))
    wall = action("Pickup", (0.5, 0.0))
    first, second = env.step(wall)[0], env.step(wall)[0]
    assert not drawn
    assert np.array_equal(first["rgb"], second["rgb"]) and first["rgb"] is not second["rgb"]
    env.step(action("TurnLeft"))
    assert len(drawn) == 1


def test_a_goal_ends_the_episode_with_a_reward() -> None:
    env = home(goal=lambda world: (world.agent.rotation - world.scene.agent.rotation) % 360 == 180)
    assert env.step(action("TurnLeft"))[1:3] == (0.0, False)
    assert env.step(action("TurnLeft"))[1:3] == (1.0, True)


def test_a_goal_can_be_named() -> None:
    with pytest.raises(HousematesError, match="cannot be imported"):
        home(goal="no.such.module:goal")


def test_an_episode_is_cut_off_after_its_steps() -> None:
    env = home(steps=3)
    assert [env.step(action("TurnLeft"))[3] for _ in range(3)] == [False, False, True]


def test_visible_in_the_metadata_is_what_the_picture_shows_in_reach() -> None:
    env = home()
    name, _ = show(env, "Mug")
    env.step(action("TurnLeft"))
    env.step(action("TurnRight"))
    rows = {row["objectId"]: row for row in env.thor_metadata()["objects"]}
    seen = session(env).eyes.look().visible()
    assert {key for key, row in rows.items() if row["visible"]} <= set(seen)
    assert rows[name]["visible"]


def test_what_is_offered_works_with_things_that_are_named_in_the_text() -> None:
    env = home(observations="text")
    show(env, "Mug")
    offers = {offer.name: offer for offer in env.offers()}
    text = env.session.text("agent")
    choices = offers["Pickup"].arguments[0].choices
    assert choices and all(choice in text for choice in choices)
    assert env.step(f"Pickup {choices[0]}")[4]["success"]
    assert "Pickup" not in {offer.name for offer in env.offers()}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"action": 16, "point": (0.5, 0.5)}, "from 0 to 15"),
        ({"action": -1, "point": (0.5, 0.5)}, "from 0 to 15"),
        ({"action": 1.5, "point": (0.5, 0.5)}, "from 0 to 15"),
        ({"point": (0.5, 0.5)}, "action, point"),
        ({"action": 8}, "expected point"),
        ({"action": 8, "point": (0.5, float("nan"))}, "from 0 to 1"),
        ({"action": 8, "point": (0.5, 1.5)}, "from 0 to 1"),
        (3, "action, point"),
    ],
)
def test_a_wrong_action_is_one_sentence_and_changes_nothing(given: Any, said: str) -> None:
    env = home()
    before = env.session.digest()
    with pytest.raises(HousematesError) as caught:
        env.step(given)
    assert said in str(caught.value)
    assert env.session.digest() == before


def test_an_unknown_room_is_named() -> None:
    with pytest.raises(HousematesError, match="attic-99"):
        SeatEnv("housemates/home-v3", scene="attic-99").reset()


def test_a_house_of_several_rooms_is_a_home_like_any_other(tmp_path: Path) -> None:
    house = tmp_path / "house.json"
    house.write_text(json.dumps(generate(5, 2)))
    env = home(scene=str(house))
    assert "You are in a house." in env.session.text("agent")
    seen = {session(env).world.agent.position}
    for name in ("TurnRight", "Forward", "Forward", "TurnRight", "Forward"):
        observation, *_ = env.step(action(name))
        seen.add(session(env).world.agent.position)
    assert len(seen) > 1
    assert observation["rgb"].shape == (SIDE, SIDE, 3)


def test_varied_looks_change_what_is_seen_and_nothing_else() -> None:
    plain, varied = home(), home(looks="varied")
    one, other = (each.step(action("Forward"))[0] for each in (plain, varied))
    assert np.mean(one["rgb"] != other["rgb"]) > 0.5
    assert session(plain).digest() == session(varied).digest()
    with pytest.raises(HousematesError, match="looks"):
        home(looks="gaudy")
