"""The closed form of the cost to go equals what trying everything finds, on thousands of small states."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np
import pytest

from housemates.benchmarks.handmethat.tasks.goals import Goal, read_goal, satisfied
from housemates.benchmarks.handmethat.tasks.planning import delivery
from housemates.benchmarks.handmethat.world.dynamics import HUMAN, World, make_scene
from housemates.benchmarks.handmethat.world.operators import Action, applicable, ground

PLACES = ("floor", "table", "cabinet")


def small_home(rng: np.random.Generator, things: list[str]) -> World:
    """These objects, at random in or on three places or, if they are no receptacles, in one of those."""
    objects = [(name, None, None) for name in things]
    scene = make_scene(objects)
    boxes = [number for number in range(16, scene.size) if scene.is_receptacle[number]]
    parents = [0] * 16
    for number in range(16, scene.size):
        options = [scene.index[place] for place in PLACES]
        if not scene.is_receptacle[number]:
            options += boxes
        parents.append(int(rng.choice(options)))
    flags = {number: ["open"] for number in [scene.index["cabinet"], *boxes] if rng.random() < 0.4}
    flags = {number: raised for number, raised in flags.items() if scene.openable[number]}
    return World.build(scene, parents, flags)


def possible(world: World, fixed: set[int]) -> Iterator[Action]:
    """Every pick, put, move and opening among the three places."""
    scene = world.scene
    places = [scene.index[place] for place in PLACES]
    movable = range(16, scene.size)
    boxes = [number for number in movable if scene.is_receptacle[number]]
    for place in places:
        yield from (Action("move", (other, place)) for other in places)
        yield Action("open-location", (place,))
        yield from (Action("open-receptacle-at-location", (box, place)) for box in boxes)
        yield from (Action("close-receptacle-at-location", (box, place)) for box in boxes)
        for number in movable:
            if number not in fixed:
                yield Action("pick-up-at-location", (number, place))
            for how in ("inside", "ontop"):
                yield Action(f"put-{how}-location", (number, place))
                yield from (
                    Action(f"put-{how}-receptacle-at-location", (number, box, place)) for box in boxes
                )
            yield from (Action("pick-up-from-receptacle-at-location", (number, box, place)) for box in boxes)


def true_costs(world: World, goal: Goal, fixed: set[int]) -> dict[tuple[int, ...], int]:
    """The least number of actions to the goal from every state that can be reached from this one."""
    operators = [found for action in possible(world, fixed) if (found := ground(world.scene, HUMAN, action))]
    start = tuple(world.values)
    before: dict[tuple[int, ...], list[tuple[int, ...]]] = {start: []}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        here = World(world.scene, state)
        for operator in operators:
            if applicable(here, operator):
                after = list(state)
                for variable, value in operator.effects:
                    after[variable] = value
                key = tuple(after)
                if key not in before:
                    before[key] = []
                    queue.append(key)
                before[key].append(state)
    costs = {state: 0 for state in before if satisfied(goal, World(world.scene, state))}
    queue = deque(costs)
    while queue:
        state = queue.popleft()
        for earlier in before[state]:
            if earlier not in costs:
                costs[earlier] = costs[state] + 1
                queue.append(earlier)
    return costs


def forall(kind: str, place: str) -> str:
    relation = "ontop" if place in ("floor", "table") else "inside"
    return f"(forall (?x - phyobj) (or (not (type-{kind} ?x)) ({relation} ?x {place})))"


SOME_BOX = (
    "(exists (?y - phyobj) (and (type-box ?y) "
    "(forall (?x - phyobj) (or (not (type-book ?x)) (inside ?x ?y)))))"
)
SHUT_BOX = (
    "(exists (?y - phyobj) (and (type-box ?y) (forall (?x - phyobj) (or (not (type-book ?x)) "
    "(and (inside ?x ?y) (not (open ?y)))))))"
)
ONE_EACH = "(exists (?x - phyobj) (and (type-book ?x) (ontop ?x {0})))"
CASES = {
    "all to one place": (["book#0", "book#1", "hat#0"], f"(and {forall('book', 'table')})"),
    "to two places": (
        ["book#0", "book#1", "hat#0"],
        f"(and {forall('book', 'cabinet')} {forall('hat', 'floor')})",
    ),
    "into some box": (["box#0", "box#1", "book#0", "book#1"], f"(and {SOME_BOX})"),
    "into a box that is then shut": (["box#0", "book#0", "book#1"], f"(and {SHUT_BOX})"),
    "one each": (["book#0", "book#1"], f"(and {ONE_EACH.format('table')} {ONE_EACH.format('floor')})"),
    "receptacles to a place": (["mug#0", "mug#1", "book#0"], f"(and {forall('mug', 'cabinet')})"),
}


@pytest.mark.parametrize("case", CASES)
def test_the_closed_form_is_exact_while_other_receptacles_stay(case: str) -> None:
    things, text = CASES[case]
    goal = read_goal(text)
    rng = np.random.default_rng(sorted(CASES).index(case))
    compared = wrong = 0
    while compared < 1800:
        world = small_home(rng, things)
        wanted = {want.kind for want in goal.wants}
        fixed = {n for n in range(16, world.scene.size) if world.scene.is_receptacle[n]}
        fixed = {number for number in fixed if world.scene.kinds[number].name not in wanted}
        for state, cost in true_costs(world, goal, fixed).items():
            here = World(world.scene, state)
            least = min(delivery.errand_cost(errand, here) for errand in delivery.errands(goal, here))
            compared += 1
            wrong += least != cost
    assert wrong == 0, f"{wrong} of {compared} states"
