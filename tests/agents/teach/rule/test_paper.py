"""The paper's pair: told by Progress Checks alone, by the logic of problem keys, and without rehearsal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from housemates.agents.teach.rule.problem_keys import Interaction, fetch
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.session import BY_PROGRESS, TatcSession
from housemates.core import registry
from housemates.core.episode import play
from housemates.core.loading import make_alike
from housemates.core.trace import Trace

Begin = Callable[..., TatcSession]
EASY = ("Clean All X", "Put All X In One Y")


def played(session: TatcSession, name: str = "rule-paper") -> Trace:
    """How a session went."""
    return play(session, make_alike(registry.benchmark_class("teach-tatc"), name))


@pytest.mark.parametrize("task", EASY)
def test_simple_tasks_are_done_by_problem_keys_alone(task: str) -> None:
    (drawn,) = sampling.draws(7, 1, (task,))
    benchmark = registry.benchmark("teach-tatc", commander="progress")
    (instance,) = benchmark.open(next(each for each in benchmark.references("generated", 7)))
    session = benchmark.session(type(instance)(drawn.id, task, sampling.start(drawn)))
    trace = played(session)
    assert session.complete
    said = [step.act for step in trace.steps if step.role == "commander" and step.act is not None]
    assert {act.name for act in said} <= {"ProgressCheck", "Say", "Stop"}


def test_algorithm_1_opens_what_an_object_is_inside_of_and_closes_it_again(begin: Begin) -> None:
    home = begin("Coffee").world.home
    hidden = next(
        thing
        for thing in home.things.values()
        if thing.kind.can("pickup") and home.enclosing(thing) is not None
    )
    parent = home.enclosing(hidden)
    assert parent is not None
    assert fetch(home, hidden) == [
        Interaction("Open", parent.id),
        Interaction("Pickup", hidden.id),
        Interaction("Close", parent.id),
    ]


def test_a_commander_limited_to_progress_checks_is_not_told_the_task(begin: Begin) -> None:
    session = begin("Coffee", commander="progress")
    assert session.brief("commander").goal == BY_PROGRESS
    percept = session.observe("commander")
    assert "coffee" not in (percept.text + session.brief("commander").rules).lower()
    assert (percept.data.task, percept.data.definition) == (None, {})
    assert session.act("ProgressCheck").data["task_desc"] == "Make coffee in a clean mug."
    assert "has to be told the task" in played(begin("Coffee", commander="progress"), "rule").error


def test_by_the_papers_metric_all_that_people_changed_is_scored(made: Path) -> None:
    by_task = registry.benchmark("teach-tatc", data=made)
    by_changes = registry.benchmark("teach-tatc", data=made, goal="changes")
    (plain,), (changed,) = (
        each.open(next(iter(each.references("recorded", 0)))) for each in (by_task, by_changes)
    )
    assert plain.data.changes is None
    assert changed.data.changes
    session = by_changes.session(changed)
    assert session.beginning.total != by_task.session(plain).beginning.total
    assert session.asked.description == by_task.session(plain).task.description
