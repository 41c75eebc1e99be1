"""Tasks in the form in which official games carry theirs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from housemates.benchmarks.teach.session import TatcSession
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.tasks.relevance import relevant_kinds

PARAMS: dict[str, tuple[str, ...]] = {
    "Coffee": (),
    "Clean All X": ("Plate",),
    "Salad": ("1", "1", "1"),
    "Sandwich": ("1", "1"),
    "N Cooked Slices Of X In Y": ("2", "Potato", "on", "Plate"),
    "Put All X On Y": ("Mug", "on", "DiningTable"),
}


@pytest.mark.parametrize("name", PARAMS)
def test_a_task_in_the_official_form_asks_for_the_same(begin: Callable[..., TatcSession], name: str) -> None:
    definition = tasks.definition(name, PARAMS[name])
    objects = begin().world.objects()
    official = tasks.check(tasks.game_task(definition, name), objects)
    assert official.as_dict() == tasks.check(tasks.bind(name, PARAMS[name]), objects).as_dict()


def test_knives_matter_for_salad_and_not_for_coffee() -> None:
    assert "ButterKnife" in relevant_kinds(tasks.bind("Salad", ["1", "0", "0"]))
    assert "ButterKnife" not in relevant_kinds(tasks.bind("Coffee"))


def test_a_condition_that_holds_is_told_as_a_fact_and_not_as_a_complaint(
    begin: Callable[..., TatcSession],
) -> None:
    session = begin("Clean X", ("Mug",))
    for thing in session.world.home.of_type("Mug"):
        session.world.home.update(thing, dirty=False)
    told = session.text("commander")
    assert "The mug is clean." in told.partition("Settled:")[2]
    assert "is dirty" not in told
    (step,) = [each for goal in session.progress().subgoals for each in goal.steps]
    assert step.as_dict()["desc"] == "This Mug is dirty; hold it under running water."
