"""The expert and its guide: reach the goal, and find their way again when disturbed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from housemates.agents.alfred.expert import Expert
from housemates.agents.alfred.guide import Guide
from housemates.benchmarks.alfred.commands.demo import rows
from housemates.benchmarks.alfred.generate.demonstration import Demonstration, draw_similar, verified
from housemates.benchmarks.alfred.generate.sampling import Sample
from housemates.benchmarks.alfred.session import AlfredSession
from housemates.benchmarks.alfred.tasks.goals import TYPES, Task, progress
from housemates.benchmarks.alfred.world.dynamics import STOP, AlfredWorld
from housemates.core.actions import Act
from housemates.core.benchmark import Instance
from housemates.core.percepts import Limits
from housemates.errors import HousematesError

SAMPLES = [
    Sample(Task("pick_and_place_simple", "Book", "Bed"), "bedroom-02"),
    Sample(Task("pick_and_place_with_movable_recep", "Spoon", "SinkBasin", "Mug"), "kitchen-08"),
    Sample(Task("pick_two_obj_and_place", "SoapBar", "Cabinet"), "bathroom-03"),
    Sample(Task("pick_heat_then_place_in_recep", "Apple", "Fridge", object_sliced=True), "kitchen-09"),
]


def drawn(sample: Sample, by_mask: bool = False) -> Demonstration:
    found = draw_similar(sample, np.random.default_rng(1), by_mask)
    assert found is not None
    return found


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.task.type)
def test_a_demonstration_ends_in_success_and_is_the_same_when_played_again(sample: Sample) -> None:
    made = drawn(sample)
    assert verified(made)
    assert drawn(sample).deeds == made.deeds


def test_the_seven_tasks_of_the_demo_succeed_by_what_is_seen() -> None:
    shown = rows()
    assert len(shown) == len(TYPES)
    assert all(row["success"] for row in shown)


def test_after_somebody_else_has_acted_the_guide_still_gets_there() -> None:
    made = drawn(SAMPLES[0])
    world = AlfredWorld(made.start)
    guide = Guide(made.task)
    rng = np.random.default_rng(5)
    for number in range(200):
        deed = guide.advise(world)
        if deed.action == STOP:
            break
        if number % 4 == 3:
            world.act(str(rng.choice(["RotateLeft", "RotateRight", "MoveAhead", "LookUp"])))
        else:
            world.act(deed.action, deed.target)
    assert progress(made.task, world).success


def test_with_the_wrong_thing_in_the_hand_the_guide_lays_it_aside() -> None:
    made = drawn(SAMPLES[1])
    world = AlfredWorld(made.start)
    plate = next(each for each in world.home.of_type("Plate") if world.home.enclosing(each) is None)
    fetch = Guide(Task("pick_and_place_simple", "Plate", "DiningTable"))
    while world.home.held is None:
        deed = fetch.advise(world)
        assert deed.action != STOP, plate.id
        world.act(deed.action, deed.target)
    guide = Guide(made.task)
    for _ in range(200):
        deed = guide.advise(world)
        if deed.action == STOP:
            break
        world.act(deed.action, deed.target)
    assert progress(made.task, world).success


def test_what_cannot_be_done_is_given_up_at_once() -> None:
    world = AlfredWorld(drawn(SAMPLES[0]).start)
    deed = Guide(Task("pick_and_place_simple", "Plunger", "Fridge")).advise(world)
    assert deed.action == STOP


def test_the_expert_advises_in_any_session_whatever_a_learner_did(
    begin: Callable[..., AlfredSession],
) -> None:
    expert, rng = Expert(), np.random.default_rng(3)
    for session in (begin(), begin(pointing="mask")):
        while session.role is not None and session.turn < 300:
            act = expert.advise(session)
            if act.name != STOP and session.turn % 9 == 8:
                act = Act(str(rng.choice(["RotateLeft", "MoveAhead", "LookUp"])))
            session.act(act)
        assert session.progress.success


def test_without_a_task_no_expert_can_help(instance: Instance) -> None:
    untold = msgspec.structs.replace(instance.data, task=None)
    session = AlfredSession(replace(instance, data=untold), Limits())
    with pytest.raises(HousematesError, match="does not tell its task"):
        Expert().advise(session)
