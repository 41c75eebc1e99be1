"""Goals of version 1 are drawn by how likely they are, and the true one explains what was done."""

from __future__ import annotations

import numpy as np
import pytest

from housemates.agents.handmethat.goal_posterior import rewind
from housemates.agents.handmethat.goal_posterior_v1 import ObservedHuman
from housemates.agents.handmethat.goal_sampling import Evidence, _sample_group, relevance_test, sample_goals
from housemates.benchmarks.handmethat.generate.synthesis import Settings, generate_one
from housemates.benchmarks.handmethat.tasks.goals import templates
from housemates.benchmarks.handmethat.tasks.meanings import Lexicon

NUMBERS = (0, 1, 2, 3, 5, 6)


@pytest.mark.parametrize("otherwise", [0.0, 0.5])
def test_weights_make_up_for_what_is_drawn_too_often(otherwise: float) -> None:
    rng = np.random.default_rng(0)
    options = list("abcdefg")
    draws = [_sample_group(options, ["b"], 3, otherwise, rng) for _ in range(4000)]
    share = sum(weight for picked, weight in draws if "b" in picked) / len(draws)
    assert share == pytest.approx(3 / 7, abs=0.02)
    first = sum(weight for picked, weight in draws if picked[0] == "b") / len(draws)
    assert first == pytest.approx(1 / 7, abs=0.02)


def test_the_true_goal_explains_what_she_did_and_said() -> None:
    for number in NUMBERS:
        episode = generate_one(3, number, Settings(1, balanced=True))
        world = episode.current
        start = rewind(world, episode.actions)
        assert Evidence.of(start, episode.actions).explained_by(episode.goal.wants), number
        assert relevance_test(episode.utterance, Lexicon(world), world.scene)(episode.goal.wants), number
        assert ObservedHuman(world, episode.actions).chance(episode.goal) > 0, number


def test_shares_are_of_all_goals_of_a_template() -> None:
    episode = generate_one(3, 1, Settings(1, balanced=True))
    evidence = Evidence.of(rewind(episode.current, episode.actions), episode.actions)
    found = list(
        sample_goals(templates()[episode.goal.number], evidence, lambda wants: True, np.random.default_rng(0))
    )
    assert 0 < sum(share for _, share in found) <= 1.0
    assert len({goal.wants for goal, _ in found}) == len(found)
