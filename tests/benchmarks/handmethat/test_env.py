"""The text environment: what commands do, what they cost, and what nonsense does not do."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from housemates.benchmarks.handmethat.env import MOVES, HandMeThatEnv
from housemates.benchmarks.handmethat.files.episodes import Episode
from housemates.benchmarks.handmethat.generate.making import Settings, generate_one
from housemates.benchmarks.handmethat.tasks.questions import TOPICS
from housemates.benchmarks.handmethat.world.dynamics import ROBOT
from housemates.benchmarks.handmethat.world.operators import applicable, ground
from housemates.benchmarks.handmethat.world.wording import FREE
from housemates.benchmarks.registry import register_environments

EPISODE = generate_one(1, 0)


CASES = [*((2, number) for number in range(10)), (1, 0), (1, 1), (1, 2)]


def env_of(episode: Episode = EPISODE, **options: object) -> HandMeThatEnv:
    env = HandMeThatEnv([episode], **options)  # type: ignore[arg-type]
    env.reset(seed=0)
    return env


def test_gymnasium_finds_no_fault() -> None:
    import gymnasium

    register_environments()
    env = gymnasium.make("housemates/handmethat-v1", data=[EPISODE], fully=False)
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize(("version", "number"), CASES)
def test_the_demonstration_earns_100_less_one_a_command(version: int, number: int) -> None:
    episode = generate_one(2, number, settings=Settings(version, balanced=version == 1))
    for fully in (True, False):
        env = env_of(episode, fully=fully)
        rewards = [env.step(command)[1] for command in episode.demo]
        assert env.success and sum(rewards) == 100 - len(episode.demo) == env.score


@pytest.mark.parametrize("fully", [True, False])
def test_valid_actions_are_just_those_that_work(fully: bool) -> None:
    env = env_of(fully=fully)
    rng = np.random.default_rng(0)
    scene = env.world.scene
    for _ in range(60):
        valid = env.commands.possible()
        assert len(valid) == len(set(valid))
        for command in valid:
            action = env.commands.parse(command)
            if command in FREE:
                continue
            assert action is not None, command
            operator = ground(scene, ROBOT, action)
            assert operator is not None and applicable(env.world, operator), command
        for name in rng.choice(scene.displayed[16:], 25):
            for verb in ("pick up {}", "open {}", "close {}", "toggle on {}", "heat {}", "give {} to human"):
                command = verb.format(name)
                action = env.commands.parse(command)
                operator = ground(scene, ROBOT, action) if action else None
                works = operator is not None and applicable(env.world, operator)
                assert works == (command in valid), command
        env.step(valid[int(rng.integers(len(valid)))])
        env.moves = env.count = 0


NONSENSE = [
    "",
    "x" * 10_000,
    "把苹果给我",
    "возьми яблоко",
    "pick up unicorn 7",
    "put table onto table",
    "move to to to",
    "open human",
    "slice human with human",
    "\x00\n\t",
]


@pytest.mark.parametrize("command", NONSENSE, ids=range(len(NONSENSE)))
def test_nonsense_is_refused_costs_a_move_and_changes_nothing(command: str) -> None:
    env = env_of(question_cost=1.0)
    before = env.world.digest()
    text, reward, done, cut, _ = env.step(command)
    assert text in (env.style.puzzled, env.style.refusal)
    assert (reward, done, cut, env.moves) == (-1, False, False, 1)
    assert env.world.digest() == before


def test_looking_is_free_and_forty_moves_are_the_end() -> None:
    env = env_of(fully=False)
    for command in ("examine", "look", "inventory"):
        assert env.step(command)[1] == 0
    assert env.moves == 0
    results = [env.step("move to sofa" if number % 2 else "move to bed") for number in range(MOVES)]
    assert [cut for _, _, _, cut, _ in results] == [False] * (MOVES - 1) + [True]
    assert env.score == -MOVES


def test_shut_places_show_nothing_until_they_are_open() -> None:
    env = env_of(fully=False)
    text = env.step("move to microwave")[0]
    assert "closed toggled-off" in text and "you can see" not in text
    assert "you can see" in env.step("open microwave")[0]


def test_questions_are_answered_from_the_meaning_at_their_price() -> None:
    env = env_of(question_cost=2.0)
    text, reward, *_ = env.step(TOPICS["type"])
    assert text.startswith("Human answers") and reward == -2
    assert env.step("question: can you say it clearly")[1] == -6
    assert (env.asked, env.moves) == (2, 0)
    assert env_of().step(TOPICS["type"])[0] == "I can't understand."


def test_the_same_seed_gives_the_same_texts() -> None:
    texts = []
    for _ in range(2):
        env = HandMeThatEnv(fully=False)
        first, info = env.reset(seed=5)
        texts.append([first, *(env.step(command)[0] for command in info["valid_actions"][:20])])
    assert texts[0] == texts[1]
