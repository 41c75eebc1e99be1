"""Agents: random fails, the heuristic guesses, the listener understands, and asks where it must."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from housemates.agents.handmethat.goal_posterior import posterior, rewind
from housemates.benchmarks.handmethat.generate.demonstrate import robot_plan
from housemates.benchmarks.handmethat.generate.synthesis import generate_one
from housemates.benchmarks.handmethat.tasks.goals import version2
from housemates.benchmarks.handmethat.tasks.meanings import Grounded
from housemates.core import registry
from housemates.core.loading import seat_all
from housemates.errors import HousematesError
from housemates.evaluation.runner import Run, evaluate


def results(agent: str, episodes: int, **options: Any) -> dict[str, Any]:
    seats = seat_all(registry.benchmark_class("handmethat"), [agent], {})
    given = {key: str(value) for key, value in options.items()}
    report = evaluate(Run("handmethat", seats, "generated", episodes, 21, given), workers=1, progress=False)
    assert report["errors"] == 0 and report["episodes"] == episodes
    return report


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
    posterior_given_goal, listener, heuristic = (
        results(name, 50)["success"] for name in ("told", "listener", "heuristic")
    )
    assert posterior_given_goal >= listener >= posterior_given_goal - 8
    assert listener >= heuristic + 10


def test_with_questions_the_listener_hardly_fails_even_at_level_4() -> None:
    found = results("listener", 4, questions=1, level=4)
    assert found["success"] == 100


def test_the_listener_finds_what_it_cannot_see() -> None:
    found = results("listener", 25, observability="partial")
    assert found["success"] >= 68 and found["metrics"]["moves_where_solved"] > 4.5


def test_what_the_human_did_can_be_undone_in_thought() -> None:
    episode = generate_one(9, 3)
    assert rewind(episode.current, episode.actions).values == episode.initial.values


@pytest.mark.parametrize("number", range(8))
def test_the_true_goal_is_among_those_that_explain_the_actions(number: int) -> None:
    episode = generate_one(10, number)
    found = posterior(episode.current, episode.actions, version2(), np.random.default_rng(0))
    assert episode.goal.wants in [hypothesis.goal.wants for hypothesis in found]
    assert sum(hypothesis.probability for hypothesis in found) == pytest.approx(1)


def test_only_those_who_look_at_the_answer_are_privileged() -> None:
    privileged = {name: bool(results(name, 1)["privileged"]) for name in ("expert", "told")}
    others = {name: bool(results(name, 1)["privileged"]) for name in ("random", "heuristic", "listener")}
    assert all(privileged.values()) and not any(others.values())


def test_agents_for_any_seat_can_sit_here() -> None:
    assert results("first", 1)["success"] == 0


def test_an_unknown_agent_is_named() -> None:
    with pytest.raises(HousematesError, match="Unknown agent 'wizard'"):
        results("wizard", 1)
