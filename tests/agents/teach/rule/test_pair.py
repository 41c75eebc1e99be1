"""The rule-based pair: its language, its protocol, all twelve tasks, and what it does in case of mishaps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from housemates.agents.teach.rule.action_language import ASKING
from housemates.agents.teach.rule.commander import RuleCommander
from housemates.agents.teach.rule.follower import RuleFollower
from housemates.benchmarks.teach.benchmark import Tatc
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.generate.sessions import session_of
from housemates.benchmarks.teach.session import TatcSession
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.core import registry
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.episode import play
from housemates.core.loading import make_alike
from housemates.core.outcome import Outcome, Reason, refuse
from housemates.core.percepts import Brief, Percept, Utterance
from housemates.core.trace import Trace
from housemates.data.store import Store

TASKS = tuple(tasks.dataset_tasks().values())
WHERE_PEOPLE_BEGAN = ("Coffee", "Boil X", "Clean All X", "Sandwich")
Begin = Callable[..., TatcSession]


def played(session: TatcSession) -> Trace:
    """How a session of the rule pair went."""
    return play(session, make_alike(registry.benchmark_class("teach-tatc"), "rule"))


@pytest.mark.parametrize("number", range(len(TASKS)), ids=TASKS)
def test_the_pair_does_every_task_in_a_new_room(number: int) -> None:
    (drawn,) = sampling.draws(3, 1, TASKS, first=number)
    session = session_of(drawn)
    trace = played(session)
    assert session.complete
    assert (trace.ended, trace.failures, trace.pointed()) == ("done", 0, ("point",))


def test_the_pair_does_tasks_where_people_began(real_data: Path, tmp_path: Path) -> None:
    Store(tmp_path).learn_layouts(real_data / "alfred" / "layouts.json.zst")
    games = real_data / "teach" / "valid_seen.jsonl.zst"
    benchmark = Tatc(Tatc.Options(data=str(games), store=tmp_path))
    left = dict.fromkeys(WHERE_PEOPLE_BEGAN, 3)
    for reference in benchmark.references("valid_seen", 0):
        (instance,) = benchmark.open(reference)
        if left.get(instance.task):
            session = benchmark.session(instance)
            played(session)
            left[instance.task] -= 1
            if session.complete:
                del left[instance.task]
        if not any(left.values()):
            break
    assert not left, "of the first three sessions of these tasks none succeeded"


def test_the_same_session_comes_out_every_time(begin: Begin) -> None:
    sessions = [begin("Plate Of Toast") for _ in range(2)]
    for each in sessions:
        played(each)
    first, second = sessions
    assert first.complete
    assert first.digest() == second.digest()
    assert first.dialogue == second.dialogue != []


def test_the_commander_checks_progress_before_each_instruction(begin: Begin) -> None:
    trace = played(begin())
    names = [step.act.name for step in trace.steps if step.role == "commander" and step.act is not None]
    assert names == ["ProgressCheck", "Say"] * (len(names) // 2)


def test_pictures_of_another_size_are_clicked_as_well(begin: Begin) -> None:
    session = begin(size="160x120")
    played(session)
    assert session.complete


def test_an_instruction_that_changes_nothing_gives_way_to_another(begin: Begin) -> None:
    session, commander = begin(), RuleCommander()
    commander.reset(session.brief("commander"))
    told = [commander.instruct(session.task, session.world) for _ in range(4)]
    assert told[0] == told[1] == told[2]
    assert told[3] not in (None, told[0])


class Heard(NamedTuple):
    """What a Follower hears, made by hand."""

    said: tuple[Utterance, ...]
    last: Outcome | None


def test_the_follower_drops_its_plan_when_an_action_fails_and_says_why(begin: Begin) -> None:
    follower = RuleFollower()
    follower.reset(begin().brief("follower"))
    said = (Utterance("commander", "Forward Forward Forward"),)
    assert follower.act(Heard(said, None)) == Act("Forward")
    blocked = refuse(Reason.BLOCKED, "The way ahead is blocked.")
    reply = follower.act(Heard(said, blocked))
    assert reply == Act("Say", {"text": f"The way ahead is blocked. {ASKING}"})
    said += (Utterance("follower", reply.arguments["text"]), Utterance("commander", "TurnLeft"))
    assert follower.act(Heard(said, Outcome(True))) == Act("TurnLeft")
    assert follower.act(Heard(said, Outcome(True))) == Act("Say", {"text": ASKING})


def test_the_follower_asks_again_when_it_does_not_understand() -> None:
    reply = RuleFollower().act(Heard((Utterance("commander", "Dance"),), None))
    assert reply.name == "Say" and "Dance" in reply.arguments["text"]


class Meddling(Agent):
    """A Follower in whose home somebody changes things, once, after a number of its acts."""

    def __init__(self, after: int, meddle: Callable[[], None]) -> None:
        self.follower = RuleFollower()
        self.left = after
        self.meddle = meddle

    def reset(self, brief: Brief) -> None:
        self.follower.reset(brief)

    def act(self, percept: Percept) -> Any:
        self.left -= 1
        if self.left == 0:
            self.meddle()
        return self.follower.act(percept)


def meddled(session: TatcSession, after: int, meddle: Callable[[], None]) -> TatcSession:
    play(
        session,
        {**make_alike(registry.benchmark_class("teach-tatc"), "rule"), "follower": Meddling(after, meddle)},
    )
    return session


@pytest.mark.parametrize("after", [3, 12])
def test_the_pair_recovers_when_the_follower_is_carried_elsewhere(begin: Begin, after: int) -> None:
    session = begin()
    start = session.world.home.agent

    def carry() -> None:
        home = session.world.home
        home.agent = type(start)(start.x, start.z, (start.rotation + 180) % 360, 60, home.agent.held, start.y)

    assert meddled(session, after, carry).complete


@pytest.mark.parametrize("after", [8, 30])
def test_the_pair_recovers_when_all_doors_fall_shut(begin: Begin, after: int) -> None:
    session = begin("Salad", ("1", "1", "1"))

    def shut() -> None:
        for thing in list(session.world.home.things.values()):
            if thing.open and not thing.can("pickup"):
                session.world.home.update(thing, open=False)

    assert meddled(session, after, shut).complete


def test_the_pair_finishes_with_every_door_open(begin: Begin) -> None:
    session = begin("Plate Of Toast")
    home = session.world.home
    for thing in list(home.things.values()):
        if thing.can("open") and not thing.open and not thing.can("pickup"):
            home.update(thing, open=True)
    played(session)
    assert session.complete
