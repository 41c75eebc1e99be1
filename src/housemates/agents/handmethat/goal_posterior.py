"""Inverse planning: the posterior over goals under which the actions begin some cheapest plan."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import NamedTuple

import numpy as np

from housemates.benchmarks.handmethat.generate.stopping_rule import stop_range, stops
from housemates.benchmarks.handmethat.tasks import goals
from housemates.benchmarks.handmethat.tasks.goals import Goal, Template, Want, fill
from housemates.benchmarks.handmethat.tasks.planning.delivery import Errand, best_errands, cost
from housemates.benchmarks.handmethat.tasks.planning.routes import Leg, best_legs
from housemates.benchmarks.handmethat.tasks.planning.stages import is_delivery
from housemates.benchmarks.handmethat.world.dynamics import FLAG, HUMAN, NOTHING, STRIDE, World
from housemates.benchmarks.handmethat.world.operators import Action, perform

DETOUR = 1.0
"""Log-likelihood lost for each action that does not serve the goal."""
MAX_GOALS = 96
"""Goals whose likelihood is computed exactly; more are resampled by their rough weight."""


UNDONE = {"heat-obj": "cooked", "cool-obj": "frozen", "slice-obj": "sliced", "soak-obj": "soaked"}
"""The flag that an action sets."""


class Hypothesis(NamedTuple):
    """A goal, the conjunct the human works on (None if unclear), and their probability."""

    goal: Goal
    conjunct: int | None
    probability: float


def rewind(world: World, actions: Sequence[Action]) -> World:
    """The state before the actions, as far as it can be inferred."""
    scene, values = world.scene, list(world.values)
    for name, args in reversed(actions):
        if name.startswith("pick-up"):
            values[args[0] * STRIDE] = args[1]
        elif name.startswith(("open", "close")):
            values[args[0] * STRIDE + FLAG["open"]] = int(name.startswith("close"))
        elif name.startswith("toggle"):
            values[args[0] * STRIDE + FLAG["toggled"]] = int(name.startswith("toggle-off"))
        elif name.startswith("clean"):
            target = args[-1] if name == "clean-location" else args[0]
            for flag in {"dusty", "stained"} & set(scene.kinds[target].flags):
                values[target * STRIDE + FLAG[flag]] = 1
        elif name in UNDONE:
            values[args[0] * STRIDE + FLAG[UNDONE[name]]] = 0
            if name in ("heat-obj", "soak-obj"):
                values[args[1] * STRIDE + FLAG["toggled"]] = 1
    values[scene.at(HUMAN)] = 0
    values[scene.held(HUMAN)] = NOTHING
    return World(scene, values)


@dataclass(frozen=True)
class Delivery:
    """A finished delivery: what was put where, and when the work on it began and ended."""

    number: int
    holder: int
    begin: int
    end: int


def deliveries(actions: Sequence[Action]) -> list[Delivery]:
    """Deliveries that the actions complete."""
    found = []
    begin = 0
    for position, (name, args) in enumerate(actions):
        if name.startswith("put"):
            found.append(Delivery(args[0], args[1], begin, position + 1))
            begin = position + 1
    return found


def posterior(
    world: World, actions: Sequence[Action], numbers: Iterable[int], rng: np.random.Generator
) -> list[Hypothesis]:
    """Goals of these templates that the actions agree with, most probable first.

    If none agrees exactly, as in a world that is known in part, those that fit best are taken.
    """
    start = rewind(world, actions)
    done = deliveries(actions)
    rough: list[tuple[Goal, float]] = []
    detours: list[tuple[Goal, float]] = []
    for number in numbers:
        template = goals.templates()[number]
        total = _size(template, world)
        for goal in _candidates(template, start, done):
            before, after = cost(goal, start), cost(goal, world)
            if before is None or after is None or after == 0:
                continue
            detour = len(actions) + after - before
            if detour == 0 and after > 1 and stop_range(before)[0] <= len(actions):
                rough.append((goal, 1 / total))
            detours.append((goal, math.exp(-DETOUR * abs(detour)) / total))
    weighed = []
    for goal, weight in _thin(rough, rng):
        for conjunct, chance in _likelihood(goal, start, actions, done).items():
            weighed.append((goal, conjunct, weight * chance))
    if sum(weight for _, _, weight in weighed) > 0:
        return as_hypotheses(weighed)
    return as_hypotheses([(goal, None, weight) for goal, weight in _thin(rough or detours, rng)])


def posterior_given_goal(goal: Goal, world: World, actions: Sequence[Action]) -> list[Hypothesis]:
    """Posterior over the conjunct that the human works on, given the goal."""
    if not all(is_delivery(want) for want in goal.wants):
        return as_hypotheses([(goal, None, 1.0)])
    start = rewind(world, actions)
    done = deliveries(actions)
    chances = _likelihood(goal, start, actions, done)
    weighed = [(goal, conjunct, chance) for conjunct, chance in chances.items()]
    return as_hypotheses(weighed or [(goal, None, 1.0)])


def as_hypotheses(weighed: Sequence[tuple[Goal, int | None, float]]) -> list[Hypothesis]:
    """Weighted goals as normalised hypotheses, the likeliest first."""
    total = sum(weight for _, _, weight in weighed) or 1.0
    found = [Hypothesis(goal, conjunct, weight / total) for goal, conjunct, weight in weighed if weight > 0]
    return sorted(found, key=lambda hypothesis: -hypothesis.probability)


def _thin(rough: Sequence[tuple[Goal, float]], rng: np.random.Generator) -> Sequence[tuple[Goal, float]]:
    if len(rough) <= MAX_GOALS:
        return rough
    weights = np.array([weight for _, weight in rough])
    counts = rng.multinomial(MAX_GOALS, weights / weights.sum())
    return [(goal, float(count)) for (goal, _), count in zip(rough, counts, strict=True) if count]


def _size(template: Template, world: World) -> int:
    """Number of goals that the template can become."""
    size = 1
    for slots, present in ((template.slots, goals.present), (template.object_slots, goals.instances)):
        for group in goals.grouped(slots):
            many = len(present(world.scene, goals.subject(group[0])))
            for used in range(len(group)):
                size *= max(many - used, 0)
    return max(size, 1)


def _candidates(template: Template, start: World, done: Sequence[Delivery]) -> Iterator[Goal]:
    """The template's goals that every finished delivery serves."""
    scene = start.scene
    kinds = list(dict.fromkeys(scene.kinds[delivery.number].name for delivery in done))
    groups = goals.grouped(template.slots)
    choices = []
    for group in groups:
        present = goals.present(scene, goals.subject(group[0]))
        must = [kind for kind in kinds if kind in present]
        options = [
            tuple(zip(group, picked, strict=True))
            for picked in permutations(present, len(group))
            if len(must) <= len(group) and all(kind in picked for kind in must)
        ]
        if must and not options:
            options = [tuple(zip(group, picked, strict=True)) for picked in permutations(present, len(group))]
        choices.append(options)
    for group in goals.grouped(template.object_slots):
        present = goals.instances(scene, goals.subject(group[0]))
        choices.append(
            [tuple(zip(group, picked, strict=True)) for picked in permutations(present, len(group))]
        )
    for choice in product(*choices):
        goal = fill(template, scene, dict(pair for filling in choice for pair in filling))
        if goal is not None and all(_served(delivery, goal.wants, start) for delivery in done):
            yield goal


def _served(delivery: Delivery, wants: Sequence[Want], start: World) -> bool:
    """Whether some conjunct wants this object there, or the object is a receptacle that was moved aside."""
    scene = start.scene
    kind, holder = scene.kinds[delivery.number], delivery.holder
    for want in wants:
        if want.kind == kind.name:
            place = scene.kinds[holder].name if want.any_place else scene.names[holder]
            if want.place == place:
                return True
    return kind.is_receptacle and any(
        (want.any_place and want.place == kind.name)
        or want.place == scene.names[delivery.number]
        or (
            not want.any_place
            and want.kind in {scene.kinds[child].name for child in start.children[delivery.number]}
        )
        for want in wants
    )


def _stop_chance(
    goal: Goal, start: World, actions: Sequence[Action], conjuncts: Sequence[int | None], length: int
) -> float:
    """Probability of stopping just here, in a plan of this length."""
    low, high = stop_range(length)
    stop = len(actions)
    moments = list(stops(goal, start.copy(), actions, conjuncts))
    if not moments[stop]:
        return 0.0
    last = max((position for position in range(stop) if moments[position]), default=-1)
    return max(0, min(stop, high) - max(last + 1, low) + 1) / (high - low + 1)


def _likelihood(
    goal: Goal, start: World, actions: Sequence[Action], done: Sequence[Delivery]
) -> dict[int | None, float]:
    """For each conjunct, the likelihood of the actions and of stopping here while working on it."""
    length, found = done_for(goal, start, actions, done)
    groups = _groups(goal, start)
    past: list[int | None] = []
    for delivery in done:
        past += [conjunct_of(delivery.number, groups, None)] * (delivery.end - delivery.begin)
    return {
        conjunct: chance
        * _stop_chance(goal, start, actions, [*past, *[conjunct] * (len(actions) + 1 - len(past))], length)
        for conjunct, chance in found.items()
    }


def done_for(
    goal: Goal, start: World, actions: Sequence[Action], done: Sequence[Delivery]
) -> tuple[int, dict[int | None, float]]:
    """Length of the plan, and for each conjunct the likelihood of the actions while working on it."""
    length, ways = best_errands(goal, start)
    assert length is not None
    groups = _groups(goal, start)
    found: dict[int | None, float] = {}
    for way in ways:
        for conjunct, chance in _way_likelihood(way, start, actions, done, groups).items():
            found[conjunct] = found.get(conjunct, 0.0) + chance / len(ways)
    return length, found


def _groups(goal: Goal, start: World) -> list[frozenset[int]]:
    return [frozenset(start.scene.instances[want.kind]) for want in goal.wants]


def _way_likelihood(
    way: Errand,
    start: World,
    actions: Sequence[Action],
    done: Sequence[Delivery],
    groups: Sequence[frozenset[int]],
) -> dict[int | None, float]:
    world = start.copy()
    chance = 1.0
    group: int | None = None
    position = 0
    for delivery in done:
        legs = _legs(way, world, group, groups)
        if not any(leg.number == delivery.number and leg.holder == delivery.holder for leg in legs):
            return {}
        chance /= len(legs)
        while position < delivery.end:
            perform(world, HUMAN, actions[position])
            position += 1
        group = conjunct_of(delivery.number, groups, group)
    found: dict[int | None, float] = {}
    legs = _legs(way, world, group, groups)
    for leg in legs:
        if _goes_on(leg.number, world, actions[position:]):
            own = conjunct_of(leg.number, groups, None)
            found[own] = found.get(own, 0.0) + chance / len(legs)
    return found


def conjunct_of(number: int, groups: Sequence[frozenset[int]], otherwise: int | None) -> int | None:
    """The first conjunct that an object belongs to."""
    return next((position for position, members in enumerate(groups) if number in members), otherwise)


def _legs(way: Errand, world: World, group: int | None, groups: Sequence[frozenset[int]]) -> list[Leg]:
    legs = best_legs(way, world)
    same = [] if group is None else [leg for leg in legs if leg.number in groups[group]]
    return same or legs


def _goes_on(number: int, world: World, rest: Sequence[Action]) -> bool:
    """Whether what she did since her last delivery leads to this object."""
    source = world.parent(number)
    place = world.location(source)
    for name, args in rest:
        if name == "move" and args[1] != place:
            return False
        if name.startswith("open") and args[0] not in (source, place):
            return False
    return True
