"""The planner: the shortest high-level plan, and of the shortest the one with the least walking.

A goal asks for one or two things of a class, a knife, a movable receptacle, an appliance and a receptacle.
For each choice of those the rest of the world does not matter, and what is left is a small problem of a few
places and things. Many choices give the same small problem under other names, so each is searched only once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import NamedTuple

from housemates.benchmarks.alfred.tasks.goals import classes, home_type
from housemates.benchmarks.alfred.tasks.planning.problem import HAND, TREATMENTS, Item, Place, Problem
from housemates.benchmarks.alfred.tasks.planning.search import HELD, STACKED, UNCUT, Move, Small, shortest


class PlanStep(NamedTuple):
    """One high-level action: on a thing, at a place."""

    action: str
    thing: str
    place: str


class PlannedAction(NamedTuple):
    """One low-level action, and the step of the plan that it serves."""

    action: str
    target: str | None
    goal: PlanStep


class Plan(NamedTuple):
    """High-level actions that reach the goal."""

    steps: tuple[PlanStep, ...]
    walk_m: float
    """About how far one walks, as the crow flies."""

    def __len__(self) -> int:
        return len(self.steps)


class Choice(NamedTuple):
    """The things and places that a plan uses, by role; empty where the goal has no such role."""

    targets: tuple[str, ...]
    """Ids; of a slice that is still to be cut, its whole's with a number after a colon."""
    whole: str = ""
    knife: str = ""
    base: str = ""
    other: str = ""
    """What is in the hand and of no use."""
    appliance: str = ""
    goal: str = ""
    """The receptacle, or the lamp."""
    aside: str = ""


class Names(NamedTuple):
    """What the things and places of a small problem are called."""

    things: list[str]
    places: list[str]


def solve(problem: Problem) -> Plan | None:
    """The best plan, or None if there is none."""
    best: list[tuple[tuple[Move, ...], Names]] = []
    for choice in _choices(problem):
        small, names = _reduced(problem, choice)
        moves = shortest(small)
        if moves is None or (best and len(moves) > len(best[0][0])):
            continue
        if best and len(moves) < len(best[0][0]):
            best = []
        best.append((moves, names))
    plans = [_plan(problem, moves, names) for moves, names in best]
    return min(plans, key=lambda plan: (plan.walk_m, plan.steps), default=None)


def _choices(problem: Problem) -> Iterator[Choice]:
    task = problem.task
    goals = problem.places_of(home_type(task.parent_target or task.toggle_target))
    bases = _nearest_alike(problem, [home_type(task.mrecep_target)], 1) if task.mrecep_target else [""]
    appliances = [""]
    if task.type in TREATMENTS:
        appliances = [place.id for place in problem.places_of(TREATMENTS[task.type][1])]
    held = problem.held
    asides = _asides(problem)
    for targets, whole, knife in _targets(problem):
        for base, appliance, goal in product(bases, appliances, goals):
            used = {*targets, whole, knife, base}
            if base and base in targets:
                continue
            other = held.id if held is not None and held.id not in used else ""
            put = other or knife
            aside = next((each for each in asides if put and problem.allows("PutObject", put, each)), "")
            yield Choice(targets, whole, knife, base, other, appliance, goal.id, aside)


def _asides(problem: Problem) -> list[str]:
    """Where anything can be laid aside without opening a door, the nearest first."""
    free = [
        place
        for place in problem.places.values()
        if place.holds and not place.takes and (place.open or not place.shuts)
    ]
    return [place.id for place in sorted(free, key=lambda place: _to_box(problem.start, place))]


def _targets(problem: Problem) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """The things that could be handled, with what must be cut for them and with which knife."""
    task = problem.task
    count = 2 if task.type == "pick_two_obj_and_place" else 1
    ready = _nearest_alike(problem, [task.target], count)
    for chosen in combinations(ready, count):
        yield chosen, "", ""
    if task.object_sliced:
        knives = _nearest_alike(problem, classes().knives, 1)
        wholes = _nearest_alike(problem, [home_type(task.object_target)], 1)
        for whole, knife in product(wholes, knives):
            cut = tuple(f"{whole}:{number}" for number in range(count))
            yield cut, whole, knife
            if count == 2:
                yield from (((name, cut[0]), whole, knife) for name in ready)


def _nearest_alike(problem: Problem, kinds: Iterable[str], count: int) -> list[str]:
    """The things of some types; of those that lie at one place and are alike, only the nearest."""
    touched = {thing for _, thing, _ in problem.refused}
    alike: dict[tuple[object, ...], list[Item]] = {}
    for kind in kinds:
        for item in problem.of_type(kind):
            key = (item.place, item.base, item.treated, item.id if item.id in touched else "")
            alike.setdefault(key, []).append(item)
    chosen = [
        sorted(each, key=lambda item: math.dist(problem.start, item.at))[:count] for each in alike.values()
    ]
    return [item.id for each in chosen for item in each]


def _reduced(problem: Problem, choice: Choice) -> tuple[Small, Names]:
    """The small problem of a choice, and the names of its things and places."""
    roles = {
        **{f"target{number}": name for number, name in enumerate(choice.targets)},
        "whole": choice.whole, "knife": choice.knife, "base": choice.base, "other": choice.other,
    }  # fmt: skip
    roles = {role: name for role, name in roles.items() if name}
    things = list(dict.fromkeys(roles.values()))
    items = [problem.items.get(name) for name in things]
    named = [item.place for item in items if item is not None and item.place != HAND]
    named += [choice.appliance, choice.goal, choice.aside]
    places = [name for name in dict.fromkeys(named) if name]
    spots = [problem.places[name] for name in places]
    small = Small(
        kind=problem.task.type,
        at=tuple(_where(item, places, things) for item in items),
        treated=items[0] is not None and items[0].treated,
        targets=tuple(things.index(name) for name in choice.targets),
        whole=_index(things, choice.whole),
        knife=_index(things, choice.knife),
        base=_index(things, choice.base),
        appliance=_index(places, choice.appliance),
        goal=_index(places, choice.goal),
        shuts=tuple(spot.shuts for spot in spots),
        opened=_bits(spot.shuts and spot.open for spot in spots),
        to_close=_bits(name in problem.to_close for name in places),
        lit=choice.goal in problem.lit,
        fits=tuple(_fits(problem, name, spots) for name in things),
        bars=_bars(problem, things, places),
    )
    return small, Names(things, places)


def _where(item: Item | None, places: list[str], things: list[str]) -> int:
    """Where a thing is: the number of a place, or in the hand, in the movable receptacle, not yet cut."""
    if item is None:
        return UNCUT
    if item.base and item.base in things and item.base != item.id:
        return STACKED
    return HELD if item.place == HAND else places.index(item.place)


def _index(names: list[str], name: str) -> int:
    return names.index(name) if name else -1


def _bits(flags: Iterable[bool]) -> int:
    return sum(1 << number for number, flag in enumerate(flags) if flag)


def _fits(problem: Problem, name: str, spots: list[Place]) -> int:
    """The places, as bits, where a thing can be put."""
    whole, _, number = name.partition(":")
    kind = problem.task.target if number else problem.items[name].type
    return _bits(
        spot.holds and (not spot.takes or kind in spot.takes) and problem.allows("PutObject", whole, spot.id)
        for spot in spots
    )


def _bars(problem: Problem, things: list[str], places: list[str]) -> frozenset[Move]:
    """The other steps that turned out to be impossible, by the numbers of thing and place."""
    if not problem.refused:
        return frozenset()
    found = []
    for action, thing, place in problem.refused:
        if thing in things and (place in places or place in things):
            where = places.index(place) if place in places else things.index(place)
            found.append(Move(action, things.index(thing), where))
        elif not thing and place in places:
            found.append(Move(action, -1, places.index(place)))
    return frozenset(found)


def _plan(problem: Problem, moves: tuple[Move, ...], names: Names) -> Plan:
    """The moves of a small problem with the names of the things and places, and how far one walks."""
    things, places = names
    steps, walked, here = [], 0.0, problem.start
    for number, (action, thing, place) in enumerate(moves):
        where = things[place] if action == "StackObject" else places[place]
        steps.append(PlanStep(action, things[thing] if thing >= 0 else "", where))
        if action == "GotoLocation":
            there = _bound_for(problem, moves[number + 1 :], names, here, problem.places[where])
            walked += math.dist(here, there)
            here = there
    return Plan(tuple(steps), round(walked, 6))


def _bound_for(
    problem: Problem, moves: tuple[Move, ...], names: Names, here: tuple[float, float], place: Place
) -> tuple[float, float]:
    """Where one goes at a place: to the thing that is then touched, or to the place's nearest side."""
    after = next((move for move in moves if move.thing >= 0), None)
    if after is not None and after.action in ("PickupObject", "SliceObject"):
        item = problem.items.get(names.things[after.thing].partition(":")[0])
        if item is not None:
            return item.at
    return _nearest_point(here, place)


def _nearest_point(here: tuple[float, float], place: Place) -> tuple[float, float]:
    x = min(max(here[0], place.low[0]), place.high[0])
    z = min(max(here[1], place.low[1]), place.high[1])
    return (x, z)


def _to_box(here: tuple[float, float], place: Place) -> float:
    return math.dist(here, _nearest_point(here, place))
