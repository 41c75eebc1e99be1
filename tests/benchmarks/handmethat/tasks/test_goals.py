"""Goal templates and the logic they are written in."""

from __future__ import annotations

import numpy as np
import pytest

from housemates.benchmarks.handmethat.generate.scenes import sample_world
from housemates.benchmarks.handmethat.tasks import goals
from housemates.benchmarks.handmethat.tasks.logic import holds, parse_pddl, write_pddl
from housemates.errors import HousematesError


def test_there_are_69_templates_and_25_of_version_2() -> None:
    assert len(goals.templates()) == 69
    assert len(goals.version2()) == 25
    assert all(any("(" in str(atom) for atom in template.conjuncts) for template in goals.templates())


def test_every_template_becomes_a_goal_that_survives_writing_and_evaluates_alike() -> None:
    rng = np.random.default_rng(0)
    made = set()
    for _ in range(6):
        world = sample_world(rng)
        for template in goals.templates():
            goal = goals.sample_goal(template, world.scene, rng)
            if goal is None:
                continue
            made.add(template.number)
            again = goals.read_goal(goal.pddl, goal.number)
            assert again.wants == goal.wants
            assert parse_pddl(write_pddl(goal.formula)) == goal.formula
            if template.number not in (0, 28, 59):
                assert goals.satisfied(goal, world) == holds(goal.formula, world)
    assert len(made) == 69


def test_slots_with_different_numbers_get_different_categories() -> None:
    rng = np.random.default_rng(1)
    sorting = next(template for template in goals.templates() if template.name == "sorting books")
    for _ in range(10):
        goal = goals.sample_goal(sorting, sample_world(rng).scene, rng)
        assert goal is None or goal.wants[0].kind != goal.wants[1].kind


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("(and (forall (?x - phyobj) (dusty ?x))", "expected )"),
        ("(and (type-dragon box#0))", "unknown predicate"),
        ("(inside box#0)", "takes 2 arguments"),
        ("(dusty ?z)", "not bound"),
        ("hello", "expected ("),
        ("", "expected ("),
        ("(and " * 100, "nested deeper"),
        ("(or (dusty floor) (stained floor))", "no planner reads"),
    ],
)
def test_a_goal_that_does_not_parse_is_refused_with_the_word_where_it_breaks(text: str, says: str) -> None:
    with pytest.raises(HousematesError, match=r"^goal: ") as caught:
        goals.read_goal(text)
    assert says in str(caught.value)
