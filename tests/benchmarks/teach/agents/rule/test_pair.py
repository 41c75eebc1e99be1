"""The rule-based pair: its language, its protocol, all twelve tasks, and what it does in case of mishaps."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from housemates.benchmarks.base import Instance
from housemates.benchmarks.teach.agents.rule.commander import RuleCommander
from housemates.benchmarks.teach.agents.rule.follower import RuleFollower
from housemates.benchmarks.teach.agents.rule.pair import agents
from housemates.benchmarks.teach.agents.rule.wording import ASKING, instruction, understood
from housemates.benchmarks.teach.files.episodes import read_texts
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.generate.sessions import session_of
from housemates.benchmarks.teach.session import Session, Utterance
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.tatc import Tatc, TatcSession, play
from housemates.benchmarks.teach.world.roles import Act, Answer
from housemates.data.store import Store
from housemates.home.scenes import load

TASKS = tuple(tasks.dataset_tasks().values())


def played(session: Session) -> TatcSession:
    """A session of the rule pair."""
    made = TatcSession(session)
    pair = agents()
    for agent in pair.values():
        agent.reset(Instance("test", "test", None))
    play(made, pair, Tatc.limits)
    return made


def failures(session: TatcSession) -> list[Answer]:
    deeds = [deed for history in session.histories.values() for deed in history]
    return [deed.answer for deed in deeds if not deed.answer.success]


def test_what_is_said_is_what_is_understood() -> None:
    acts = [Act("Turn Left"), Act("Forward"), Act("Pickup", 0.57, 0.25, "Mug|+00.00|+00.00|+00.00")]
    text = instruction(acts)
    assert text == "TurnLeft Forward Pickup Mug at 0.570 0.250"
    assert understood(text) == [Act("Turn Left"), Act("Forward"), Act("Pickup", 0.57, 0.25)]


def test_a_word_that_is_no_action_is_named() -> None:
    assert understood("Forward please") == "please"


@pytest.mark.parametrize("number", range(len(TASKS)), ids=TASKS)
def test_the_pair_does_every_task_in_a_new_room(number: int) -> None:
    (drawn,) = sampling.draws(3, 1, TASKS, first=number)
    session = played(session_of(drawn))
    assert session.session.complete
    assert not failures(session)


def test_the_pair_does_every_task_where_people_began(real_data: Path, tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.learn_layouts(real_data / "alfred" / "layouts.json.zst")
    left = dict.fromkeys(TASKS, 3)
    for text in read_texts([real_data / "teach" / "valid_seen.jsonl.zst"], []):
        game = text.parse()
        name = game.task.task_name
        if left.get(name):
            done = played(Session.of_game(game, store)).session.complete
            left[name] -= 1
            if done:
                del left[name]
        if not any(left.values()):
            break
    assert not left, "of the first three sessions of these tasks none succeeded"


def test_the_same_session_comes_out_every_time() -> None:
    first, second = (played(Session.of_task(load("kitchen-03"), "Plate Of Toast")) for _ in range(2))
    assert first.session.complete
    assert first.session.world.digest() == second.session.world.digest()
    assert [each.text for each in first.session.dialogue] == [each.text for each in second.session.dialogue]


def test_the_commander_checks_progress_before_each_instruction() -> None:
    session = played(Session.of_task(load("kitchen-03"), "Coffee"))
    names = [deed.act.name for deed in session.histories["commander"] if deed.act is not None]
    assert names == ["OpenProgressCheck", "Text"] * (len(names) // 2)


def test_an_instruction_that_changes_nothing_gives_way_to_another() -> None:
    session = Session.of_task(load("kitchen-03"), "Coffee")
    commander = RuleCommander()
    told = [commander.instruct(session.task, session.world) for _ in range(4)]
    assert told[0] == told[1] == told[2]
    assert told[3] not in (None, told[0])


class _Observed(SimpleNamespace):
    """An observation made by hand."""


def test_the_follower_drops_its_plan_when_an_action_fails_and_says_why() -> None:
    follower = RuleFollower()
    follower.reset(Instance("test", "test", None))
    said = [Utterance("commander", "Forward Forward Forward", 0.0)]
    assert follower.act(_Observed(dialogue=said, last=None)) == Act("Forward")
    blocked = Answer(False, "The way ahead is blocked.")
    reply = follower.act(_Observed(dialogue=said, last=blocked))
    assert reply == Act("Text", text=f"The way ahead is blocked. {ASKING}")
    said.append(Utterance("follower", str(reply.text), 1.0))
    said.append(Utterance("commander", "TurnLeft", 2.0))
    assert follower.act(_Observed(dialogue=said, last=Answer(True))) == Act("Turn Left")
    assert follower.act(_Observed(dialogue=said, last=Answer(True))) == Act("Text", text=ASKING)


def test_the_follower_asks_again_when_it_does_not_understand() -> None:
    reply = RuleFollower().act(_Observed(dialogue=[Utterance("commander", "Dance", 0.0)], last=None))
    assert reply.name == "Text"
    assert "Dance" in str(reply.text)


class _Meddling:
    """A Follower in whose home somebody changes things, once, after a number of its acts."""

    def __init__(self, after: int, meddle: Any) -> None:
        self.follower = RuleFollower()
        self.left = after
        self.meddle = meddle

    def reset(self, instance: Instance) -> None:
        self.follower.reset(instance)

    def act(self, observation: Any) -> Act:
        self.left -= 1
        if self.left == 0:
            self.meddle()
        return self.follower.act(observation)


def meddled(session: Session, after: int, meddle: Any) -> TatcSession:
    made = TatcSession(session)
    pair = {**agents(), "follower": _Meddling(after, meddle)}
    for agent in pair.values():
        agent.reset(Instance("test", "test", None))
    play(made, pair, Tatc.limits)
    return made


@pytest.mark.parametrize("after", [3, 12, 20])
def test_the_pair_recovers_when_the_follower_is_carried_elsewhere(after: int) -> None:
    session = Session.of_task(load("kitchen-03"), "Coffee")
    start = session.world.home.agent

    def carry() -> None:
        home = session.world.home
        home.agent = type(start)(start.x, start.z, (start.rotation + 180) % 360, 60, home.agent.held, start.y)

    assert meddled(session, after, carry).session.complete


def test_the_pair_recovers_when_all_doors_fall_shut() -> None:
    session = Session.of_task(load("kitchen-03"), "Salad", ("1", "1", "1"))

    def shut() -> None:
        for thing in list(session.world.home.things.values()):
            if thing.open and not thing.can("pickup"):
                session.world.home.update(thing, open=False)

    for after in (8, 30):
        assert meddled(session, after, shut).session.complete


def test_the_pair_finishes_with_a_hand_that_is_full_and_every_door_open() -> None:
    session = Session.of_task(load("kitchen-03"), "Plate Of Toast")
    home = session.world.home
    for thing in list(home.things.values()):
        if thing.can("open") and not thing.open and not thing.can("pickup"):
            home.update(thing, open=True)
    assert played(session).session.complete
