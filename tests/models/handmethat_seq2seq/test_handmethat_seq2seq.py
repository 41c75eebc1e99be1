"""HandMeThat's Seq2Seq learns, with every part of it, and plays."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import torch
from overfitting import EIGHT, overfitted, unreached

from housemates.agents.handmethat.seq2seq import SHIPPED, seq2seq
from housemates.benchmarks.handmethat.generate.dataset import generate
from housemates.benchmarks.handmethat.generate.synthesis import Settings
from housemates.benchmarks.handmethat.session import MOVES
from housemates.core import registry as benchmarks
from housemates.core.episode import play
from housemates.core.loading import make_agents, seat_all
from housemates.models.handmethat_seq2seq.config import CONFIGS, Seq2SeqConfig
from housemates.models.handmethat_seq2seq.data import PAD, units
from housemates.models.handmethat_seq2seq.train import Seq2SeqLearner
from housemates.models.launch import TrainingJob, train
from housemates.models.schedule import override


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty episodes of version 2."""
    folder = tmp_path_factory.mktemp("episodes")
    generate(folder, 40, 0, Settings(2), False, 1, False)
    return folder


def learner_of(episodes: Path, **given: object) -> Seq2SeqLearner:
    """The learner of the config `cpu`, with these overrides, as it begins."""
    config = override(CONFIGS["cpu"], {"dropout": 0.0, **given}, "test")
    torch.manual_seed(0)
    return Seq2SeqLearner(config, episodes)


def test_it_overfits_eight_episodes(episodes: Path) -> None:
    learner = learner_of(episodes, rate=1e-2, width=48)

    def accuracy() -> float:
        batch = learner.batch(learner.train, EIGHT)
        kept = batch.targets != PAD
        return (learner.net(batch).argmax(-1) == batch.targets)[kept].float().mean().item()

    assert overfitted(learner, accuracy, 200) >= 0.95


@pytest.mark.parametrize("encoder", ["phrases", "blocks"])
def test_gradients_reach_every_parameter(episodes: Path, encoder: str) -> None:
    learner = learner_of(episodes, encoder=encoder, told="subgoal", observability="partial")
    assert unreached(learner) == []


def test_a_command_depends_on_nothing_that_came_later(episodes: Path) -> None:
    for encoder in ("phrases", "blocks"):
        learner = learner_of(episodes, encoder=encoder)
        batch = learner.batch(learner.train, EIGHT[:1])
        limit = int(batch.spans[0, 1, 1])
        cut = batch._replace(
            stream=batch.stream[:, :limit], spans=batch.spans[:, :2], inputs=batch.inputs[:, :2]
        )
        learner.net.eval()
        whole, part = learner.net(batch)[:, :2], learner.net(cut)
        assert torch.allclose(whole, part, atol=1e-5)


def test_the_published_config_is_the_papers() -> None:
    paper = CONFIGS["paper"]
    assert (paper.width, paper.batch, paper.rate, paper.clip, paper.smoothing) == (64, 64, 1e-3, 5.0, 0.1)
    assert isinstance(paper, Seq2SeqConfig)


def test_a_phrase_knows_where_it_is() -> None:
    text = "On bed you can see red closed box 0, hat 1. In box 0 you can see pen 2. "
    assert [
        (" ".join(unit.words), " ".join(unit.head), " ".join(unit.place)) for unit in units(text, True)
    ] == [
        ("red closed box 0", "bed", "bed"),
        ("hat 1", "bed", "bed"),
        ("pen 2", "box 0", "bed"),
    ]


def test_what_was_trained_takes_the_robots_seat(episodes: Path, tmp_path: Path) -> None:
    given = {"epochs": 1, "told": "subgoal", "width": 16, "embedding": 16}
    train(TrainingJob("handmethat-seq2seq", "cpu", given, episodes, tmp_path / "run", threads=1))
    benchmark = benchmarks.benchmark("handmethat")
    agents = make_agents(type(benchmark), seat_all(type(benchmark), [str(tmp_path / "run")], {}))
    assert agents["robot"].privileged
    instance = benchmark.open(next(benchmark.references("generated", 5)))[0]
    trace = play(benchmark.session(instance), agents, instance)
    assert trace.error == ""
    assert len(trace.steps) == MOVES or trace.steps[-1].outcome.success


def test_told_to_be_valid_it_writes_only_what_would_work() -> None:
    benchmark = benchmarks.benchmark("handmethat")
    agent = seq2seq(valid=True)
    references = benchmark.references("generated", 8)
    for _ in range(4):
        instance = benchmark.open(next(references))[0]
        session = benchmark.session(instance)
        trace = play(session, {"robot": agent}, instance)
        assert all(step.outcome.success for step in trace.steps)
        assert len(trace.steps) == MOVES or session.success


def test_a_vocabulary_that_was_shortened_is_one_sentence(tmp_path: Path) -> None:
    """Attack, low: an IndexError in `act`."""
    folder = tmp_path / "weights"
    shutil.copytree(SHIPPED / "plain", folder)
    card = json.loads((folder / "model.json").read_text())
    card["vocabulary"]["words"] = card["vocabulary"]["words"][:40]
    (folder / "model.json").write_text(json.dumps(card))
    benchmark = benchmarks.benchmark("handmethat")
    instance = benchmark.open(next(benchmark.references("generated", 0)))[0]
    agents = make_agents(type(benchmark), seat_all(type(benchmark), [str(folder)], {}))
    trace = play(benchmark.session(instance), agents, instance)
    assert "model.json: vocabulary.words has 40 names, and the weights know " in trace.error
