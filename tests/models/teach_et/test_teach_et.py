"""TEACh's Episodic Transformer learns, goes on without encoding the past anew, and takes its seat."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from overfitting import EIGHT, overfitted, unreached

from housemates.core import registry as benchmarks
from housemates.core.episode import play
from housemates.core.loading import make_agents, seat_all
from housemates.data.fingerprints import fingerprint
from housemates.errors import HousematesError
from housemates.models.checkpoints import read_card, weights_of
from housemates.models.export import export_model
from housemates.models.launch import TrainingJob, train
from housemates.models.networks import Network, open_network
from housemates.models.schedule import override
from housemates.models.teach_et.config import CONFIGS
from housemates.models.teach_et.data import ACTIONS, START
from housemates.models.teach_et.train import EtLearner

SMALL = {"picture": 60, "encoder": "plain", "width": 32, "heads": 2, "inner": 32, "dropout": 0.0}


def learner_of(data: Path, **given: object) -> EtLearner:
    """A small learner as it begins."""
    torch.manual_seed(0)
    return EtLearner(override(CONFIGS["cpu"], {**SMALL, **given}, "test"), data)


def test_it_overfits_eight_sessions(sessions: Path) -> None:
    learner = learner_of(sessions, rate=0.005, width=64, heads=4)
    few = EIGHT[: min(8, learner.count)]

    def accuracy() -> float:
        batch = learner.batch(learner.train, few)
        kept = (batch.actions >= 0) & ~batch.in_history
        return (learner.net(batch).actions.argmax(-1) == batch.actions)[kept].float().mean().item()

    assert overfitted(learner, accuracy, 250, enough=0.96, count=len(few)) >= 0.95


PAPERS = {
    "averaged": 2,
    "reduced": 8,
    "frame_dropout": 0.3,
    "object_frames": True,
    "longest": 1000,
    "past": True,
}
"""What makes the network and its data the paper's, at a small size."""


def test_gradients_reach_every_parameter_and_stop_is_learnt(sessions: Path) -> None:
    learner = learner_of(sessions, history=True)
    assert unreached(learner, min(8, learner.count)) == []
    stop = learner.net.action_embedding.weight.grad
    assert stop is not None
    assert float(stop[ACTIONS.index("Stop")].abs().sum()) > 0


@pytest.mark.parametrize("given", [{}, PAPERS], ids=["cpu", "paper"])
def test_going_step_by_step_is_the_same_as_all_at_once(sessions: Path, given: dict[str, object]) -> None:
    learner = learner_of(sessions, **given)
    assert set(unreached(learner, min(8, learner.count))) <= {"no_frame"}
    learner.net.eval()
    batch = learner.batch(learner.train, EIGHT[:1])
    whole = learner.net(batch)
    cache, past = learner.net.begin(batch.tokens), int(batch.in_history.sum())
    for step in range(batch.previous_actions.shape[1]):
        shown = step - (0 if given.get("past") else past)
        frame = None if shown < 0 else batch.frames[shown : shown + 1]
        logits, cache = learner.net.step(cache, frame, batch.previous_actions[:, step])
        assert torch.allclose(logits.actions[0, 0], whole.actions[0, step], atol=1e-4)
        assert torch.allclose(logits.objects[0, 0], whole.objects[0, step], atol=1e-4)


@pytest.mark.parametrize("name", ["language", "vision"])
def test_what_is_left_out_makes_no_difference(sessions: Path, name: str) -> None:
    learner = learner_of(sessions, **{name: False})
    learner.net.eval()
    batch = learner.batch(learner.train, EIGHT[:1])
    if name == "language":
        assert batch.tokens.shape[1] == 1
    else:
        other = batch._replace(frames=batch.frames + 1)
        assert torch.equal(learner.net(batch).actions, learner.net(other).actions)


def test_what_was_done_before_counts_only_with_history(sessions: Path) -> None:
    learner = learner_of(sessions)
    numbers = np.arange(learner.count)
    batch = learner.batch(learner.train, numbers)
    assert bool(batch.in_history.any())
    assert not bool(learner._counted(batch)[batch.in_history].any())
    assert bool(learner_of(sessions, history=True)._counted(batch)[batch.in_history].all())


def test_the_pictures_of_the_history_are_those_that_an_agent_is_shown(sessions: Path) -> None:
    learner = learner_of(sessions, past=True)
    benchmark = benchmarks.benchmark("teach-edh", data=str(sessions), size="60")
    checked = 0
    for number, name in enumerate(learner.train.names):
        example = learner.train.example(number, learner.words)
        reference = next(
            each for each in benchmark.references("train", 0) if name.startswith(f"train {each.id} ")
        )
        instance = benchmark.open(reference)[int(name.rpartition(" ")[2])]
        session = benchmark.session(instance)
        past = session.observe("follower").data.past()
        assert [ACTIONS.index(action) for _, action in past][-60:] == example.history.tolist()
        assert len(example.frames) == len(example.history) + len(example.actions)
        if past:
            seen = learner.encoder.encode(np.stack([picture for picture, _ in past[-60:]]))
            assert np.allclose(seen, example.frames[: len(past[-60:])], atol=0.01)
            checked += 1
    assert checked


def test_a_session_that_is_too_long_ends_without_a_stop(sessions: Path) -> None:
    learner = learner_of(sessions, longest=3)
    for number in range(learner.count):
        example = learner.train.example(number, learner.words)
        assert len(example.frames) == len(example.actions) <= 3
        assert len(example.actions) < 3 or ACTIONS[example.actions[-1]] != "Stop"


def test_data_of_which_nothing_can_be_replayed_are_refused(tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    (tmp_path / "train" / "one.game.json").write_text("{}")
    with pytest.raises(HousematesError, match="no session of train could"):
        learner_of(tmp_path)


def test_alfreds_demonstrations_are_told_in_teachs_words(demonstrations: Path) -> None:
    learner = learner_of(demonstrations, source="alfred")
    example = learner.train.example(0, learner.words)
    names = {ACTIONS[number] for number in example.actions}
    assert {"Forward", "Pickup", "Place", "Stop"} <= names
    assert "commander" in learner.words.names


def test_it_can_begin_with_what_alfred_taught(demonstrations: Path, sessions: Path, tmp_path: Path) -> None:
    given = {**SMALL, "epochs": 1, "limit": 1}
    first, then = tmp_path / "alfred", tmp_path / "teach"
    train(TrainingJob("teach-et", "cpu", {**given, "source": "alfred"}, demonstrations, first, threads=1))
    train(TrainingJob("teach-et", "cpu", given, sessions, then, start=first, threads=1))
    assert read_card(then).start == fingerprint(weights_of(first)).sha256
    assert read_card(then).vocabulary != read_card(first).vocabulary


def test_what_was_trained_takes_the_followers_seat(sessions: Path, tmp_path: Path) -> None:
    train(
        TrainingJob(
            "teach-et", "cpu", {**SMALL, "epochs": 1, "limit": 1}, sessions, tmp_path / "run", threads=1
        )
    )
    benchmark = benchmarks.benchmark("teach-edh", data=str(sessions), size="60")
    agents = make_agents(type(benchmark), seat_all(type(benchmark), [str(tmp_path / "run")], {}))
    instance = benchmark.open(next(benchmark.references("valid_seen", 0)))[0]
    session = benchmark.session(instance)
    session.limits = type(session.limits)(steps=8, failures=8)
    trace = play(session, agents, instance)
    assert trace.error == ""
    export_model(tmp_path / "run", tmp_path / "small")
    assert np.allclose(*(_acted(open_network(tmp_path / name)) for name in ("run", "small")), atol=0.02)


def _acted(net: Network) -> NDArray[np.float32]:
    """The scores of actions after three words, something done unseen, and two frames."""
    cache = net.run("begin", tokens=np.array([[4, 5, 6]]))
    previous, frame = np.array([START]), np.ones((1, 6, 10, 10), np.float32)
    for entry_point in ("step_without_frame", "step", "step"):
        given = {"frame": frame} if entry_point == "step" else {}
        found = net.run(entry_point, **cache, previous_action=previous, **given)
        cache = {name: found.get(name, each) for name, each in cache.items()}
    return found["actions"]
