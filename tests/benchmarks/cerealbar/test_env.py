"""Environments and tensors."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st
from pettingzoo.test import api_test, seed_test

from housemates.benchmarks.cerealbar.env import ACTIONS, FollowerEnv, TwoPlayerEnv
from housemates.benchmarks.cerealbar.files.episodes import Recording
from housemates.benchmarks.cerealbar.world.dynamics import new_game
from housemates.benchmarks.cerealbar.world.observe import Memory, observe
from housemates.benchmarks.cerealbar.world.state import FOLLOWER, LEADER, Options
from housemates.benchmarks.cerealbar.world.tensors import (
    INDEX,
    PROPERTIES,
    egocentric,
    encode,
    from_egocentric,
    radius,
)
from housemates.benchmarks.registry import register_environments


def test_gymnasium_knows_the_environment_and_finds_nothing_wrong() -> None:
    register_environments()
    env = gymnasium.make("housemates/cerealbar-v1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_finds_nothing_wrong() -> None:
    api_test(TwoPlayerEnv(), num_cycles=100)
    seed_test(TwoPlayerEnv, num_cycles=20)


@pytest.mark.parametrize(("partial", "ego"), [(False, True), (True, False)])
def test_observations_belong_to_their_space(partial: bool, ego: bool) -> None:
    env = FollowerEnv(leader="planner", partial=partial, ego=ego, game=Options(width=12, height=12, cards=9))
    seen, _ = env.reset(seed=1)
    for step in range(40):
        assert env.observation_space.contains(seen)
        assert seen["instruction"]
        seen, _, over, _, _ = env.step(np.int64(np.flatnonzero(seen["legal"])[step % 3]))
        if over:
            break


def test_the_same_seed_gives_the_same_episode() -> None:
    def run() -> list[bytes]:
        env = FollowerEnv()
        seen, _ = env.reset(seed=4)
        return [seen["map"].tobytes(), *(env.step(np.int64(a % 5))[0]["map"].tobytes() for a in range(12))]

    assert run() == run()


def test_following_a_recorded_leader_as_recorded_earns_the_recorded_points(corpus: list[Recording]) -> None:
    recording = max(corpus, key=lambda game: game.score)
    env = FollowerEnv(recording=recording, ten_steps=False)
    env.reset()
    assert env.script is not None
    names = [name for _, gold in sorted(env.script.golds.items()) for name in gold.actions]
    total, over = 0.0, False
    for name in names:
        _, reward, over, _, _ = env.step(np.int64(ACTIONS.index(name)))
        total += reward
        if over:
            break
    assert total == recording.score - env.script.golds[env.script.completed[0]].start.score


def test_a_refused_action_says_why_and_changes_nothing() -> None:
    env = FollowerEnv()
    seen, _ = env.reset(seed=0)
    blocked = [i for i in range(5) if not seen["legal"][i]]
    for seed in range(1, 30):
        if blocked:
            break
        seen, _ = env.reset(seed=seed)
        blocked = [i for i in range(5) if not seen["legal"][i]]
    before = env.game.digest()
    _, reward, _, _, info = env.step(np.int64(blocked[0]))
    assert reward == 0
    assert "blocked" in info["refused"]
    assert env.game.digest() == before


def test_there_are_97_properties_and_each_hex_has_one_ground() -> None:
    assert len(PROPERTIES) == 97
    game = new_game(3)
    planes = encode(observe(game, LEADER))
    assert planes.shape == (97, 25, 25)
    assert (planes[:6].sum(axis=0) == 1).all()
    assert planes[INDEX["card: unselected"]].sum() == 21
    x, y = game.position[LEADER] % 25, game.position[LEADER] // 25
    assert planes[INDEX["leader facing NE"], x, y] == 1
    for at, card in game.cards.items():
        assert planes[INDEX[f"card colour: {card.colour}"], at % 25, at // 25] == 1
        assert planes[INDEX[f"card count: {card.number}"], at % 25, at // 25] == 1


def test_what_was_never_seen_is_all_zeros() -> None:
    game = new_game(3)
    seen = observe(game, FOLLOWER, Memory())
    planes = encode(seen)
    assert seen.seen is not None
    assert planes.any(axis=0).sum() == len(seen.seen)


def test_an_invalid_selection_is_marked_for_the_leader_only() -> None:
    game = new_game(3)
    a, b = next(
        (a, b)
        for a in game.cards
        for b in game.cards
        if game.cards[a].shape == game.cards[b].shape and a != b
    )
    game.selected = [a, b]
    assert encode(observe(game, LEADER))[INDEX["card: invalid"]].sum() == 2
    assert encode(observe(game, FOLLOWER))[INDEX["card: selected"]].sum() == 2


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 624), st.integers(0, 5))
def test_the_egocentric_frame_is_exact_and_reversible(place: int, heading: int) -> None:
    game = new_game(3)
    planes = encode(observe(game, LEADER))
    reach = radius(game.map.size)
    own = egocentric(planes, place * 6 + heading, reach)
    assert own.sum() == planes.sum()
    assert (from_egocentric(own, place * 6 + heading, game.map.size) == planes).all()
    ahead = game.map.exits[place, heading]
    if ahead >= 0:
        assert (own[:, reach, reach + 1] == planes[:, ahead % 25, ahead // 25]).all()
    assert (own[:, reach, reach] == planes[:, place % 25, place // 25]).all()
