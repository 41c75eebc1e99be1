"""CerealBar's Seq2Seq with attention learns, with every part of it, and takes its seat."""

from __future__ import annotations

from pathlib import Path

import torch
from overfitting import EIGHT, overfitted, unreached

from housemates.core import registry as benchmarks
from housemates.core.episode import play
from housemates.core.loading import make_agents, seat_all
from housemates.models.cerealbar_seq2seq.config import CONFIGS
from housemates.models.cerealbar_seq2seq.train import Seq2SeqLearner
from housemates.models.launch import TrainingJob, train
from housemates.models.schedule import override

SMALL = {"reach": 12, "held_out": 0.25}


def learner_of(games: Path, **given: object) -> Seq2SeqLearner:
    """A small learner as it begins."""
    torch.manual_seed(0)
    return Seq2SeqLearner(override(CONFIGS["cpu"], {**SMALL, **given}, "test"), games)


def test_it_overfits_eight_instructions(games: Path) -> None:
    learner = learner_of(games, rate=0.01)

    def accuracy() -> float:
        batch = learner.batch([learner.train[number] for number in EIGHT])
        right = learner.net(batch.world, batch.previous_actions).argmax(-1) == batch.actions
        return right[batch.actions >= 0].float().mean().item()

    assert overfitted(learner, accuracy, 300) >= 0.95


def test_gradients_reach_every_parameter(games: Path) -> None:
    assert unreached(learner_of(games)) == []


def test_what_was_trained_follows_recorded_leaders(games: Path, tmp_path: Path) -> None:
    train(TrainingJob("cerealbar-seq2seq", "cpu", {**SMALL, "epochs": 1}, games, tmp_path / "run", threads=1))
    benchmark = benchmarks.benchmark("cerealbar-recorded", data=games)
    agents = make_agents(type(benchmark), seat_all(type(benchmark), [str(tmp_path / "run")], {}))
    instance = benchmark.open(next(benchmark.references("train", 0)))[-1]
    trace = play(benchmark.session(instance), agents, instance)
    assert trace.error == ""
