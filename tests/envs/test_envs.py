"""Every environment: one adapter serves all seats, for Gymnasium and PettingZoo, in arrays and in words."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import warnings
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from pettingzoo.test import api_test, seed_test

import housemates
from housemates.benchmarks.encoding import Encoding
from housemates.core import registry
from housemates.core.actions import Act
from housemates.envs.seats import SeatEnv
from housemates.errors import HousematesError

pytestmark = pytest.mark.slow
IDS = [env_id for spec in registry.specs().values() for env_id in spec.environments]
MODES = ("arrays", "text")


def make(env_id: str, **options: Any) -> SeatEnv:
    """An environment with little to choose from and small pictures."""
    encoding: type[Encoding] = registry.encoding_class(env_id)
    known = registry.benchmark_class(encoding.benchmark).Options.__dataclass_fields__
    size = {"size": "64"} if "size" in known else {}
    return SeatEnv(env_id, **{"supply": 2, **size, **options})


def actions(env: SeatEnv, count: int, seed: int = 0) -> list[Any]:
    """Actions by chance: of the space, or lines that are offered at the start."""
    if env.seats.text:
        names = list(env.session.menu(env.role))
        return [names[number % len(names)] for number in range(count)]
    env.action_space.seed(seed)
    return [env.action_space.sample() for _ in range(count)]


def same(first: Any, second: Any) -> bool:
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(same(first[key], second[key]) for key in first)
    return bool(np.array_equal(first, second))


def played(env: SeatEnv, count: int, seed: int = 0) -> list[Any]:
    """Everything that a number of steps tell; begun again where an episode is over."""
    told: list[Any] = [env.reset(seed=seed)]
    for action in actions(env, count, seed):
        told.append(env.step(action))
        if told[-1][2] or told[-1][3]:
            told.append(env.reset())
    return told


@pytest.mark.parametrize("observations", MODES)
@pytest.mark.parametrize("env_id", IDS)
def test_it_passes_the_checks_of_gymnasium(env_id: str, observations: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(make(env_id, observations=observations), skip_render_check=True)


@pytest.mark.parametrize("observations", MODES)
@pytest.mark.parametrize("env_id", IDS)
def test_the_same_seed_and_actions_give_the_same_episodes(env_id: str, observations: str) -> None:
    first, second = (make(env_id, observations=observations) for _ in range(2))
    for one, other in zip(played(first, 40), played(second, 40), strict=True):
        assert same(one[0], other[0])
        assert one[1:] == other[1:]
    assert first.session.digest() == second.session.digest()


@pytest.mark.parametrize("env_id", IDS)
def test_observations_are_in_their_space_and_belong_to_the_learner(env_id: str) -> None:
    env = make(env_id)
    kept = []
    for observation, *_ in played(env, 20):
        assert env.observation_space.contains(observation)
        kept.append((observation, copy.deepcopy(observation)))
    assert all(same(given, before) for given, before in kept)


@pytest.mark.parametrize("env_id", IDS)
def test_it_can_be_copied_and_pickled_in_the_middle_of_an_episode(env_id: str) -> None:
    env = make(env_id)
    unused = pickle.loads(pickle.dumps(env))
    played(env, 15)
    twins = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
    assert all(twin.session.digest() == env.session.digest() for twin in twins)
    later = [[one.step(action) for action in actions(env, 1, 7)] for one in (env, *twins)]
    assert all(same(told[0][0], later[0][0][0]) and told[0][1:] == later[0][0][1:] for told in later)
    drawn = {one.reset()[1]["id"] for one in (env, *twins)}
    assert len(drawn) == 1
    assert same(unused.reset(seed=0)[0], make(env_id).reset(seed=0)[0])


@pytest.mark.parametrize("env_id", IDS)
def test_an_action_outside_the_space_is_one_sentence_and_changes_nothing(env_id: str) -> None:
    env = make(env_id)
    env.reset(seed=0)
    before = env.session.digest()
    inside = env.action_space.sample()
    for wrong in (-1, 10**6, 0.5, None, "x"):
        action = {**inside, "action": wrong} if isinstance(inside, dict) else wrong
        if not env.action_space.contains(action):
            with pytest.raises(HousematesError) as caught:
                env.step(action)
            assert "\n" not in str(caught.value)
    assert env.session.digest() == before
    assert not env.trace.steps or env.trace.steps[-1].role != env.role


@pytest.mark.parametrize("env_id", IDS)
def test_an_episode_ends_in_time_and_then_has_scores(env_id: str) -> None:
    env = make(env_id, observations="text")
    env.reset(seed=0)
    for _ in range(env.session.limits.steps + 1):
        *_, ended, cut, info = env.step("this makes no sense")
        if ended or cut:
            break
    assert cut != ended
    assert 0.0 <= info["scores"]["success"] <= 1.0
    with pytest.raises(HousematesError, match="over"):
        env.step("this makes no sense")


@pytest.mark.parametrize("env_id", IDS)
def test_offers_tell_what_can_be_done_now(env_id: str) -> None:
    env = make(env_id)
    with pytest.raises(HousematesError, match="reset"):
        env.offers()
    env.reset(seed=0)
    offered = {offer.name for offer in env.offers()}
    menu = env.session.menu(env.role)
    assert offered and offered <= set(menu)
    assert env.action_masks().tolist() == [name in offered for name in menu]


@pytest.mark.parametrize("env_id", IDS)
def test_an_instance_can_be_asked_for_by_id(env_id: str) -> None:
    env = make(env_id)
    wanted = env.reset(seed=3)[1]["id"]
    assert env.reset(options={"id": wanted})[1]["id"] == wanted
    with pytest.raises(HousematesError, match="no-such-thing"):
        env.reset(options={"id": "no-such-thing"})


@pytest.mark.parametrize("env_id", IDS)
def test_it_renders_pictures_and_text(env_id: str) -> None:
    env = make(env_id, render_mode="rgb_array")
    env.reset(seed=0)
    picture = env.render()
    assert picture.dtype == np.uint8 and picture.ndim == 3
    env = make(env_id, render_mode="ansi")
    env.reset(seed=0)
    assert isinstance(env.render(), str)
    with pytest.raises(HousematesError, match="rgb_array"):
        make(env_id, render_mode="human")


@pytest.mark.parametrize("env_id", IDS)
def test_all_seats_pass_the_checks_of_pettingzoo(env_id: str) -> None:
    def made() -> Any:
        size = {"size": "64"} if "size" in registry_options(env_id) else {}
        return housemates.make_aec(env_id, supply=2, **size)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(made(), num_cycles=20)
        seed_test(made, num_cycles=20)


def registry_options(env_id: str) -> dict[str, Any]:
    found: dict[str, Any] = registry.benchmark_class(
        registry.encoding_class(env_id).benchmark
    ).Options.__dataclass_fields__
    return found


@pytest.mark.parametrize("env_id", IDS)
def test_all_seats_render_and_can_be_copied(env_id: str) -> None:
    env = housemates.make_aec(env_id, supply=2, observations="text", render_mode="rgb_array")
    env.reset(seed=0)
    for _ in range(5):
        env.step(next(iter(env.session.menu(env.agent_selection))))
        if env.session.role is None:
            break
    assert env.render().ndim == 3
    twin = pickle.loads(pickle.dumps(env))
    assert twin.session.digest() == env.session.digest()
    assert (twin.agents, twin.agent_selection, twin.infos) == (env.agents, env.agent_selection, env.infos)


@pytest.mark.parametrize("kind", [SyncVectorEnv, AsyncVectorEnv])
@pytest.mark.parametrize("observations", MODES)
@pytest.mark.parametrize("env_id", IDS)
def test_it_runs_in_the_vector_environments_of_gymnasium(env_id: str, observations: str, kind: Any) -> None:
    envs = kind([partial(make, env_id, observations=observations)] * 2)
    try:
        envs.reset(seed=0)
        for _ in range(3):
            told = envs.step(envs.action_space.sample())
        assert told[1].shape == (2,)
    finally:
        envs.close()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("env_id", IDS)
def test_many_in_one_process_give_what_single_ones_give(env_id: str, mode: str) -> None:
    together = housemates.make_vec(env_id, 3, supply=2, autoreset_mode=mode)
    apart = SyncVectorEnv([partial(SeatEnv, env_id, supply=2)] * 3, autoreset_mode=mode)
    assert same(together.reset(seed=4)[0], apart.reset(seed=4)[0])
    together.action_space.seed(4)
    for _ in range(30):
        action = together.action_space.sample()
        one, other = together.step(action), apart.step(action)
        assert same(one[0], other[0])
        assert all(np.array_equal(one[place], other[place]) for place in (1, 2, 3))
        assert one[4]["id"].tolist() == other[4]["id"].tolist()


def test_what_vector_environments_give_out_stays_as_it_is() -> None:
    envs = housemates.make_vec("housemates/home-v3", num_envs=2, size=64, ids=True, depth=True)
    first, _ = envs.reset(seed=0)
    before = copy.deepcopy(first)
    for _ in range(5):
        envs.step(envs.action_space.sample())
    assert same(first, before)


LOOKED_FOR = "import housemates, importlib.util as found; found.find_spec('gymnasium'); import gymnasium"


@pytest.mark.parametrize(
    "order", ["import housemates, gymnasium", "import gymnasium, housemates", LOOKED_FOR], ids=len
)
def test_gymnasium_knows_the_environments_once_the_package_is_imported(order: str) -> None:
    code = f"{order}; print(gymnasium.make('housemates/home-v3', size=32).reset(seed=0)[1]['id'])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_gymnasium_imports_the_package_by_itself_if_the_id_names_it() -> None:
    code = "import gymnasium; gymnasium.make('housemates:housemates/home-v3', size=32)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_importing_the_package_does_not_import_gymnasium() -> None:
    code = "import housemates, sys; sys.exit('gymnasium' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_gymnasium_makes_vectors_of_them_in_one_process() -> None:
    envs = gymnasium.make_vec("housemates/home-v3", 2, size=32)
    assert envs.reset(seed=0)[0]["rgb"].shape == (2, 32, 32, 3)


def test_an_act_can_be_given_as_it_is() -> None:
    env = make("housemates/home-v3")
    env.reset(seed=0)
    assert env.step(Act("TurnLeft"))[4]["success"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"sise": 64}, "size"),
        ({"observations": "pixels"}, "arrays or text"),
        ({"split": "tomorrow"}, "train, seen, unseen"),
        ({"role": "cat"}, "agent"),
        ({"agents": {"cat": "random"}}, "cat"),
        ({"supply": 0}, "at least 1"),
        ({"size": "99999"}, "size"),
        ({"size": "big"}, "160x120"),
    ],
)
def test_wrong_options_are_refused_in_one_sentence(options: dict[str, Any], said: str) -> None:
    with pytest.raises(HousematesError) as caught:
        SeatEnv("housemates/home-v3", **options)
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_an_unknown_environment_is_named_and_the_nearest_is_offered() -> None:
    with pytest.raises(HousematesError, match="did you mean 'housemates/home-v3'"):
        SeatEnv("housemates/home-v31")
