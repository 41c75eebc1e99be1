"""New games without end: a generated room, made harder if that is asked for, and a task that it allows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

import msgspec
import numpy as np

from housemates.benchmarks.alfworld.generate.problem import fits, problem, told_things
from housemates.benchmarks.alfworld.generate.tasks import Task, Words, draw, tasks_in
from housemates.benchmarks.alfworld.world.scenery import put
from housemates.errors import HousematesError
from housemates.home.scenes import load
from housemates.home.scenes.catalogue import rooms
from housemates.home.things import Scene
from housemates.home.world import World

TRIES = 20


class Harder(NamedTuple):
    """How a game is made harder."""

    goals: int = 1
    """How many tasks in one."""
    hidden: bool = False
    """Whether what the tasks need is in closed receptacles, where there are any that take it."""
    distractors: int = 0
    """Number of additional objects."""
    words: Words = "template"


class Made(NamedTuple):
    """A new game and the home it tells of."""

    type: str
    """Of its first task."""
    text: str
    """The game file."""
    scene: Scene
    """The home as the game begins."""


def make(name: str, seed: int, number: int, harder: Harder, kind: str | None = None) -> Made:
    """The game of a number; the same one each time.

    Args:
        name: What the game is called.
        seed: Together with `number` where all randomness comes from.
        number: Of the game, from 0.
        harder: How it is made harder.
        kind: The type of its first task; any if None.
    """
    for attempt in range(TRIES):
        rng = np.random.default_rng([seed, number, attempt, 17])
        rooms_ = [room.replace(" ", "-") for room in rooms()]
        room = rooms_[int(rng.integers(len(rooms_)))]
        world = emptied(load(f"{room}-seed-{int(rng.integers(2**31))}"))
        tasks = draw(tasks_in(world), harder.goals, kind, rng)
        if len(tasks) == harder.goals:
            return of_home(name, world, tasks, harder, rng)
    raise HousematesError(f"{name}: no such game can be made: ask for fewer goals.")


def of_home(
    name: str, world: World, tasks: Sequence[Task], harder: Harder, rng: np.random.Generator, said: str = ""
) -> Made:
    """The game of a home and its tasks, in somebody's own words if there are any."""
    if harder.hidden:
        _hide(world, {task.thing for task in tasks}, rng)
    _add(world, harder.distractors, rng)
    words = said or ", and ".join(task.words(harder.words, rng) for task in tasks)
    goals = [task.goal() for task in tasks]
    scene = msgspec.structs.replace(world.scene, things=tuple(world.things.values()))
    asked = [(task.thing, task.place) for task in tasks if task.place]
    return Made(tasks[0].type, game_file(problem(world, goals, name, asked), words), scene)


def game_file(problem_text: str, words: str) -> str:
    """A game file that the original plays as well."""
    domain, wording = texts()
    task = json.dumps(f"Your task is to: {words}.")[1:-1]
    return json.dumps(
        {
            "pddl_domain": domain,
            "grammar": wording.replace("UNKNOWN GOAL", task),
            "pddl_problem": problem_text,
            "solvable": True,
        }
    )


@cache
def texts() -> tuple[str, str]:
    """The domain and the grammar of new games."""
    here = resources.files(__package__)
    read = (here.joinpath(name).read_text(encoding="utf-8") for name in ("domain.pddl", "wording.txt"))
    domain, wording = read
    return domain, wording


def emptied(scene: Scene) -> World:
    """A home in which nothing is in a thing that can be carried, for a text does not say what comes along."""
    world = World(scene)
    inner = [
        thing.id
        for thing in world.things.values()
        if any(world.things[each].can("pickup") for each in thing.parents if each in world.things)
    ]
    for each in inner:
        del world.things[each]
    return World(msgspec.structs.replace(scene, things=tuple(world.things.values())))


def _hide(world: World, kinds: set[str], rng: np.random.Generator) -> None:
    """Put all things of these types into closed receptacles that take them."""
    things, places = told_things(world)
    for thing in (each for each in things if each.type in kinds and each.can("pickup")):
        shut = [each for each in places if each.can("open") and not each.open and fits(thing.type, each.type)]
        for number in rng.permutation(len(shut)).tolist():
            if shut[number].id not in thing.parents and put(world, thing, shut[number]):
                break


def _add(world: World, count: int, rng: np.random.Generator) -> None:
    """Add copies of things that are there, each in a receptacle that takes it."""
    things, places = told_things(world)
    carried = [each for each in things if each.can("pickup")]
    for _ in range(count if carried else 0):
        thing = carried[int(rng.integers(len(carried)))]
        there = [each for each in places if fits(thing.type, each.type)]
        if there:
            place = there[int(rng.integers(len(there)))]
            put(world, msgspec.structs.replace(thing, id="", position=place.position), place)
