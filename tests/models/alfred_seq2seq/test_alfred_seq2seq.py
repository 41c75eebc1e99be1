"""ALFRED's Seq2Seq learns actions, masks and its monitors, with every part of it, and takes its seat."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
import torch
from overfitting import EIGHT, overfitted, unreached

from housemates.benchmarks.alfred.world.dynamics import ACTIONS, INTERACTIONS, STOP
from housemates.core import registry as benchmarks
from housemates.core.episode import play
from housemates.core.loading import make_agents, seat_all
from housemates.core.trace import Step
from housemates.errors import HousematesError
from housemates.models.alfred_seq2seq.config import CONFIGS
from housemates.models.alfred_seq2seq.demonstration_frames import LONGEST_STEPS, START, downsampled, upsampled
from housemates.models.alfred_seq2seq.model import fill_backward
from housemates.models.alfred_seq2seq.train import AlfredLearner
from housemates.models.export import export_model
from housemates.models.launch import TrainingJob, train
from housemates.models.networks import open_network
from housemates.models.schedule import override

pytestmark = pytest.mark.slow
SMALL = {
    "picture": 60,
    "encoder": "plain",
    "frame": 48,
    "hidden": 64,
    "embedding": 32,
    "words": 32,
    "deconvolutions": 2,
    "detours": 0,
    "dropout": 0.0,
}


def learner_of(demonstrations: Path, **given: object) -> AlfredLearner:
    """A small learner as it begins."""
    torch.manual_seed(0)
    return AlfredLearner(override(CONFIGS["cpu"], {**SMALL, **given}, "test"), demonstrations)


PAPERS = {
    "things": False,
    "seeking": False,
    "reduced": 8,
    "attended": True,
    "pixels": True,
    "heuristics": False,
}
"""What makes the network the paper's, at a small size."""


def test_it_overfits_eight_episodes(demonstrations: Path) -> None:
    learner = learner_of(demonstrations, rate=0.01, mask_weight=0.1)

    def accuracy() -> float:
        batch = learner.batch(learner.train, EIGHT)
        kept = batch.actions >= 0
        return (learner.net(batch).actions.argmax(-1) == batch.actions)[kept].float().mean().item()

    assert overfitted(learner, accuracy, 250, enough=0.96) >= 0.95


def test_gradients_reach_every_parameter(demonstrations: Path) -> None:
    assert unreached(learner_of(demonstrations)) == []


def test_gradients_reach_every_parameter_of_the_papers(demonstrations: Path) -> None:
    learner = learner_of(demonstrations, **PAPERS)
    assert unreached(learner) == []
    assert learner.batch(learner.train, EIGHT[:1]).masks.shape[-1] == 300 * 300


@pytest.mark.parametrize("name", ["language", "vision", "goal", "instructions", "progress", "subgoals"])
def test_every_ablation_learns(demonstrations: Path, name: str) -> None:
    learner = learner_of(demonstrations, **{name: False})
    assert torch.isfinite(learner.loss(EIGHT[:2])[0])
    if name == "language":
        assert {len(learner.train.tokens(number)) for number in range(4)} == {1}


def test_a_demonstration_ends_with_stop_and_knows_how_far_it_is(demonstrations: Path) -> None:
    learner = learner_of(demonstrations)
    found = learner.train.example(0, learner.words).demonstration
    assert ACTIONS[found.actions[-1]] == STOP
    assert (np.diff(found.done) >= 0).all()
    assert found.done[-1] == 1.0
    assert found.masks.any(1).sum() >= 1


def test_an_expert_who_is_led_astray_finds_back(demonstrations: Path) -> None:
    learner = learner_of(demonstrations, detours=4, limit=8)
    alone = learner_of(demonstrations, limit=8)
    assert len(alone.train) < learner.count
    numbers = range(len(alone.train), learner.count)
    shows = [learner.train.example(number, learner.words).demonstration for number in numbers]
    assert any((show.acted != show.actions).any() for show in shows)
    assert all(ACTIONS[show.actions[-1]] == STOP for show in shows)


def test_what_is_pointed_at_next_is_known_before() -> None:
    assert fill_backward(np.array([-1, 3, -1, -1, 5, -1])).tolist() == [3, 3, 5, 5, 5, -1]


def test_data_of_which_nothing_can_be_replayed_are_refused(tmp_path: Path) -> None:
    (tmp_path / "train" / "task" / "trial").mkdir(parents=True)
    (tmp_path / "train" / "task" / "trial" / "traj_data.json").write_text("{}")
    with pytest.raises(HousematesError, match="no demonstration of train could"):
        learner_of(tmp_path)


def test_the_expert_corrects_what_the_student_does(demonstrations: Path) -> None:
    learner = learner_of(demonstrations, corrections=2, expert_share=0.6)
    learner.begin_epoch(0)
    assert learner.count == len(learner.train)
    learner.begin_epoch(1)
    assert learner.count == len(learner.train) + 2
    shows = [each.demonstration for each in learner.corrections]
    assert any((show.acted != show.actions).any() for show in shows)
    assert ACTIONS[shows[0].actions[-1]] == STOP or len(shows[0].actions) == LONGEST_STEPS
    assert torch.isfinite(learner.loss(np.array([0, learner.count - 1]))[0])
    other = learner_of(demonstrations, corrections=2)
    other.restore(learner.state())
    other.begin_epoch(1)
    assert [each.tokens for each in other.corrections] == [each.tokens for each in learner.corrections]
    assert np.array_equal(other.corrections[1].demonstration.frames, shows[1].frames)


@pytest.mark.parametrize("given", [{}, PAPERS], ids=["cpu", "paper"])
def test_going_step_by_step_is_the_same_as_all_at_once(
    demonstrations: Path, given: dict[str, object]
) -> None:
    learner = learner_of(demonstrations, **given)
    learner.net.eval()
    batch = learner.batch(learner.train, EIGHT[:1])
    whole = learner.net(batch).actions[0]
    state = learner.net.encode_language(batch.tokens)
    for step in range(5):
        frame = learner.net.encode_frames(batch.frames[step : step + 1])
        logits, state = learner.net.step(state, frame, batch.previous_actions[:, step])
        assert torch.allclose(logits.actions[0], whole[step], atol=1e-5)


def test_a_mask_survives_being_made_smaller() -> None:
    mask = np.zeros((300, 300), np.bool_)
    mask[100:140, 60:120] = True
    again = upsampled(downsampled(mask, 20), 300, 300)
    assert np.count_nonzero(again & mask) / np.count_nonzero(again | mask) > 0.6


def _name(step: Step) -> str:
    return step.act.name if step.act is not None else ""


def test_what_was_trained_takes_the_agents_seat(demonstrations: Path, tmp_path: Path) -> None:
    given = {**SMALL, "epochs": 1, "limit": 2}
    train(TrainingJob("alfred-seq2seq", "cpu", given, demonstrations, tmp_path / "run", threads=1))
    benchmark = benchmarks.benchmark("alfred", pointing="mask", size="60")
    agents = make_agents(type(benchmark), seat_all(type(benchmark), [str(tmp_path / "run")], {}))
    instance = benchmark.open(next(benchmark.references("generated", 0)))[0]
    session = benchmark.session(instance)
    session.limits = type(session.limits)(steps=30, failures=30)
    trace = play(session, agents, instance)
    assert trace.error == ""
    assert trace.steps
    for one, other in itertools.pairwise(trace.steps):
        assert one.outcome.success or _name(one) in INTERACTIONS or _name(one) != _name(other)
    export_model(tmp_path / "run", tmp_path / "small")
    frame, previous = np.ones((1, 6, 10, 10), np.float32), np.array([START])
    found = []
    for name in ("run", "small"):
        net = open_network(tmp_path / name)
        state = net.run("encode_language", tokens=np.array([[4, 5, 6]]))
        found.append(net.run("step", **state, frame=frame, previous_action=previous))
    assert all(
        np.allclose(found[0][name], found[1][name], atol=0.02) for name in ("actions", "mask", "hidden")
    )
