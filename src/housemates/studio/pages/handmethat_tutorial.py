"""HandMeThat's tutorial: an episode in which the human says all that she means, and lessons beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from housemates.benchmarks.handmethat.benchmark import HandMeThat
from housemates.benchmarks.handmethat.session import ROBOT_ROLE, HandMeThatSession
from housemates.core import registry
from housemates.core.actions import Act
from housemates.core.benchmark import Benchmark, Instance, Reference
from housemates.core.outcome import Outcome
from housemates.core.session import Session
from housemates.studio.pages import Clock
from housemates.studio.pages import Lesson as Tutorial
from housemates.studio.pages.handmethat import HandMeThatPage
from housemates.studio.pages.lessons import Lesson, told

LEVEL, QUEST = "level 1", "bring_me"
"""The kind of episode: nothing has to be guessed, and something is to be handed over."""
TO_HUMAN = "move to human"
LESSONS = (
    Lesson("Read what the human did, stop by stop, and what she asks for.", "", ("move",)),
    Lesson("Go to where it may be: press “Go there” beside the place.", "", ("move",)),
    Lesson("Pick it up: choose the thing, then the command. Open what is closed first.", "", ("pick",)),
    Lesson("Go back to the human.", "", (TO_HUMAN,)),
    Lesson("Give it to her.", "", ("give",)),
)


class LessonSession(HandMeThatSession):
    """An episode that remembers which commands were carried out."""

    def __init__(self, instance: Instance, question_price: float | None) -> None:
        super().__init__(instance, question_price=question_price)
        self.learnt: set[str] = set()
        """First words of commands, and the way back to the human in full."""

    def do(self, role: str, act: Act) -> Outcome:
        """Carry out a command, ask, or stop."""
        outcome = super().do(role, act)
        command = str(act.arguments.get("command", ""))
        if outcome.success and command:
            self.learnt |= {command.split()[0], command}
        return outcome


class TutorialPage(HandMeThatPage):
    """One episode, the same for everybody."""

    name = "handmethat-tutorial"
    benchmarks = ()
    tutorials = ()
    survey = ()

    def lesson(self, seed: int) -> Tutorial:
        """The first generated episode of the kind."""
        return Tutorial(_reference(), {ROBOT_ROLE: ""})

    def instances(self, benchmark: Benchmark, reference: Reference) -> Sequence[Instance]:
        """The episode, whatever the options of the project."""
        return registry.benchmark("handmethat").open(reference)

    def session(
        self, benchmark: Benchmark, instance: Instance, seats: Mapping[str, str], clock: Clock
    ) -> Session:
        """Return a new session of the instance."""
        assert isinstance(benchmark, HandMeThat)
        return LessonSession(instance, benchmark.options.questions)

    def views(self, session: Session, role: str) -> dict[str, Any]:
        """The episode, and the lessons."""
        assert isinstance(session, LessonSession)
        return {**super().views(session, role), "lessons": told(LESSONS, session.learnt)}


@cache
def _reference() -> Reference:
    benchmark = registry.benchmark("handmethat")
    return next(each for each in benchmark.references("generated", 0) if _wanted(benchmark.open(each)[0]))


def _wanted(instance: Instance) -> bool:
    return instance.task == LEVEL and instance.data.meaning.quest == QUEST


PAGES = (TutorialPage(),)
