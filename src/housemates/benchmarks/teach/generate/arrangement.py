"""Scattering things in a home so that a task is still to be done there, and can be done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec
import numpy as np

from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.tasks.relevance import relevant_kinds
from housemates.benchmarks.teach.tasks.tdl.bound import BoundTask
from housemates.benchmarks.teach.world.dynamics import TeachWorld
from housemates.home import Thing, World
from housemates.home.navigation import HEADINGS, Cell, Pose, agent_at, reachable
from housemates.home.placement import find_spot
from housemates.home.scenes.contents import make, places, set_states, settle
from housemates.home.scenes.validate import entered, open_door, usable
from housemates.home.things import Scene
from housemates.home.types import ObjectType, object_types
from housemates.home.world import parents_on

BYSTANDERS = 8
"""How many things that the task is not about are moved, too."""
TO_PUT_AWAY = (2, 3)
"""How many things there are at least where all of a kind have to be put somewhere."""
STAYS = 0.15
"""How often something that is to be put somewhere is there already."""
MENDS = 4
"""How often something that cannot be got at is put elsewhere."""
START_HORIZON_DEG = 30


class Arranger:
    """A home that is made ready for a task."""

    def __init__(self, scene: Scene, task: BoundTask, rng: np.random.Generator) -> None:
        self.world = World(scene)
        self.task = task
        self.rng = rng
        self.kinds = _kinds(task)

    def arrange(self) -> Scene | None:
        """The home with what the task takes, in new places and states; None if it did not come out."""
        set_states(self.world, self.rng)
        if not self._supply():
            return None
        self._scatter()
        SPOILERS.get(self.task.name, _leave)(self.world, self.task, self.rng)
        self._enter()
        if not self._can_be_done() or self._is_done():
            return None
        return msgspec.structs.replace(
            self.world.scene, things=tuple(self.world.things.values()), agent=self.world.agent
        )

    def _supply(self) -> bool:
        """Bring what is missing."""
        for lack in tasks.lacking(self.task, TeachWorld(self.world).objects()):
            if not self._bring(lack.kinds, max(1, lack.wanted)):
                return False
        if self.task.name.startswith("Put All"):
            return self._bring(
                self.task.params[:1], int(self.rng.integers(TO_PUT_AWAY[0], TO_PUT_AWAY[1] + 1))
            )
        return True

    def _bring(self, kinds: Sequence[str], wanted: int) -> bool:
        """Have at least as many things of these kinds."""
        types = _movable(kinds)
        while len(things_of(self.world, kinds)) < wanted:
            kind = types[int(self.rng.integers(len(types)))] if types else None
            if kind is None or self._put(make(kind, self.rng)) is None:
                return False
        return True

    def _put(self, thing: Thing) -> Thing | None:
        return settle(self.world, thing, self._places(thing), self.rng)

    def _places(self, thing: Thing) -> Iterator[Thing]:
        """Where a thing may be; what is to be put somewhere is seldom there already."""
        goal = _goal(self.task, thing)
        for receptacle in places(self.world, thing.type, self.rng):
            if goal in receptacle.kind.classes and self.rng.random() > STAYS:
                continue
            yield receptacle

    def _scatter(self) -> None:
        """Move what the task is about, and some other things."""
        loose = [each for each in self.world.things.values() if each.can("pickup") and _found(each)]
        about = [each for each in loose if not self.kinds.isdisjoint(each.kind.classes)]
        others = [each for each in loose if each not in about]
        count = min(BYSTANDERS, len(others))
        chosen = self.rng.choice(len(others), size=count, replace=False).tolist() if others else []
        for thing in (*about, *(others[index] for index in chosen)):
            if self.world.contents(thing):
                continue
            del self.world.things[thing.id]
            if self._put(thing) is None:
                self.world.add(thing)

    def _enter(self) -> None:
        """Let the agent begin anywhere."""
        cells = sorted(reachable(self.world))
        cell = cells[int(self.rng.integers(len(cells)))]
        rotation = list(HEADINGS)[int(self.rng.integers(len(HEADINGS)))]
        self.world.agent = agent_at(self.world.agent, Pose(cell.x, cell.z, rotation, START_HORIZON_DEG))

    def _is_done(self) -> bool:
        return bool(tasks.check(self.task, TeachWorld(self.world).objects()).success)

    def _can_be_done(self) -> bool:
        cells = reachable(self.world)
        objects = TeachWorld(self.world).objects()
        return (
            not tasks.lacking(self.task, objects)
            and all(self._at_hand(group, cells) for group in _groups(self.task))
            and all(
                self._mend(each, cells) for each in things_of(self.world, self.kinds) if each.can("pickup")
            )
            and self._fits(cells)
            and not any(_door_hits(self.world, each) for each in self.world.of_type("Microwave"))
        )

    def _mend(self, thing: Thing, cells: set[Cell]) -> bool:
        """Put a thing elsewhere until it can be got at."""
        for _ in range(MENDS):
            if can_get_at(self.world, thing, cells):
                return True
            if self.world.contents(thing) or not _found(thing):
                return False
            del self.world.things[thing.id]
            moved = self._put(thing)
            if moved is None:
                return False
            thing = moved
        return can_get_at(self.world, thing, cells)

    def _at_hand(self, kinds: Iterable[str], cells: set[Cell]) -> bool:
        return any(can_get_at(self.world, thing, cells) for thing in things_of(self.world, kinds))

    def _fits(self, cells: set[Cell]) -> bool:
        """Whether all that has to be put somewhere has room there."""
        if not self.task.name.startswith("Put All"):
            return True
        things = things_of(self.world, self.task.params[:1])
        goals = [
            each
            for each in things_of(self.world, self.task.params[2:])
            if can_get_at(self.world, each, cells)
        ]
        if self.task.name == "Put All X On Y":
            return _holds(self.world, goals, things)
        return any(_holds(self.world, [goal], things) for goal in goals)


def things_of(world: World, kinds: Iterable[str]) -> list[Thing]:
    """The things of these types or classes, but for what has been cut up."""
    wanted = set(kinds)
    return [
        each
        for each in world.things.values()
        if each.solid and (each.type in wanted or not wanted.isdisjoint(each.kind.classes))
    ]


def can_get_at(world: World, thing: Thing, cells: set[Cell]) -> bool:
    """Whether a thing can be seen and touched from one of the cells, and taken if it can be taken.

    What shuts it in is opened for that; the world is left as it is.
    """
    shut = world.enclosing(thing)
    if shut is None:
        return usable(world, thing, cells)
    before = world.snapshot()
    try:
        return open_door(world, shut, cells) and usable(world, world.things[thing.id], reachable(world))
    finally:
        world.restore(before)


def _kinds(task: BoundTask) -> frozenset[str]:
    """What the task is about, and what it is done with."""
    return relevant_kinds(task).union(*_groups(task))


def _groups(task: BoundTask) -> Iterator[tuple[str, ...]]:
    """What is needed beside the components, one of each group."""
    yield from task.needs
    for component in task.components:
        if not hasattr(component, "primary"):
            yield from _groups(component.task)


def _movable(kinds: Iterable[str]) -> list[ObjectType]:
    """Types of these kinds that can be brought into a home."""
    wanted = set(kinds)
    return [
        kind
        for kind in object_types().values()
        if kind.can("pickup") and kind.found and (kind.name in wanted or not wanted.isdisjoint(kind.classes))
    ]


def _found(thing: Thing) -> bool:
    return bool(thing.kind.found) and not thing.sliced


def _goal(task: BoundTask, thing: Thing) -> str:
    """Where a thing has to be put, if the task is about that."""
    about = task.name.startswith("Put All") and task.params[0] in thing.kind.classes
    return task.params[2] if about else ""


def _holds(world: World, goals: Sequence[Thing], things: Sequence[Thing]) -> bool:
    """Whether all the things find a place in or on the goals; the world is left as it is."""
    before = world.snapshot()
    try:
        return all(any(_put_into(world, thing, goal) for goal in goals) for thing in things)
    finally:
        world.restore(before)


def _put_into(world: World, thing: Thing, goal: Thing) -> bool:
    now = world.things[goal.id]
    if now.can("open") and not now.open:
        now = world.update(now, open=True)
    spot = find_spot(world, world.things[thing.id], now)
    if spot is None:
        return False
    world.move(world.things[thing.id], spot.position, spot.yaw, parents_on(world, now))
    return True


def _door_hits(world: World, thing: Thing) -> bool:
    """Whether something stands where a door opens."""
    return bool(entered(world, msgspec.structs.replace(thing, open=True)))


def _leave(world: World, task: BoundTask, rng: np.random.Generator) -> None:
    """Nothing has to be made worse."""


def _soil(world: World, task: BoundTask, rng: np.random.Generator) -> None:
    """Some of what has to be clean is dirty, and not all of it."""
    things = [each for each in things_of(world, task.params) if each.can("dirty") and each.can("pickup")]
    if things:
        chosen = rng.choice(len(things), size=int(rng.integers(1, len(things) + 1)), replace=False).tolist()
        for index, thing in enumerate(things):
            world.update(thing, dirty=index in chosen, liquid="")


def _dry(world: World, task: BoundTask, rng: np.random.Generator) -> None:
    """Plants are dry."""
    for plant in world.of_type("HousePlant"):
        world.update(plant, liquid="")


SPOILERS: dict[str, Callable[[World, BoundTask, np.random.Generator], None]] = {
    "Clean All X": _soil,
    "Water Plant": _dry,
}
"""What makes sure that something is left to do."""
