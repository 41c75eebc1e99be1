"""The reader's network learns what texts ask for, and reads without torch as it does with it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from overfitting import overfitted, unreached

from housemates.agents.reader.language.network import load
from housemates.cli.main import main
from housemates.errors import HousematesError
from housemates.models.export import export_model
from housemates.models.launch import TrainingJob, train
from housemates.models.reader.config import CONFIGS
from housemates.models.reader.data import examples
from housemates.models.reader.metrics import read_exactly
from housemates.models.reader.train import ReaderLearner
from housemates.models.schedule import override

SMALL = {"width": 24, "hidden": 32, "rare": 1, "dialogues": 1, "decay": "none", "warmup": 0, "rate": 0.01}
PLAIN = {"dropout": 0.0, "forgotten": 0.0, "goal_only": 0.0, "shortened": 0.0}


@pytest.fixture(scope="session")
def words(tmp_path_factory: pytest.TempPathFactory, demonstrations: Path, sessions: Path) -> Path:
    """A folder with a few directives and dialogues."""
    folder = tmp_path_factory.mktemp("words")
    (folder / "alfred").symlink_to(demonstrations)
    (folder / "teach").symlink_to(sessions)
    return folder


def learner_of(data: Path, **given: object) -> ReaderLearner:
    """A small learner as it begins."""
    torch.manual_seed(0)
    return ReaderLearner(override(CONFIGS["cpu"], {**SMALL, **given}, "test"), data)


def test_it_reads_what_it_has_learnt_by_heart(words: Path) -> None:
    learner, texts = learner_of(words, **PLAIN), examples(words, "train", [])

    def exact() -> float:
        right = read_exactly(texts, learner.card, learner._odds)
        return float(np.mean(right["alfred"] + right["teach"]))

    assert len(texts) >= 8
    assert overfitted(learner, exact, 200, enough=1.0, count=learner.count) >= 0.95


def test_whatever_is_asked_for_teaches_every_weight(words: Path) -> None:
    learner = learner_of(words, **PLAIN)
    asked = {slot for each in examples(words, "train", []) for slot in each.filled}
    slots = enumerate(learner.card.slots.items())
    silent = [f"say.{number}." for number, (slot, values) in slots if slot not in asked or len(values) < 2]
    lost = unreached(learner, learner.count)
    assert [name for name in lost if not name.startswith(tuple(silent))] == []


def test_without_torch_it_reads_the_same(words: Path, tmp_path: Path) -> None:
    train(TrainingJob("reader", "cpu", {**SMALL, "epochs": 2}, words, tmp_path / "run", None, threads=1))
    export_model(tmp_path / "run", tmp_path / "weights")
    network, learner = load(tmp_path / "weights"), learner_of(words)
    text = examples(words, "valid_seen", [])[0].words
    learner.net.load_state_dict({name: torch.from_numpy(each) for name, each in network.weights.items()})
    learner.net.eval()
    with torch.no_grad():
        expected = learner._odds(text)
    for slot, log_probs in network.log_probs(text).items():
        np.testing.assert_allclose(log_probs, expected[slot], atol=1e-3)


def test_reading_is_verified_and_what_is_broken_is_named(
    words: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "alfred").symlink_to(words / "alfred")
    (tmp_path / "teach" / "valid_seen").mkdir(parents=True)
    (tmp_path / "teach" / "valid_seen" / "torn.game.json").write_text('{"version": ')
    main(["verify", "reading", str(tmp_path), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["ALFRED's tasks, from goal and instructions"]["n"] == 1
    assert told["TEACh's tasks with all parameters"]["n"] == 0
    assert told["skipped"] == 1
    with pytest.raises(HousematesError, match="expected official data"):
        examples(tmp_path, "nowhere", [])


def test_nothing_to_learn_from_is_said(tmp_path: Path) -> None:
    for name in ("alfred", "teach"):
        (tmp_path / name / "train").mkdir(parents=True)
    with pytest.raises(HousematesError, match="nothing to do"):
        learner_of(tmp_path)
