"""The one loop that plays an episode: limits, agents that fail, those who are privileged, and time."""

from __future__ import annotations

import signal
import sys
import threading
import time
from typing import Any

import pytest

from housemates.core.actions import Act
from housemates.core.agent import Agent, Left
from housemates.core.benchmark import Instance
from housemates.core.episode import play
from housemates.core.trace import Step, Trace
from housemates.errors import HousematesError


def played(counting, agent: Any, number: int = 3, **settings: Any) -> Trace:
    instance = Instance("count", "odd", number)
    session = counting.Counting().session(instance)
    return play(session, {"counter": agent}, settings.pop("instance", instance), **settings)


class Doing(Agent):
    """Does whatever it is told when it is made."""

    def __init__(self, do: Any) -> None:
        self.do = do

    def act(self, percept: Any) -> Any:
        return self.do(percept)


def raising(error: BaseException) -> Any:
    def act(percept: Any) -> None:
        raise error

    return Doing(act)


@pytest.mark.parametrize(
    ("agent", "number", "ended", "steps", "failures"),
    [
        ("Good", 3, "done", 3, 0),
        ("Good", 100, "steps", 20, 0),
        ("Bad", 3, "failures", 5, 5),
        ("Good", 0, "done", 0, 0),
    ],
)
def test_an_episode_ends_by_itself_or_at_a_limit(counting, agent, number, ended, steps, failures) -> None:
    trace = played(counting, getattr(counting, agent)(), number)
    assert (trace.ended, len(trace.steps), trace.failures, trace.error) == (ended, steps, failures, "")


def test_a_trace_has_what_was_told_read_done_and_answered(counting) -> None:
    def act(percept: Any) -> Any:
        if percept.turn == 0:
            return "Take 1" if percept.text else None
        return "gibberish" if percept.turn == 1 else {"name": "Stop"}

    trace = played(counting, Doing(act))
    assert trace.briefs["counter"].goal == "Count down to zero."
    assert [step.text for step in trace.steps[:2]] == ["The number is 3.", None]
    assert trace.steps[0].act == Act("Take", {"number": 1.0})
    assert (trace.steps[1].act, trace.steps[1].answer) == (None, "gibberish")


def test_a_hook_sees_the_session_after_each_act(counting) -> None:
    seen: list[tuple[int, str]] = []

    def look(session: Any, step: Step) -> None:
        seen.append((session.number, step.role))

    played(counting, counting.Good(), on_step=look)
    assert seen == [(2, "counter"), (1, "counter"), (0, "counter")]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("no idea"), "counter (Doing) raised in act: RuntimeError: no idea"),
        (RuntimeError(), "counter (Doing) raised in act: RuntimeError"),
        (SystemExit(3), "counter (Doing) raised in act: SystemExit: 3"),
        (GeneratorExit(), "counter (Doing) raised in act: GeneratorExit"),
        (MemoryError(), "counter (Doing) raised in act: MemoryError"),
        (HousematesError("not this"), "counter (Doing) cannot act: not this"),
    ],
)
def test_an_agent_that_raises_ends_the_episode_with_an_error(counting, error, said) -> None:
    trace = played(counting, raising(error))
    assert (trace.ended, trace.error) == ("error", said)
    assert "raise error" in trace.traceback


def test_an_agent_that_raises_in_reset_is_told_apart(counting) -> None:
    class Unready(Agent):
        def reset(self, brief: Any) -> None:
            raise KeyError("seed")

    assert played(counting, Unready()).error == "counter (Unready) raised in reset: KeyError: 'seed'"


def test_an_agent_without_act_says_so(counting) -> None:
    assert "has no act(percept)" in played(counting, Agent()).error


def test_an_error_that_cannot_be_told_is_still_one(counting) -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert played(counting, raising(Mute())).error == "counter (Doing) raised in act: Mute"


def test_ctrl_c_stays_ctrl_c_and_leaving_is_no_error(counting) -> None:
    with pytest.raises(KeyboardInterrupt):
        played(counting, raising(KeyboardInterrupt()))
    trace = played(counting, raising(Left()))
    assert (trace.ended, trace.error) == ("left", "")


def test_privileged_agents_see_the_instance_and_the_session_and_others_do_not(counting) -> None:
    class Curious(counting.Good):
        seen: tuple[Any, ...] = ()

        def observe_privileged(self, instance: Any, session: Any) -> None:
            self.seen = (instance.data, session.number)

    plain, privileged = Curious(), Curious()
    privileged.privileged = True
    played(counting, plain)
    played(counting, privileged)
    assert (plain.seen, privileged.seen) == ((), (3, 3))
    assert "nothing here may be shown to it" in played(counting, privileged, instance=None).error


def test_a_seat_that_nobody_sits_in_is_named(counting) -> None:
    session = counting.Counting().session(Instance("count", "odd", 3))
    with pytest.raises(HousematesError, match="Nobody is the counter, whose turn it is"):
        play(session, {})


def test_usage_is_what_agents_say_in_numbers(counting) -> None:
    agent = counting.Good()
    agent.usage = {"tokens": 7, "cost": 0.5, "model": "small", "share": float("nan")}
    assert played(counting, agent).usage == {"counter": {"tokens": 7, "cost": 0.5}}
    agent.usage = 3
    assert played(counting, agent).usage == {}


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="this system has no alarm")
def test_an_agent_that_takes_too_long_ends_the_episode(counting) -> None:
    before = signal.getsignal(signal.SIGALRM)
    trace = played(counting, Doing(lambda percept: time.sleep(30)), act_timeout=0.05)
    assert (trace.ended, trace.error) == ("error", "counter (Doing) took more than 0.05 s to act.")
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="this system has no alarm")
def test_an_agent_that_holds_on_for_a_while_gives_in_in_the_end(counting) -> None:
    def hold_on(percept: Any) -> None:
        for _ in range(3):
            try:
                time.sleep(30)
            except BaseException as error:
                last = error
        raise last

    assert "took more than 0.05 s" in played(counting, Doing(hold_on), act_timeout=0.05).error


def test_time_is_limited_in_other_threads_too(counting) -> None:
    def busy(percept: Any) -> None:
        while True:
            pass

    def swallow(percept: Any) -> str:
        try:
            busy(percept)
        except BaseException:
            return "Take 1"
        raise AssertionError

    found: list[Trace] = []
    agents = (counting.Good(), Doing(busy), Doing(swallow))
    thread = threading.Thread(
        target=lambda: found.extend(played(counting, each, act_timeout=0.05) for each in agents)
    )
    thread.start()
    thread.join()
    assert [each.ended for each in found] == ["done", "error", "error"]
    assert {each.error for each in found[1:]} == {"counter (Doing) took more than 0.05 s to act."}


def test_what_agents_print_is_their_own_affair(counting, capsys) -> None:
    played(counting, Doing(lambda percept: print("hm", file=sys.stderr) or "Take 1"))
    assert capsys.readouterr().err == "hm\n" * 3
