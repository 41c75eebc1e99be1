"""How the seats of TEACh look to learners, beyond what `tests/benchmarks/test_envs.py` asks of all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import housemates
from housemates.benchmarks.spaces import TYPE_NUMBERS
from housemates.benchmarks.teach.env import HISTORY, TatcEncoding
from housemates.benchmarks.teach.session import TatcSession
from housemates.benchmarks.teach.world import menus
from housemates.core import registry
from housemates.core.actions import Act
from housemates.envs.seats import SeatEnv
from housemates.errors import HousematesError

MENU = list(menus.menu("follower", talks=False))


def env_of(made: Path, name: str = "tfd", **options: Any) -> SeatEnv:
    return SeatEnv(f"housemates/teach-{name}-v3", data=made, split="recorded", size=48, **options)


def numbered(name: str, **rest: Any) -> dict[str, Any]:
    return {"action": MENU.index(name), "point": (0.0, 0.0), **rest}


def test_an_observation_is_an_element_of_its_space_with_the_whole_dialogue(made: Path) -> None:
    env = env_of(made, ids=True, depth=True)
    seen, info = env.reset(options={"id": "s4-00002.tfd"})
    assert info["id"] == "s4-00002.tfd" and env.observation_space.contains(seen)
    assert seen["rgb"].shape == (48, 48, 3) and seen["ids"].shape == seen["depth"].shape == (48, 48)
    assert (seen["dialogue"].count("\n") + 1, seen["dialogue"][:11]) == (
        len(env.session.dialogue),
        "commander: ",
    )
    assert (seen["held"], seen["success"], seen["history"].any()) == (0, 1, False)
    assert "rgb" not in env_of(made, rgb=False).observation_space.spaces


def test_what_was_done_stands_at_the_end_of_the_history(made: Path) -> None:
    env = env_of(made)
    env.reset(options={"id": "s4-00002.tfd"})
    env.step(numbered("TurnLeft"))
    seen, *_ = env.step(numbered("Pickup"))
    assert seen["history"].shape == (HISTORY,) and not seen["history"][:-2].any()
    assert seen["history"][-2:].tolist() == [MENU.index("TurnLeft") + 1, MENU.index("Pickup") + 1]
    assert seen["success"] == 0
    env.step(Act("Dance"))
    assert env.seats.observed(env.session, "follower")["history"][-1] == len(MENU) + 1


def test_the_type_in_the_hand_is_observed(begin, go_to) -> None:
    session = begin(size=48)
    mug = go_to(session, "Mug")
    session.act("Pass")
    session.act(Act("Pickup", {"object": mug}))
    seen = TatcEncoding(registry.benchmark("teach-tatc", size=48)).observation(session, "follower")
    assert seen["held"] == TYPE_NUMBERS["Mug"] > 0


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (None, "Expected an action with action, point"),
        ({}, "Expected an action with action, point"),
        ({"action": 99}, f"Unknown action 99: expected a number from 0 to {len(MENU) - 1}"),
        ({"action": -1}, "Unknown action -1"),
        ({"action": True}, "Unknown action True"),
        ({"action": MENU.index("Pickup"), "point": (3, 0)}, "point: expected x and y from 0 to 1"),
        ({"action": MENU.index("Pickup"), "point": "ab"}, "point: expected x and y from 0 to 1"),
        ({"action": MENU.index("Pickup")}, "Pickup: expected point"),
    ],
)
def test_what_is_not_in_the_space_is_refused_in_one_sentence(made: Path, action: Any, said: str) -> None:
    env = env_of(made)
    env.reset(options={"id": "s4-00001.tfd"})
    with pytest.raises(HousematesError) as caught:
        env.step(action)
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_following_the_recording_earns_the_reward(made: Path) -> None:
    env = env_of(made)
    env.reset(options={"id": "s4-00000.tfd"})
    for each in env.session.given.future:
        *_, info = env.step(Act(each.action, each.arguments()))
        assert info["success"]
    _, reward, stopped, cut, info = env.step(numbered("Stop"))
    assert (reward, stopped, cut) == (1.0, True, False)
    assert info["scores"]["success_weighted"] == 1.0


def test_the_same_seed_gives_the_same_instance_without_any_data() -> None:
    env = SeatEnv("housemates/teach-edh-v3", size=48, supply=2)
    first, told = env.reset(seed=3)
    again, retold = env.reset(seed=3)
    assert told["id"] == retold["id"] and first["dialogue"] == again["dialogue"] != ""
    assert np.array_equal(first["rgb"], again["rgb"])


def test_the_follower_of_a_pair_learns_beside_the_talking_commander(made: Path) -> None:
    env = env_of(made, "tatc")
    seen, _ = env.reset(seed=0)
    assert env.role == env.session.role == "follower" and set(env.partners) == {"commander"}
    said = len(env.session.dialogue)
    menu = list(menus.menu("follower"))
    seen, *_ = env.step({"action": menu.index("Say"), "point": (0, 0), "text": "What shall I do?"})
    assert "follower: What shall I do?" in seen["dialogue"]
    assert env.session.role == "follower" and len(env.session.dialogue) > said


def test_both_seats_take_turns_and_the_commander_points_with_words(made: Path) -> None:
    env = housemates.make_aec("housemates/teach-tatc-v3", data=made, split="recorded", rgb=False)
    env.reset(seed=0)
    session = env.session
    assert isinstance(session, TatcSession)
    menu = list(menus.menu("commander"))
    told = env.observe("commander")
    assert session.task.description.startswith(told["goal"][:40])
    about = next(offer for offer in env.offers() if offer.name == "Select").arguments[0].choices[0]
    env.step({"action": menu.index("Select"), "text": about})
    assert session.acted == Act("Select", {"object": about}) and env.infos["commander"]["success"]
    env.step({"action": menu.index("Say"), "text": "Hello."})
    assert env.agent_selection == "follower"
    assert env.observe("follower")["dialogue"].endswith("commander: Hello.")
    with pytest.raises(HousematesError, match="text: expected at most 200 characters"):
        TatcEncoding(registry.benchmark("teach-tatc")).act(
            "commander", {"action": menu.index("Say"), "text": 201 * "a"}
        )


def test_settings_and_ways_of_pointing_that_arrays_cannot_have_are_refused(made: Path) -> None:
    with pytest.raises(
        HousematesError, match="got an unexpected keyword argument 'dept': did you mean 'depth'"
    ):
        env_of(made, dept=True)
    with pytest.raises(HousematesError, match="pointing: expected any or point"):
        env_of(made, pointing="object")
