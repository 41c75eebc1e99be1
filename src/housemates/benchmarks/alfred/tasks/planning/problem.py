"""What matters of a world for a task: places, the things that could serve, and what is still to be done."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from housemates.benchmarks.alfred.tasks.goals import Task, classes, home_type
from housemates.benchmarks.alfred.world.dynamics import AlfredWorld
from housemates.home.containment import is_shut
from housemates.home.geometry import bounding_box
from housemates.home.kinds import surfaces
from housemates.home.recipes import COOLING, MICROWAVING, WASHING
from housemates.home.things import Thing
from housemates.home.world import World

HAND = "hand"
"""The place of what is held."""
TREATMENTS = {
    "pick_heat_then_place_in_recep": ("HeatObject", MICROWAVING.at, "heated"),
    "pick_cool_then_place_in_recep": ("CoolObject", COOLING.at, "cooled"),
    "pick_clean_then_place_in_recep": ("CleanObject", WASHING.at, "cleaned"),
}
"""Type of task -> what is done to the thing, where, and the mark it leaves."""
Refused = frozenset[tuple[str, str, str]]
"""Steps (action, thing, place) that turned out to be impossible."""


class Place(NamedTuple):
    """Where the agent can go: a fixed receptacle, a lamp, or something that lies on the floor."""

    id: str
    type: str
    shuts: bool
    """Whether what it holds can be shut in."""
    open: bool
    holds: bool
    """Whether things can be put there."""
    takes: tuple[str, ...]
    """The only types that it takes; all if empty."""
    low: tuple[float, float]
    high: tuple[float, float]
    """Its corners, seen from above."""


class Item(NamedTuple):
    """A thing that could serve."""

    id: str
    type: str
    place: str
    """Where it is; `hand` if it is held."""
    base: str
    """The movable receptacle that it lies in, if it is one that the task asks for."""
    treated: bool
    """Whether it is heated, cooled or cleaned already, as the task wants it."""
    at: tuple[float, float]


class Problem(NamedTuple):
    """A task in a world, as the planner and the PDDL writer see it."""

    task: Task
    places: dict[str, Place]
    items: dict[str, Item]
    lit: frozenset[str]
    """Lamps that are on."""
    to_close: frozenset[str]
    """Places that must be shut in the end."""
    refused: Refused
    start: tuple[float, float]

    def of_type(self, kind: str) -> list[Item]:
        """The items of a type."""
        return [item for item in self.items.values() if item.type == kind]

    def places_of(self, kind: str) -> list[Place]:
        """The places of a type."""
        return [place for place in self.places.values() if place.type == kind]

    @property
    def held(self) -> Item | None:
        """What is in the hand."""
        return next((item for item in self.items.values() if item.place == HAND), None)

    def allows(self, action: str, thing: str, place: str) -> bool:
        """Whether a step has not turned out to be impossible."""
        return (action, thing, place) not in self.refused


def problem_of(
    world: AlfredWorld, task: Task, refused: Refused = frozenset(), opened: Iterable[str] = ()
) -> Problem:
    """The problem that a task poses in a world as it is now.

    Args:
        world: The home.
        task: What is to be done.
        refused: Steps that turned out to be impossible.
        opened: What the agent has opened itself and must close again.
    """
    home = world.home
    things = _wanted(home, task)
    items = {thing.id: _item(world, task, thing) for thing in things}
    kinds = {home_type(task.parent_target), home_type(task.toggle_target)}
    if task.type in TREATMENTS:
        kinds.add(TREATMENTS[task.type][1])
    places = {thing.id: _place(thing) for kind in sorted(kinds) for thing in home.of_type(kind)}
    for item in items.values():
        if item.place != HAND and item.place not in places:
            places[item.place] = _place(home.things[item.place])
    for name in _asides(home, things):
        places.setdefault(name, _place(home.things[name]))
    lamps = home.of_type(home_type(task.toggle_target))
    shut = {name for name, place in places.items() if place.shuts and not place.open}
    return Problem(
        task=task,
        places=places,
        items=items,
        lit=frozenset(lamp.id for lamp in lamps if lamp.on),
        to_close=frozenset((shut | set(opened)) & places.keys()),
        refused=refused,
        start=(home.agent.x, home.agent.z),
    )


def _wanted(home: World, task: Task) -> list[Thing]:
    """The things that could serve: the targets, wholes to cut, knives, movable receptacles, what is held."""
    kinds = [task.target, home_type(task.mrecep_target)]
    if task.object_sliced:
        kinds += [home_type(task.object_target), *classes().knives]
    found = {thing.id: thing for kind in kinds for thing in home.of_type(kind) if thing.solid}
    if home.held is not None:
        found[home.held.id] = home.held
    return list(found.values())


def _item(world: AlfredWorld, task: Task, thing: Thing) -> Item:
    home = world.home
    above = list(home.ancestors(thing))
    place = HAND if home.in_hand(thing) else place_of(home, thing)
    mark = TREATMENTS[task.type][2] if task.type in TREATMENTS else ""
    treated = bool(mark) and thing.id in getattr(world.marks, mark)
    wanted = home_type(task.mrecep_target)
    base = next((other.id for other in above if wanted and other.type == wanted), "")
    return Item(thing.id, thing.type, place, base, treated, (thing.position[0], thing.position[2]))


def place_of(home: World, thing: Thing) -> str:
    """The fixed receptacle that a thing is on or in; the thing itself if it lies on the floor."""
    last = thing
    for other in home.ancestors(thing):
        if other.type == "Floor":
            break
        last = other
        if not other.can("pickup"):
            break
    return last.id


def _place(thing: Thing) -> Place:
    low, high = bounding_box(thing)
    shuts = is_shut(thing) or thing.open
    holds = thing.can("receptacle") and not thing.can("pickup")
    corners = ((low[0], low[2]), (high[0], high[2]))
    return Place(thing.id, thing.type, shuts, thing.open, holds, thing.kind.holds, *corners)


ASIDE = surfaces("worktop", "top", "couch")
"""Where things that are in the way can be put down, the best first."""


def _asides(home: World, things: list[Thing]) -> list[str]:
    """The nearest places where something can be laid aside, if there may be something to lay aside."""
    if home.held is None and not any(thing.kind.cuts for thing in things):
        return []
    x, z = home.agent.x, home.agent.z

    def away(thing: Thing) -> float:
        return (thing.position[0] - x) ** 2 + (thing.position[2] - z) ** 2

    found = [thing for kind in ASIDE for thing in home.of_type(kind)]
    return [thing.id for thing in sorted(found, key=away)[:3]]
