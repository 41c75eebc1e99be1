"""Agents: random fails, the heuristic guesses, the listener understands, and asks where it must."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from housemates.benchmarks import registry
from housemates.benchmarks.handmethat.agents.goalposterior import posterior, rewind
from housemates.benchmarks.handmethat.commands import demo, play
from housemates.benchmarks.handmethat.generate.demonstrate import robot_plan
from housemates.benchmarks.handmethat.generate.making import generate_one
from housemates.benchmarks.handmethat.tasks.goals import version2
from housemates.benchmarks.handmethat.tasks.meanings import Grounded
from housemates.errors import HousematesError
from housemates.evaluation.runner import Run, evaluate


def results(agent: str, episodes: int, **options: Any) -> dict[str, Any]:
    run = Run("handmethat", agent, "generated", episodes, 21, options)
    return evaluate(run, workers=1, progress=False)


def test_random_gets_nowhere() -> None:
    assert results("random", 20)["success"] == 0


def test_nothing_can_be_put_into_itself() -> None:
    world = generate_one(9, 3).current
    box = world.scene.instances["box"][0]
    assert robot_plan(world, "move_to", Grounded(box, world.scene.names[box])) is None
    assert robot_plan(world, "move_to", Grounded(box, "table")) is not None


def test_the_expert_always_succeeds() -> None:
    assert results("expert", 20)["success"] == 100


def test_the_listener_beats_the_heuristic_and_nearly_the_one_who_is_told() -> None:
    told, listener, heuristic = (results(name, 50)["success"] for name in ("told", "listener", "heuristic"))
    assert told >= listener >= told - 8
    assert listener >= heuristic + 10


def test_with_questions_the_listener_hardly_fails_even_at_level_4() -> None:
    found = results("listener", 4, questions=1, level=4)
    assert found["success"] == 100


def test_the_listener_finds_what_it_cannot_see() -> None:
    found = results("listener", 25, observability="partial")
    assert found["success"] >= 68 and found["moves"] > 4.5


def test_what_the_human_did_can_be_undone_in_thought() -> None:
    episode = generate_one(9, 3)
    assert rewind(episode.current, episode.actions).values == episode.initial.values


@pytest.mark.parametrize("number", range(8))
def test_the_true_goal_is_among_those_that_explain_the_actions(number: int) -> None:
    episode = generate_one(10, number)
    found = posterior(episode.current, episode.actions, version2(), np.random.default_rng(0))
    assert episode.goal.wants in [hypothesis.goal.wants for hypothesis in found]
    assert sum(hypothesis.probability for hypothesis in found) == pytest.approx(1)


def test_unknown_options_are_refused() -> None:
    for options in ({"version": 3}, {"observability": "none"}, {"questions": "many"}, {"level": 5}):
        with pytest.raises(HousematesError, match="expected"):
            registry.benchmark("handmethat", **options)
    with pytest.raises(HousematesError, match="Unknown agent"):
        registry.benchmark("handmethat").agents("wizard")


def test_the_tour_has_a_row_for_each_level() -> None:
    assert [row["level"] for row in demo.rows()] == [1, 2, 3, 4]


def test_a_person_can_play_and_give_up() -> None:
    said: list[str] = []
    lines = iter(["help", "examine", "fly to the moon", "give up"])
    assert not play.play(None, 3, False, "standard", 1.0, ask=lambda _: next(lines), tell=said.append)
    assert "Welcome" in said[0] and "I can't understand." in said and "The human meant" in said[-1]
