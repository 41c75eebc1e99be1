"""What the talking Commander answers to a person in the Follower's seat."""

from __future__ import annotations

import re

import pytest

from housemates.agents.reader.follower import Follower
from housemates.agents.teach.talk.commander import TalkCommander
from housemates.agents.teach.talk.realisation import sayings
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.generate.sessions import session_of
from housemates.benchmarks.teach.session import TatcSession
from housemates.core.actions import Act
from housemates.core.episode import play

PRAISE = [each for each in sayings()["commander"]["praise"] if each]


class Robot:
    """A person in the Follower's seat, who asks rather than acts."""

    def __init__(self, task: str = "Salad", number: int = 0) -> None:
        self.session: TatcSession = session_of(sampling.draws(11, 1, [task], first=number)[0])
        self.commander = TalkCommander()
        self.commander.reset(self.session.brief("commander"))
        self._answered()

    def ask(self, text: str) -> str:
        """Say something; returns what the Commander says to it."""
        self.session.act(Act("Say", {"text": text}))
        return self._answered()

    def _answered(self) -> str:
        said = len(self.session.dialogue)
        while self.session.role == "commander":
            self.session.act(self.commander.act(self.session.observe("commander")))
        return " ".join(each.text for each in self.session.dialogue[said:])


@pytest.mark.parametrize("text", ["what is the task?", "What's our task", "sorry, what are we making?"])
def test_it_says_what_the_task_is(text: str) -> None:
    assert "salad" in Robot().ask(text)


@pytest.mark.parametrize("text", ["is it done?", "are we done?", "are you finished?"])
def test_it_says_that_it_is_not_done_yet_and_what_is_next(text: str) -> None:
    answer = Robot().ask(text)
    assert any(answer.startswith(each) for each in sayings()["commander"]["notyet"])
    assert len(answer.split()) > 4


@pytest.mark.parametrize("text", ["where is the knife?", "do you know where the knife is?"])
def test_it_says_where_something_is(text: str) -> None:
    robot = Robot()
    knives = [each for each in robot.session.world.home.things.values() if each.type.endswith("Knife")]
    assert knives and re.search(r"\b(?:in|on) the\b", robot.ask(text))


def test_it_says_which_one_it_means() -> None:
    assert "one" in Robot().ask("which one?")


def test_it_says_how_many_there_are() -> None:
    robot = Robot()
    plates = sum(each.type == "Plate" for each in robot.session.world.home.things.values())
    number = re.search(r"\d+", robot.ask("how many plates?"))
    assert number is not None and 1 <= int(number[0]) <= plates


@pytest.mark.parametrize("number", range(4))
def test_it_praises_nothing_that_did_not_happen(number: int) -> None:
    robot = Robot("Coffee", number)
    answers = [robot.ask(text) for text in ("hi", "done, what next?", "ok, done. what now?", "ok")]
    assert not [each for each in answers if any(each.startswith(line) for line in PRAISE)]


def test_it_praises_what_brought_the_task_on() -> None:
    said = []
    for number in (3, 4):
        session = session_of(sampling.draws(7, 1, sampling.task_names(), first=number)[0])
        play(session, {"commander": TalkCommander(), "follower": Follower()})
        said += [each.text for each in session.dialogue if each.role == "commander"]
    assert [each for each in said if any(each.startswith(line) for line in PRAISE)]
