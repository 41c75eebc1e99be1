"""Turning an errand into actions: one delivery after another, each on some cheapest way to the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from housemates.benchmarks.handmethat.tasks.planning.delivery import OPEN, PLACES, Errand, errand_cost
from housemates.benchmarks.handmethat.world.dynamics import HUMAN, NOTHING, STRIDE, World
from housemates.benchmarks.handmethat.world.operators import Action, perform


class Leg(NamedTuple):
    """One delivery: an object, and the holder it goes to."""

    number: int
    holder: int


class RouteStep(NamedTuple):
    """An action of a plan and the object whose delivery it belongs to."""

    action: Action
    leg: int


def plan_errand(
    errand: Errand, world: World, groups: Sequence[frozenset[int]], rng: np.random.Generator
) -> list[RouteStep]:
    """The actions of an errand, done in `world`; among equally good next deliveries, stay in the same group.

    Args:
        errand: What goes where.
        world: The state to start from; it is left as the plan leaves it.
        groups: Objects that belong together, such as those of one conjunct.
        rng: Decides what is left open.
    """
    steps: list[RouteStep] = []
    group: frozenset[int] = frozenset()
    while True:
        legs = best_legs(errand, world)
        if not legs:
            break
        same = [leg for leg in legs if leg.number in group]
        legs = same or legs
        leg = legs[int(rng.integers(len(legs)))] if len(legs) > 1 else legs[0]
        for action in leg_actions(world, leg):
            perform(world, HUMAN, action)
            steps.append(RouteStep(action, leg.number))
        group = next((members for members in groups if leg.number in members), group)
    for holder in errand.shut:
        for action in _shut(world, holder):
            perform(world, HUMAN, action)
            steps.append(RouteStep(action, holder))
    return steps


def best_legs(errand: Errand, world: World) -> list[Leg]:
    """The next deliveries after which the errand costs least; what is held comes first."""
    scene, values = world.scene, world.values
    held = values[scene.held(HUMAN)]
    pending = [Leg(*pair) for pair in open_legs(errand, world)]
    if held != NOTHING:
        mine = [leg for leg in pending if leg.number == held]
        if mine or not pending:
            return mine
        return [Leg(held, values[scene.at(HUMAN)])]
    allowed = [leg for leg in pending if not _must_wait(leg, errand, world, pending)] or pending
    if len(allowed) <= 1:
        return allowed
    costs: dict[tuple[int, int], int] = {}
    classes = [(values[leg.number * STRIDE], leg.holder) for leg in allowed]
    for leg, kind in zip(allowed, classes, strict=True):
        if kind not in costs:
            costs[kind] = _cost_through(leg, errand, world)
    least = min(costs.values())
    return [leg for leg, kind in zip(allowed, classes, strict=True) if costs[kind] == least]


def open_legs(errand: Errand, world: World) -> Iterator[tuple[int, int]]:
    """Deliveries that are still to be done, carried receptacles first."""
    values = world.values
    carried = dict(errand.carried)
    goals = dict(errand.targets)
    for number, place in errand.carried:
        if values[number * STRIDE] != place:
            yield number, place
    for number, place in goals.items():
        if number not in carried and values[number * STRIDE] != place:
            yield number, place


def _must_wait(leg: Leg, errand: Errand, world: World, pending: Sequence[Leg]) -> bool:
    """Whether a receptacle has to be moved before this delivery, or stays until others are done."""
    moving = {other.number for other in pending if world.scene.is_receptacle[other.number]}
    early = {number for number, _ in errand.carried}
    uses = {leg.holder, world.parent(leg.number)}
    if uses & moving & early:
        return True
    if leg.number in moving and leg.number not in early:
        return any(leg.number in (other.holder, world.parent(other.number)) for other in pending)
    return False


def _cost_through(leg: Leg, errand: Errand, world: World) -> int:
    """Moves to the end of the errand if this delivery comes next (openings are the same in any order)."""
    scene, values = world.scene, world.values
    here, source = values[scene.at(HUMAN)], values[leg.number * STRIDE]
    start, end = world.location(source), world.location(leg.holder)
    values[leg.number * STRIDE] = leg.holder
    values[scene.at(HUMAN)] = end
    opened = _shut_holders(world, source, leg.holder)
    for holder in opened:
        values[holder * STRIDE + OPEN] = 1
    rest = errand_cost(errand, world)
    for holder in opened:
        values[holder * STRIDE + OPEN] = 0
    values[leg.number * STRIDE] = source
    values[scene.at(HUMAN)] = here
    return rest + (here != start) + (start != end) + len(opened)


def _shut_holders(world: World, *holders: int) -> list[int]:
    found = []
    for holder in holders:
        for number in (holder, world.location(holder)):
            if number not in found and not world.reachable(number):
                found.append(number)
    return found


def leg_actions(world: World, leg: Leg) -> Iterator[Action]:
    """Go, open, pick, go, open, put: one action at a time, each read from the state that it is done in."""
    scene = world.scene
    held = world.values[scene.held(HUMAN)]
    if held != leg.number:
        source = world.parent(leg.number)
        yield from reach(world, source)
        place = world.location(source)
        if source == place:
            yield Action("pick-up-at-location", (leg.number, place))
        else:
            yield Action("pick-up-from-receptacle-at-location", (leg.number, source, place))
    yield from reach(world, leg.holder)
    yield put(world, leg.number, leg.holder)


def reach(world: World, holder: int, agent: int = HUMAN) -> Iterator[Action]:
    """Go to a holder and open what is shut on the way to its inside."""
    here, place = world.values[world.scene.at(agent)], world.location(holder)
    if here != place:
        yield Action("move", (here, place))
    if not world.reachable(place):
        yield Action("open-location", (place,))
    if holder != place and not world.reachable(holder):
        yield Action("open-receptacle-at-location", (holder, place))


def put(world: World, number: int, holder: int) -> Action:
    """Put an object in or on a holder, whichever it allows."""
    relation = world.scene.kinds[holder].relation
    if holder < PLACES:
        return Action(f"put-{relation}-location", (number, holder))
    return Action(f"put-{relation}-receptacle-at-location", (number, holder, world.location(holder)))


def _shut(world: World, holder: int) -> Iterator[Action]:
    if not world.values[holder * STRIDE + OPEN]:
        return
    here, place = world.values[world.scene.at(HUMAN)], world.location(holder)
    if here != place:
        yield Action("move", (here, place))
    if holder == place:
        yield Action("close-location", (place,))
    else:
        yield Action("close-receptacle-at-location", (holder, place))
