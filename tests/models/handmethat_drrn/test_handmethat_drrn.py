"""HandMeThat's DRRN learns values, keeps what it has played, and plays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from overfitting import overfitted, unreached

from housemates.benchmarks.handmethat.formats.places import places
from housemates.benchmarks.handmethat.generate.dataset import generate
from housemates.benchmarks.handmethat.generate.synthesis import Settings
from housemates.benchmarks.handmethat.session import MOVES
from housemates.core import registry as benchmarks
from housemates.core.episode import play
from housemates.core.loading import make_agents, seat_all
from housemates.models.handmethat_drrn.config import CONFIGS
from housemates.models.handmethat_drrn.data import ReplayBuffer, Transition
from housemates.models.handmethat_drrn.train import DrrnLearner, Game
from housemates.models.launch import TrainingJob, train
from housemates.models.schedule import override


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty episodes of version 2."""
    folder = tmp_path_factory.mktemp("episodes")
    generate(folder, 40, 0, Settings(2), False, 1, False)
    return folder


def learner_of(episodes: Path, **given: object) -> DrrnLearner:
    """The learner of the config `cpu`, with these overrides, as it begins."""
    torch.manual_seed(0)
    return DrrnLearner(override(CONFIGS["cpu"], given, "test"), episodes)


def test_it_overfits_what_leads_on_in_eight_episodes(episodes: Path) -> None:
    learner = learner_of(episodes, rate=1e-2, rewarded=0.3, width=96)
    states = []
    for place in list(places(episodes))[:8]:
        game = Game(place, learner.encoder, learner.config)
        for command in game.expert:
            before = game.state
            others = [each for each in game.commands if each != command][:: len(game.commands) // 6]
            wrong = tuple(learner.encoder.text(each) for each in others)
            states.append(before._replace(commands=(learner.encoder.text(command), *wrong)))
            over = before._replace(commands=())
            learner.replay.add([Transition(before.texts, each, -1.0, over) for each in wrong])
            learner.replay.add([Transition(before.texts, learner.encoder.text(command), 1.0, over)])
            game.step(command)

    def accuracy() -> float:
        values = learner.net([each.texts for each in states], [each.commands for each in states])
        return float(np.mean([int(each.argmax()) == 0 for each in values]))

    assert overfitted(learner, accuracy, 400, count=64) >= 0.95


@pytest.mark.parametrize("encoder", ["bag", "recurrent"])
def test_gradients_reach_every_parameter(episodes: Path, encoder: str) -> None:
    learner = learner_of(episodes, encoder=encoder, games=2, longest=100)
    learner.begin_epoch(0)
    assert unreached(learner) == []


def test_what_was_played_is_kept(episodes: Path) -> None:
    learner = learner_of(episodes, games=2)
    learner.begin_epoch(0)
    again = ReplayBuffer(100)
    again.restore(learner.replay.tensors())
    for one, other in zip(learner.replay.transitions, again.transitions, strict=True):
        assert one.reward == other.reward
        assert [each.tolist() for each in one.texts] == [each.tolist() for each in other.texts]
        assert [each.tolist() for each in one.next.commands] == [
            each.tolist() for each in other.next.commands
        ]


def test_offline_it_plays_what_the_expert_plays(episodes: Path) -> None:
    learner = learner_of(episodes, offline=True, shaped=True, games=1)
    learner.begin_epoch(0)
    rewards = [each.reward for each in learner.replay.transitions]
    assert rewards[:-1] == [10.0 * (number + 1) - 1 for number in range(len(rewards) - 1)]
    assert rewards[-1] == 99 + 10 * len(rewards)


def test_what_was_trained_takes_the_robots_seat(episodes: Path, tmp_path: Path) -> None:
    given = {"epochs": 1, "games": 2, "updates": 2, "steps": 3}
    train(TrainingJob("handmethat-drrn", "cpu", given, episodes, tmp_path / "run", threads=1))
    benchmark = benchmarks.benchmark("handmethat")
    agents = make_agents(type(benchmark), seat_all(type(benchmark), [str(tmp_path / "run")], {}))
    instance = benchmark.open(next(benchmark.references("generated", 5)))[0]
    session = benchmark.session(instance)
    trace = play(session, agents, instance)
    assert (trace.error, session.moves) == ("", MOVES) or session.success
