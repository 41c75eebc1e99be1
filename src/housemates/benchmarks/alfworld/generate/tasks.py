"""Which tasks a home allows, their words, and their goals in PDDL."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from housemates.benchmarks.alfworld.generate.problem import fits, tasks_table, told_things
from housemates.benchmarks.alfworld.tasks.types import TYPES
from housemates.home.world import World

Words = Literal["template", "people"]


class Task(NamedTuple):
    """What is asked of one kind of thing."""

    type: str
    thing: str
    """Its type."""
    place: str = ""
    """The type of receptacle that it goes into."""
    lamp: str = ""

    def words(self, said: Words, rng: np.random.Generator) -> str:
        """The task in words."""
        phrases = tasks_table()[said][self.type]
        phrase: str = phrases[int(rng.integers(len(phrases)))]
        return phrase.format(thing=self.thing.lower(), place=self.place.lower(), lamp=self.lamp.lower())

    def goal(self) -> str:
        """The task as a PDDL formula."""
        thing = f"(objectType ?o {self.thing}Type)"
        if self.lamp:
            lamp = f"(objectType ?t {self.lamp}Type) (toggleable ?t) (isToggled ?t) (inReceptacle ?t ?r)"
            there = "(receptacleAtLocation ?r ?l) (atLocation ?a ?l)"
            return (
                f"(exists (?t - object ?r - receptacle ?a - agent ?l - location) (and {lamp} {there}))"
                f" (exists (?o - object ?a - agent) (and {thing} (holds ?a ?o)))"
            )
        place = f"(receptacleType ?r {self.place}Type) (inReceptacle ?o ?r)"
        need = tasks_table()["needs"].get(self.type)
        more = f" ({need['able']} ?o) ({need['is']} ?o)" if need else ""
        if self.type == "pick_two_obj_and_place":
            other = f"(not (= ?o ?p)) (objectType ?p {self.thing}Type) (inReceptacle ?p ?r)"
            more = f" (exists (?p - object) (and {other}))"
        return f"(exists (?r - receptacle) (exists (?o - object) (and {thing} {place}{more})))"


def tasks_in(world: World) -> list[Task]:
    """Every task that can be done in a home and is not done already, in a fixed order."""
    return [task for kind in TYPES for task in _of_type(kind, world)]


def _of_type(kind: str, world: World) -> Iterator[Task]:
    things, places = told_things(world)
    counts = Counter(thing.type for thing in things if thing.can("pickup"))
    at = {place.type for place in places}
    can, need = tasks_table()["can"], tasks_table()["needs"].get(kind)
    if kind == "look_at_obj_in_light":
        lamps = sorted({thing.type for thing in things} & set(can["toggleable"]))
        yield from (Task(kind, thing, lamp=lamp) for thing in sorted(counts) for lamp in lamps)
        return
    if need and need["station"] not in at:
        return
    for thing in sorted(counts):
        if need and thing not in can[need["able"]]:
            continue
        if kind == "pick_two_obj_and_place" and counts[thing] < 2:
            continue
        for place in sorted(at):
            elsewhere = need is None or place != need["station"] or need["station"] == "Fridge"
            if fits(thing, place) and elsewhere and (need or not _there_already(world, thing, place)):
                yield Task(kind, thing, place)


def _there_already(world: World, thing: str, place: str) -> bool:
    """Whether a thing of this type is in such a receptacle at the start."""
    return any(
        world.things[parent].type == place
        for each in world.of_type(thing)
        for parent in each.parents
        if parent in world.things
    )


def draw(tasks: Sequence[Task], goals: int, kind: str | None, rng: np.random.Generator) -> list[Task]:
    """Tasks about different things, the first of a type if one is given; one at most has a lamp, the last.

    Types are drawn first and then things, so that none is rare. There are fewer if the home allows no more.
    """
    found: list[Task] = []
    for _ in range(goals):
        taken, lit = {task.thing for task in found}, any(task.lamp for task in found)
        left = [task for task in tasks if task.thing not in taken and not (lit and task.lamp)]
        if kind is not None and not found:
            left = [task for task in left if task.type == kind]
        for name in ("type", "thing"):
            values = sorted({getattr(task, name) for task in left})
            if values:
                value = values[int(rng.integers(len(values)))]
                left = [task for task in left if getattr(task, name) == value]
        if not left:
            break
        found.append(left[int(rng.integers(len(left)))])
    return sorted(found, key=lambda task: bool(task.lamp))
