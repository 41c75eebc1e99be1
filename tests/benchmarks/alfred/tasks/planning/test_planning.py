"""High-level plans: short, complete, and as short as Fast Downward's where that is installed."""

from __future__ import annotations

from collections.abc import Callable
from importlib import resources

import msgspec
import numpy as np
import pytest

from housemates.benchmarks.alfred.commands.verify import compare, problems, summarise
from housemates.benchmarks.alfred.generate.arrangement import draw_start
from housemates.benchmarks.alfred.generate.sampling import Sample
from housemates.benchmarks.alfred.tasks import planning
from housemates.benchmarks.alfred.tasks.goals import TYPES, Task
from housemates.benchmarks.alfred.tasks.planning import problem_of, search, solve
from housemates.benchmarks.alfred.tasks.planning.downward import command
from housemates.benchmarks.alfred.tasks.planning.pddl import domain, problem_text
from housemates.benchmarks.alfred.world.dynamics import AlfredWorld

Started = Callable[..., AlfredWorld]


@pytest.fixture
def started() -> Started:
    """Makes the world of a task in a kitchen."""

    def start(task: Task, scene: str = "kitchen-05", seed: int = 0) -> AlfredWorld:
        for number in range(20):
            found = draw_start(Sample(task, scene), np.random.default_rng([seed, number]))
            if found is not None:
                return AlfredWorld(found)
        raise AssertionError("no start")

    return start


def actions(world: AlfredWorld, task: Task) -> list[str]:
    plan = solve(problem_of(world, task))
    assert plan is not None
    return [step.action for step in plan.steps]


def test_one_thing_takes_a_walk_a_grip_a_walk_and_a_put(started: Started) -> None:
    task = Task("pick_and_place_simple", "Mug", "SinkBasin")
    names = [name for name in actions(started(task), task) if name not in ("OpenObject", "CloseObject")]
    assert names == ["GotoLocation", "PickupObject", "GotoLocation", "PutObject"]


def test_a_heated_slice_needs_a_knife_which_is_laid_aside(started: Started) -> None:
    task = Task("pick_heat_then_place_in_recep", "Potato", "CounterTop", object_sliced=True)
    names = [name for name in actions(started(task), task) if name.endswith("Object")]
    core = [name for name in names if name not in ("OpenObject", "CloseObject")]
    assert core == ["PickupObject", "SliceObject", "PutObject", "PickupObject", "HeatObject", "PutObject"]


def test_what_was_shut_is_shut_again_and_a_drawer_stays_open_between_two_puts(started: Started) -> None:
    task = Task("pick_two_obj_and_place", "Spoon", "Drawer")
    world = started(task)
    plan = solve(problem_of(world, task))
    assert plan is not None
    goal = plan.steps[-1].place
    doors = [step.action for step in plan.steps if step.place == goal and "Object" in step.action]
    assert doors == ["OpenObject", "PutObject", "PutObject", "CloseObject"]


def test_a_task_that_is_done_needs_no_step_and_one_that_cannot_be_done_has_no_plan(started: Started) -> None:
    task = Task("pick_and_place_simple", "Mug", "SinkBasin")
    world = started(task)
    basin = world.home.of_type("SinkBasin")[0]
    world.home.move(world.home.of_type("Mug")[0], basin.position, 0.0, (basin.id,))
    assert actions(world, task) == []
    assert solve(problem_of(world, Task("pick_and_place_simple", "Mug", "Bed"))) is None


def test_a_refused_step_is_planned_around(started: Started) -> None:
    task = Task("pick_and_place_simple", "Spoon", "CounterTop")
    world = started(task)
    first = solve(problem_of(world, task))
    assert first is not None
    put = first.steps[-1] if first.steps[-1].action == "PutObject" else first.steps[-2]
    again = solve(problem_of(world, task, frozenset({tuple(put)})))
    assert again is None or put not in again.steps


def test_the_problem_names_every_thing_it_speaks_of() -> None:
    name, problem = next(iter(problems(3)))
    text = problem_text(problem, name)
    assert text.count("(") == text.count(")")
    assert domain().count("(:action ") == 12
    assert "(near start)" in text


def test_the_example_is_what_the_writer_writes() -> None:
    task = Task("pick_heat_then_place_in_recep", "Bread", "GarbageCan", object_sliced=True)
    start = draw_start(Sample(task, "kitchen-05"), np.random.default_rng(0))
    assert start is not None
    text = problem_text(problem_of(AlfredWorld(start), task), "put a hot slice of bread in the garbage can")
    assert text == resources.files(planning).joinpath("example.pddl").read_text(encoding="utf-8")


def test_planning_is_the_same_twice_and_independent_of_the_order_of_things(started: Started) -> None:
    task = Task("pick_cool_then_place_in_recep", "Tomato", "CounterTop", object_sliced=True)
    world = started(task)
    plan = solve(problem_of(world, task))
    scene = msgspec.structs.replace(
        world.home.scene, things=tuple(reversed(world.home.scene.things)), agent=world.home.agent
    )
    other = solve(problem_of(AlfredWorld(scene), task))
    assert plan is not None and other is not None
    assert (len(plan.steps), plan.walk_m) == (len(other.steps), other.walk_m)


def test_the_lower_bound_never_makes_a_plan_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    smalls: dict[search.Small, int] = {}

    def noted(small: search.Small) -> tuple[search.Move, ...] | None:
        found = search.shortest(small)
        smalls[small] = -1 if found is None else len(found)
        return found

    monkeypatch.setattr("housemates.benchmarks.alfred.tasks.planning.solver.shortest", noted)
    for _, (_, problem) in zip(range(28), problems(5), strict=False):
        solve(problem)
    monkeypatch.setattr(search, "left_to_do", lambda small, state: 0)
    chosen = list(smalls.items())[:60]
    for small, length in chosen:
        blind = search.shortest.__wrapped__(small)
        assert (-1 if blind is None else len(blind)) == length
    assert {small.kind for small, _ in chosen} == set(TYPES)


@pytest.mark.skipif(command() is None, reason="Fast Downward is not installed (extra `plan`)")
def test_plans_are_as_short_as_fast_downwards() -> None:
    assert summarise(list(compare(7, 2, 120)))["differ"] == []
