"""Flat actions: one number for an act, plain arrays to see, and masks that say what makes sense."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv

import housemates
from housemates.core import registry
from housemates.core.outcome import Reason
from housemates.envs.flat import CHOICES, MASK, VOCABULARY, number_of_word, words
from housemates.envs.seats import SeatEnv
from housemates.errors import HousematesError

pytestmark = pytest.mark.slow
IDS = [env_id for spec in registry.specs().values() for env_id in spec.environments]
SKILLED = ("housemates/alfred-v3", "housemates/teach-tatc-v3")
SENSELESS = (Reason.UNKNOWN_ACT, Reason.MALFORMED, Reason.NO_SUCH_THING, Reason.NOTHING_THERE)
FIXED_LISTS = {"housemates/eb-alfred-v1": (Reason.NO_SUCH_THING,)}
"""Environments with the published list of skills, whatever is in the home -> what may come of that."""
"""What does not come of an act that the mask allows."""


def make(env_id: str, **options: Any) -> SeatEnv:
    known = registry.benchmark_class(registry.encoding_class(env_id).benchmark).Options.__dataclass_fields__
    size = {"size": "48"} if "size" in known else {}
    return SeatEnv(env_id, **{"supply": 2, "actions": "flat", **size, **options})


def some(env: Any, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(env.action_masks())))


@pytest.mark.parametrize("env_id", IDS)
def test_a_flat_environment_is_numbers_alone_and_passes_the_checks(env_id: str) -> None:
    env = make(env_id)
    assert isinstance(env.action_space, spaces.Discrete)
    assert isinstance(env.observation_space, spaces.Dict)
    assert {type(each) for each in env.observation_space.values()} <= {spaces.Box, spaces.Discrete}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env, skip_render_check=True)
    names = env.seats.flat[env.role].meanings()
    assert len(names) == len(set(names)) == env.action_space.n


@pytest.mark.parametrize(
    ("env_id", "options"),
    [*((env_id, {}) for env_id in IDS), *((env_id, {"acts": "skills"}) for env_id in SKILLED)],
    ids=str,
)
def test_what_the_mask_allows_makes_sense(env_id: str, options: dict[str, Any]) -> None:
    env, rng = make(env_id, **options), np.random.default_rng(0)
    observation, _ = env.reset(seed=0)
    for _ in range(8 if options else 40):
        assert (observation[MASK] == env.action_masks()).all()
        assert env.observation_space.contains(observation)
        number = some(env, rng)
        observation, _, ended, cut, info = env.step(number)
        assert info["reason"] not in set(SENSELESS).difference(FIXED_LISTS.get(env_id, ())), env.seats.flat[
            env.role
        ].meanings()[number]
        if ended or cut:
            observation, _ = env.reset()


def test_an_act_at_a_cell_means_the_nearest_thing_in_it_that_it_is_for() -> None:
    env = make("housemates/home-v3", size="96", scene="kitchen-01", ids=True)
    env.reset(seed=0)
    rng, seat, done = np.random.default_rng(1), env.seats.flat["agent"], set()
    for _ in range(300):
        number = some(env, rng)
        name = seat.meanings()[number].split(" ")[0]
        things = next((each for each in env.offers() if each.name == name), None)
        frame = env.session.eyes.look()  # type: ignore[attr-defined]
        *_, info = env.step(number)
        act = env.trace.steps[-1].act
        if act is not None and "point" in act.arguments and things is not None:
            x, y = act.arguments["point"]
            named = next(each.choices for each in things.arguments if each.kind == "object")
            assert frame.thing_at(int(x * 96), int(y * 96)) in named
            done |= {name} if info["success"] else set()
    assert len(done) > 2


def test_an_act_whose_mask_is_off_is_a_failed_act_and_no_error() -> None:
    for env_id in ("housemates/home-v3", "housemates/handmethat-v1"):
        env = make(env_id)
        env.reset(seed=0)
        number = int(np.flatnonzero(~env.action_masks())[-1])
        *_, info = env.step(number)
        assert not info["success"]


@pytest.mark.parametrize("wrong", [-1, 10**6, np.int64(500), 0.5, None, "x", True])
def test_a_number_out_of_range_is_one_sentence_and_changes_nothing(wrong: Any) -> None:
    env = make("housemates/handmethat-v1")
    env.reset(seed=0)
    before = env.session.digest()
    with pytest.raises(HousematesError, match=r"^Unknown action [^(]*: expected a number from 0 to 128\.$"):
        env.step(wrong)
    assert env.session.digest() == before


def test_flat_and_spoken_exclude_each_other_and_unknown_values_are_named() -> None:
    with pytest.raises(HousematesError, match="flat ones go with observations=arrays"):
        make("housemates/home-v3", observations="text")
    with pytest.raises(HousematesError, match="actions: expected structured or flat, found 'flatt'"):
        make("housemates/home-v3", actions="flatt")
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'"):
        make("housemates/home-v3", frameskip=1)


def test_words_are_the_same_numbers_everywhere_and_choices_are_theirs() -> None:
    assert [number_of_word(each) for each in ("mug", "apple")] == [1400, 999]
    assert words("Move to the table!", 6).tolist()[5] == 0
    assert words("DishSponge|+01 TVStand", 8).tolist() == words("dish sponge | + 01 tv stand", 8).tolist()
    assert words("a b c", 2, from_end=True).tolist() == words("b c", 2).tolist()
    env = make("housemates/handmethat-v1")
    observation, _ = env.reset(seed=0)
    commands = env.offers()[0].arguments[0].choices
    listed = observation[CHOICES][0]
    assert listed.max() < VOCABULARY
    assert all((listed[number] == words(each, 12)).all() for number, each in enumerate(commands))
    assert not listed[len(commands) :].any()
    number = commands.index("move to human")
    env.step(number)
    assert env.trace.steps[-1].act.arguments == {"command": "move to human"}  # type: ignore[union-attr]


@pytest.mark.parametrize("env_id", ["housemates/home-v3", "housemates/handmethat-v1"])
@pytest.mark.parametrize("copy", [True, False])
def test_many_in_one_process_give_what_single_ones_give(env_id: str, copy: bool) -> None:
    options: dict[str, Any] = {"supply": 2, "actions": "flat"}
    options |= {"size": "48", "ids": True, "depth": True, "steps": 9} if "home" in env_id else {}
    together = housemates.make_vec(env_id, 3, vector_kwargs={"copy": copy}, **options)
    apart = SyncVectorEnv([lambda: SeatEnv(env_id, **options)] * 3)
    one, other = together.reset(seed=4)[0], apart.reset(seed=4)[0]
    rng, before = np.random.default_rng(0), None
    for _ in range(20):
        assert one.keys() == other.keys()
        assert all((one[name] == other[name]).all() for name in one)
        assert before is None or all(np.shares_memory(one[name], before[name]) is not copy for name in one)
        before = one
        assert (together.action_masks() == one[MASK]).all()
        acts = np.array([rng.choice(np.flatnonzero(each)) for each in one[MASK]])
        (one, *told, infos), (other, *expected, known) = together.step(acts), apart.step(acts)
        assert all((found == wanted).all() for found, wanted in zip(told, expected, strict=True))
        assert infos.keys() == known.keys()
        assert all((infos[name] == known[name]).all() for name in ("success", "reason", "message", "id"))


@pytest.mark.parametrize("mode", ["sync", "async", "vector_entry_point"])
def test_vectors_are_made_by_gymnasiums_own_names(mode: str) -> None:
    options = {"size": "32", "supply": 2, "actions": "flat"}
    kwargs = {"autoreset_mode": "SameStep"}
    envs = housemates.make_vec(
        "housemates/home-v3", num_envs=2, vectorization_mode=mode, vector_kwargs=kwargs, **options
    )
    try:
        observation, _ = envs.reset(seed=0)
        assert observation["rgb"].shape == (2, 32, 32, 3)
        if mode == "async":
            envs.step_async(np.zeros(2, int))
            assert envs.step_wait()[1].shape == (2,)
        assert envs.metadata["autoreset_mode"].value == "SameStep"
    finally:
        envs.close()


def test_wrappers_and_modes_that_do_not_fit_are_one_sentence() -> None:
    with pytest.raises(
        HousematesError, match="vectorization_mode: expected sync, async or vector_entry_point"
    ):
        housemates.make_vec("housemates/home-v3", vectorization_mode="threads")
    with pytest.raises(HousematesError, match="wrappers: expected vectorization_mode=sync or async"):
        housemates.make_vec("housemates/home-v3", wrappers=[gymnasium.wrappers.FlattenObservation])
