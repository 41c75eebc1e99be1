"""TEACh's Commander learns people's lines, says what is true of a room, looks before it speaks, and ends."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from overfitting import EIGHT, overfitted, unreached

from housemates.agents.teach.speaker import IDLE_LIMIT, MOST_REPEATS, SpeakerCommander
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.generate.sessions import make
from housemates.benchmarks.teach.session import TatcSession
from housemates.core import registry as benchmarks
from housemates.core.episode import play
from housemates.core.loading import make_agents, seat_all
from housemates.errors import HousematesError
from housemates.models.checkpoints import read_tensors, weights_of
from housemates.models.export import export_model
from housemates.models.launch import TrainingJob, train
from housemates.models.schedule import override
from housemates.models.teach_speaker.config import CONFIGS
from housemates.models.teach_speaker.data import Repertoire
from housemates.models.teach_speaker.lines import Line, fill_slots, line_of, nouns
from housemates.models.teach_speaker.moments import ASKED, Lack, Moment, topics
from housemates.models.teach_speaker.train import SpeakerLearner

SMALL = {"words": 16, "hidden": 32, "dropout": 0.0, "least": 1, "batch": 8, "decay": "none"}


@pytest.fixture(scope="session")
def talks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few games of TEACh in which the Commander speaks English."""
    folder = tmp_path_factory.mktemp("talks")
    for number, drawn in enumerate(sampling.draws(4, 6, ["Coffee", "Water Plant"])):
        path = folder / ("valid_seen" if number == 5 else "train") / f"{drawn.id}.game.json"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(bytes(make(drawn, "talk").game))
    return folder


def learner_of(data: Path, **given: object) -> SpeakerLearner:
    """A small learner as it begins."""
    torch.manual_seed(0)
    return SpeakerLearner(override(CONFIGS["cpu"], {**SMALL, **given}, "test"), data)


@pytest.mark.parametrize(
    ("text", "thing", "line"),
    [
        ("The mug is in the cabinet above the sink.", "Mug", Line("the <thing> is <where> .")),
        ("in the fridge", "Mug", Line("<where>")),
        (
            "please slice the tomato with a knife",
            "Tomato",
            Line("please slice the <thing> with a knife", ("Knife",)),
        ),
        ("put the tomato on the plate", "Tomato", Line("put the <thing> on the <goal>")),
        ("put it in the toaster", "Bread", Line("put it in the toaster", ("Toaster",))),
        ("Can you make coffee?", "Mug", Line("can you make coffee ?")),
        ("what do you see?", "Mug", None),
        ("it is on your left", "Mug", None),
        ("cook 2 slices of potato", "Potato", None),
        ("the knife is in the drawer", "Tomato", None),
        ("get a mug and put it on the counter next to the sink", "Mug", None),
    ],
)
def test_an_utterance_becomes_a_line_that_another_room_can_vouch_for(
    text: str, thing: str, line: Line | None
) -> None:
    assert line_of(text, thing, ["Plate"]) == line


def test_a_line_is_said_with_what_the_room_decides() -> None:
    assert fill_slots("the <thing> is <where> .", "mug", "in the sink", "") == "The mug is in the sink."
    assert nouns("where is the butter knife? is it near the stove") == ["ButterKnife", "StoveBurner"]
    assert not Line("good job !").claims
    assert Line("make coffee").claims


def test_what_was_asked_about_comes_first_and_is_known_by_what_is_to_be_done() -> None:
    lacks = (Lack("Mug|1", "Mug", "", "The Mug is dirty."), Lack("Egg|1", "Egg", "", "The Egg is raw."))
    moment = Moment("Coffee", (), lacks, 0, False, "", "where is the egg? and the knife")
    assert [(each.type, each.kind) for each in topics(moment)] == [
        ("Egg", "coffee the <thing> is raw"),
        ("Knife", ASKED),
        ("Mug", "coffee the <thing> is dirty"),
    ]


def test_a_repertoire_is_read_as_it_was_written(talks: Path) -> None:
    repertoire = learner_of(talks).repertoire
    assert repertoire.lines
    assert Repertoire.read(repertoire.rows()) == repertoire


def test_it_overfits_eight_moments(talks: Path) -> None:
    learner = learner_of(talks, rate=0.02)
    few = learner.train[: len(EIGHT)]

    def accuracy() -> float:
        tokens, lines = learner.batch(few)
        return (learner.net(tokens).argmax(1) == lines).float().mean().item()

    assert overfitted(learner, accuracy, 200, count=len(few)) >= 0.95


def test_gradients_reach_every_parameter(talks: Path) -> None:
    learner = learner_of(talks)
    assert unreached(learner, min(8, learner.count)) == []


def test_a_training_that_goes_on_equals_one_that_was_not_disturbed(talks: Path, tmp_path: Path) -> None:
    for name, epochs in (("whole", 4), ("stopped", 2), ("stopped", 4)):
        given = {**SMALL, "epochs": epochs, "patience": 9}
        train(TrainingJob("teach-speaker", "cpu", given, talks, tmp_path / name, threads=1))
    whole, stopped = (read_tensors(weights_of(tmp_path / name)) for name in ("whole", "stopped"))
    assert all(torch.equal(each, stopped[name]) for name, each in whole.items())


def test_games_in_which_nobody_speaks_are_refused(talks: Path, tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    (tmp_path / "train" / "one.game.json").write_text("{}")
    with pytest.raises(HousematesError, match="no Commander of train"):
        learner_of(tmp_path)


def test_it_looks_before_it_speaks_and_ends_what_gets_nowhere(talks: Path, tmp_path: Path) -> None:
    given = {**SMALL, "epochs": 2}
    train(TrainingJob("teach-speaker", "cpu", given, talks, tmp_path / "run", threads=1))
    export_model(tmp_path / "run", tmp_path / "small")
    benchmark = benchmarks.benchmark("teach-tatc", data=str(talks), size="60")
    instance = benchmark.open(next(benchmark.references("valid_seen", 0)))[0]
    told = []
    for folder in ("run", "small"):
        seats = seat_all(type(benchmark), [f"commander={tmp_path / folder}", "follower=idle"], {})
        session = benchmark.session(instance)
        assert isinstance(session, TatcSession)
        trace = play(session, make_agents(type(benchmark), seats), instance)
        assert (trace.error, trace.ended) == ("", "done")
        names = [each.act.name for each in session.histories["commander"] if each.act]
        assert names[0] == "ProgressCheck"
        assert names[-1] == "Stop"
        assert names.count("Say") + names.count("Pass") == IDLE_LIMIT
        told.append([each.text for each in session.dialogue])
    assert told[0] == told[1]
    assert not any("<" in text for text in told[0])
    assert max(map(told[0].count, told[0])) <= MOST_REPEATS
    assert SpeakerCommander(tmp_path / "small")
