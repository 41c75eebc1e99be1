"""Environments are forked, kept and gone back in, alone, in vectors and with all seats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import housemates
from housemates.core import registry
from housemates.envs.seats import SeatEnv
from housemates.errors import HousematesError

IDS = [env_id for spec in registry.specs().values() for env_id in spec.environments]


def make(env_id: str, **options: Any) -> SeatEnv:
    """An environment with little to choose from and small pictures."""
    known = registry.benchmark_class(registry.encoding_class(env_id).benchmark).Options.__dataclass_fields__
    return SeatEnv(env_id, **{"supply": 2, **({"size": "64"} if "size" in known else {}), **options})


def same(first: Any, second: Any) -> bool:
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    if isinstance(first, list | tuple):
        return len(first) == len(second) and all(map(same, first, second))
    return bool(np.array_equal(first, second))


def played(env: SeatEnv, acts: list[Any]) -> list[Any]:
    """What the steps tell, until the episode is over."""
    told: list[Any] = []
    for act in acts:
        if not env.episode.over:
            told.append(env.step(act))
    return told


@pytest.mark.parametrize("env_id", IDS)
def test_a_fork_goes_on_from_the_same_state_and_a_snapshot_leads_back(env_id: str) -> None:
    env = make(env_id)
    with pytest.raises(HousematesError, match="There is no episode yet"):
        env.fork()
    env.reset(seed=3)
    env.action_space.seed(0)
    acts = [env.action_space.sample() for _ in range(8)]
    played(env, acts[:2])
    if env.episode.over:
        env.reset(seed=4)
    moment, twin, digest = env.snapshot(), env.fork(), env.session.digest()
    here = env.seats.observed(env.session, env.role)
    told = played(env, acts[2:])
    assert twin.session.digest() == digest
    assert same(played(twin, acts[2:]), told)
    for _ in range(2):
        back, info = env.restore(moment)
        assert (env.session.digest(), info["id"]) == (digest, env.instance.id)
        assert same(back, here)
        assert same(played(env, acts[2:]), told)
    assert same(twin.reset(), env.reset()), "both draw the same instances"


@pytest.mark.parametrize("env_id", IDS)
def test_all_seats_are_forked_with_their_rewards_and_infos(env_id: str) -> None:
    env = housemates.make_aec(env_id, supply=2, observations="text")
    env.reset(seed=0)

    def go_on(env: Any) -> list[Any]:
        told = []
        for _ in range(4):
            if env.session.role is not None and not env.episode.over:
                env.step(next(iter(env.session.menu(env.agent_selection))))
                told.append((env.last(), dict(env.rewards), env.agent_selection))
        return told

    go_on(env)
    if env.episode.over:
        env.reset(seed=1)
    moment, twin = env.snapshot(), env.fork()
    told = go_on(env)
    assert go_on(twin) == told
    env.restore(moment)
    assert go_on(env) == told


def test_environments_of_a_vector_go_on_from_one_moment() -> None:
    envs = housemates.make_vec("housemates/home-v3", num_envs=3, size=64, supply=2)
    envs.reset(seed=0)
    envs.action_space.seed(0)
    acts = [envs.action_space.sample() for _ in range(6)]
    for act in acts[:3]:
        envs.step(act)
    moments, twin = envs.snapshot(), envs.fork()
    told = [envs.step(act) for act in acts[3:]]
    assert same([twin.step(act)[:4] for act in acts[3:]], [each[:4] for each in told])
    observed, infos = envs.restore([moments[1]] * 3)
    assert len(set(infos["id"])) == 1
    assert len({env.session.digest() for env in envs.envs}) == 1
    assert (observed["rgb"] == observed["rgb"][0]).all()
    envs.restore(moments)
    assert same([envs.step(act)[:4] for act in acts[3:]], [each[:4] for each in told])
    with pytest.raises(HousematesError, match=r"snapshots: expected 3, found 1\."):
        envs.restore(moments[:1])


def test_a_vector_in_which_an_episode_is_over_is_kept_as_it_is() -> None:
    envs = housemates.make_vec("housemates/home-v3", num_envs=2, size=32, supply=2, steps=3)
    envs.reset(seed=0)
    for _ in range(3):
        *_, cut, _ = envs.step(envs.action_space.sample())
    assert cut.all()
    moments, twin = envs.snapshot(), envs.fork()
    before = [env.instance.id for env in envs.envs]
    envs.step(envs.action_space.sample())
    envs.restore(moments)
    assert [env.instance.id for env in envs.envs] == before
    assert all(env.episode.over for env in twin.envs)
    with pytest.raises(HousematesError, match="The episode is over: there is nothing to go on with"):
        envs.envs[0].fork()


def test_a_snapshot_goes_into_another_environment_of_the_same_options_only() -> None:
    one, other = (make("housemates/home-v3") for _ in range(2))
    one.reset(seed=0)
    other.reset(seed=9)
    one.step(one.action_space.sample())
    other.restore(one.snapshot())
    assert other.session.digest() == one.session.digest()
    small = make("housemates/home-v3", size="32")
    small.reset()
    with pytest.raises(HousematesError, match="another benchmark, or of one with other options"):
        small.restore(one.snapshot())
