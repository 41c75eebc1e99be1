"""Two who take turns: whose turn it is, what each perceives, how it ends, and what nonsense does."""

from __future__ import annotations

from typing import Any

import pytest

from housemates.benchmarks.base import Instance
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.session import Session
from housemates.benchmarks.teach.tatc import Tatc, TatcSession
from housemates.benchmarks.teach.world.roles import Act
from housemates.errors import HousematesError
from housemates.evaluation.runner import Run as Evaluation
from housemates.evaluation.runner import evaluate, play
from housemates.home.scenes import load


@pytest.fixture
def session() -> TatcSession:
    return TatcSession(Session.of_task(load("kitchen-03"), "Coffee"))


class Saying:
    """Answers with the same thing each time, or raises it."""

    def __init__(self, what: Any) -> None:
        self.what = what

    def reset(self, instance: Instance) -> None:
        pass

    def act(self, observation: Any) -> Any:
        if isinstance(self.what, Exception):
            raise self.what
        return self.what


def test_who_speaks_or_passes_hands_the_turn_over(session: TatcSession) -> None:
    assert session.role == "commander"
    session.act("OpenProgressCheck")
    assert session.role == "commander"
    session.act(Act("Text", text="Make coffee."))
    assert session.role == "follower"
    session.act("Turn Left")
    assert session.role == "follower"
    session.act("Pass")
    assert session.role == "commander"


def test_an_empty_utterance_keeps_the_turn(session: TatcSession) -> None:
    assert not session.act(Act("Text", text=" ")).success
    assert session.role == "commander"


@pytest.mark.parametrize("passes", [0, 1])
def test_either_can_stop(session: TatcSession, passes: int) -> None:
    for _ in range(passes):
        session.act("Pass")
    assert session.act("Stop").success
    assert session.role is None


def test_the_follower_knows_nothing_but_its_own(session: TatcSession) -> None:
    commander = session.observe()
    assert commander.task is not None and commander.task.name == "Coffee"
    assert commander.world is session.session.world
    session.act(Act("Text", text="Make coffee."))
    follower = session.observe()
    assert follower.task is None and follower.world is None
    assert [each.text for each in follower.dialogue] == ["Make coffee."]
    assert follower.history == [] and follower.last is None
    assert follower.frame().rgb.shape == (300, 300, 3)
    session.act("Turn Left")
    assert follower.last is not None and follower.last.success


def test_completion_ends_it() -> None:
    (drawn,) = sampling.draws(0, 1, ["Coffee"])
    benchmark = Tatc()
    instance = Instance(drawn.id, drawn.task, drawn)
    ended, trace = play(benchmark, instance, benchmark.agents("rule"))
    assert isinstance(ended, TatcSession)
    assert trace.ended == "done" and ended.session.complete
    assert benchmark.score(instance, ended, trace)["success"] == 1.0


NONSENSE = [
    None,
    17,
    "Fly",
    {"name": "Pickup", "x": 2.0, "y": 0.5},
    {"name": "Pickup", "x": "left", "y": 0.5},
    {"x": 1},
    Act("Text"),
    Act("SearchObject", text=3),  # type: ignore[arg-type]
    ["Forward"],
    RuntimeError("out of ideas"),
]


@pytest.mark.parametrize("what", NONSENSE, ids=str)
def test_nonsense_is_a_failed_action_and_thirty_end_it(what: Any) -> None:
    benchmark = Tatc(size=32)
    (drawn,) = sampling.draws(0, 1, ["Coffee"])
    agents = {"commander": Saying("Pass"), "follower": Saying(what)}
    _, trace = play(benchmark, Instance(drawn.id, drawn.task, drawn), agents)
    assert (trace.ended, trace.failures) == ("failures", 30)
    failed = [step for step in trace.steps if step.role == "follower"]
    assert all(step.outcome.message for step in failed)


def test_two_who_do_nothing_come_to_the_limit_of_steps() -> None:
    summary = evaluate(Evaluation("teach-tatc", "idle", "generated", 2, 7), workers=1, progress=False)
    assert summary["episodes"] == 2 and summary["success"] == 0.0
    assert set(summary["per_task"]) == {"Coffee", "Water Plant"}


def test_what_is_missing_is_said() -> None:
    with pytest.raises(HousematesError, match="needs recorded games"):
        Tatc().instances("valid_seen", None, 0)
    with pytest.raises(HousematesError, match="Unknown pair 'clever'"):
        Tatc().agents("clever")
    with pytest.raises(HousematesError, match="size: expected a whole number"):
        Tatc(size="big")
