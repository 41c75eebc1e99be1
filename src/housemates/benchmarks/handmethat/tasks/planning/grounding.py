"""A conjunct as a small planning problem: the objects and places it can need, and every action among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from housemates.benchmarks.handmethat.tasks.goals import Want
from housemates.benchmarks.handmethat.world.catalog import LOCATIONS, table
from housemates.benchmarks.handmethat.world.dynamics import FLAG, HUMAN, ROBOT, STRIDE, Scene, World
from housemates.benchmarks.handmethat.world.operators import Action, ground

PLACES = len(LOCATIONS)
MAX_TOOLS = 2
"""Tools of one category that are considered: those that are easiest to get."""

Facts = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Operator:
    """An action, and what it needs and does in terms of the problem's own variables."""

    action: Action
    conditions: Facts
    effects: Facts


@dataclass(frozen=True)
class Problem:
    """Variables of the world that matter, their values, the actions, and the goal's alternatives."""

    variables: tuple[int, ...]
    start: tuple[int, ...]
    operators: tuple[Operator, ...]
    goals: tuple[Facts, ...]
    """Any of these sets of facts will do."""
    at: int
    """Which variable says where the agent is."""
    held: int


@dataclass(frozen=True)
class Needs:
    """What a problem is about."""

    goals: tuple[Facts, ...]
    movable: frozenset[int]
    """Objects that may be picked up."""
    holders: frozenset[int]
    """Receptacles and locations that things may be put into or onto."""
    locations: frozenset[int]


def want_goals(want: Want, world: World) -> list[Facts]:
    """The ways to satisfy a conjunct, as facts about the world's variables."""
    scene = world.scene
    members = scene.instances.get(want.kind, ())
    places: Sequence[int | None] = [None]
    if want.place is not None:
        places = scene.instances.get(want.place, ()) if want.any_place else [scene.index[want.place]]
    found = []
    for place in places:
        base = (
            []
            if place is None
            else [(place * STRIDE + FLAG[flag], value) for flag, value in want.place_states]
        )
        each = [
            [*([] if place is None else [(member * STRIDE, place)])]
            + [(member * STRIDE + FLAG[flag], value) for flag, value in want.states]
            for member in members
        ]
        if want.every:
            found.append((*base, *(fact for facts in each for fact in facts)))
        else:
            found += [(*base, *facts) for facts in each]
    return found


def needs(goals: Iterable[Facts], world: World, agent: int = HUMAN) -> Needs:
    """The objects and places that can matter for reaching one of the goals."""
    scene, values = world.scene, world.values
    goals = tuple(goals)
    open_facts = {fact for facts in goals for fact in facts if values[fact[0]] != fact[1]}
    movable: set[int] = set()
    holders: set[int] = set()
    subjects: set[int] = set()
    for variable, value in open_facts:
        number, part = divmod(variable, STRIDE)
        subjects.add(number)
        if part == 0:
            movable.add(number)
            if value < scene.size:
                holders.add(value)
        else:
            _need_for_flag(scene, world, number, part, movable, holders)
    held = values[scene.held(agent)]
    if held >= 0:
        movable.add(held)
        subjects.add(held)
    around = movable | subjects | {holder for holder in holders if holder >= PLACES}
    locations = {world.location(number) for number in around} | {h for h in holders if h < PLACES}
    parents = {world.parent(number) for number in around if number >= PLACES}
    here = values[scene.at(agent)]
    locations = {place for place in locations | {here} if 0 <= place < PLACES}
    holders |= ({here} if here >= 0 else set()) | {parent for parent in parents if parent < scene.size}
    return Needs(goals, frozenset(movable), frozenset(holders), frozenset(locations))


def _need_for_flag(
    scene: Scene, world: World, number: int, part: int, movable: set[int], holders: set[int]
) -> None:
    """Add tools and appliances for changing a flag."""
    appliances = {FLAG["cooked"]: "heat", FLAG["frozen"]: "cool", FLAG["soaked"]: "soak"}
    if part in appliances:
        movable.add(number)
        holders.update(scene.index[name] for name in table()["appliances"][appliances[part]])
    elif part == FLAG["sliced"]:
        movable.add(number)
        movable.update(_easiest(world, scene.instances.get("knife", ())))
        holders.update({scene.index["countertop"], scene.index["table"]})
    elif part in (FLAG["dusty"], FLAG["stained"]):
        if number >= PLACES and world.parent(number) >= PLACES:
            movable.add(number)
        for kind in scene.kinds[number].cleaned_by:
            tools = _easiest(world, scene.instances.get(kind, ()))
            movable.update(tools)
            if tools and "soakable" in scene.kinds[tools[0]].abilities:
                holders.add(scene.index["sink"])


def _easiest(world: World, tools: Sequence[int]) -> list[int]:
    def trouble(tool: int) -> tuple[bool, int, bool]:
        holder = world.parent(tool)
        place = world.location(tool)
        held = place >= world.scene.size
        shut = 0 if held else (not world.reachable(holder)) + (place != holder and not world.reachable(place))
        return not held, shut, not world.flag(tool, "soaked")

    return sorted(tools, key=trouble)[:MAX_TOOLS]


def problem(need: Needs, world: World, agent: int = HUMAN) -> Problem:
    """Ground every action among what is needed."""
    scene = world.scene
    grounded = [
        (action, operator)
        for action in _actions(need, world, agent)
        if (operator := ground(scene, agent, action)) is not None
    ]
    facts = [fact for _, operator in grounded for part in operator for fact in part]
    facts += [fact for goal in need.goals for fact in goal]
    variables = tuple(
        dict.fromkeys([scene.at(agent), scene.held(agent), *(variable for variable, _ in facts)])
    )
    slot = {variable: position for position, variable in enumerate(variables)}

    def own(pairs: Facts) -> Facts:
        return tuple((slot[variable], value) for variable, value in pairs)

    return Problem(
        variables,
        tuple(world.values[variable] for variable in variables),
        tuple(
            Operator(action, own(operator.conditions), own(operator.effects)) for action, operator in grounded
        ),
        tuple(own(goal) for goal in need.goals),
        slot[scene.at(agent)],
        slot[scene.held(agent)],
    )


def _actions(need: Needs, world: World, agent: int) -> Iterator[Action]:
    scene = world.scene
    locations = sorted(need.locations)
    stops = [*locations, -1] if agent == ROBOT else locations
    yield from (Action("move", (a, b)) for a in stops for b in stops)
    receptacles = sorted(holder for holder in need.holders if holder >= PLACES)
    places = sorted(holder for holder in need.holders if holder < PLACES)
    for place in locations:
        if scene.openable[place]:
            yield Action("open-location", (place,))
        if "toggleable" in scene.kinds[place].abilities:
            yield Action("toggle-on-location", (place,))
    for receptacle in receptacles:
        for place in _possible_places(receptacle, need, world):
            if scene.openable[receptacle]:
                yield Action("open-receptacle-at-location", (receptacle, place))
    for number in sorted(need.movable):
        yield from _moving(number, places, receptacles, need, world)
        if agent == ROBOT:
            yield Action("bring-to-human", (number,))
    yield from _changing(need, world, locations)


def _possible_places(number: int, need: Needs, world: World) -> list[int]:
    """Where an object can be: where it is, or anywhere if it may be carried."""
    if number in need.movable:
        return sorted(need.locations)
    place = world.location(number)
    return [place] if place < PLACES else []


def _moving(
    number: int, places: Sequence[int], receptacles: Sequence[int], need: Needs, world: World
) -> Iterator[Action]:
    for place in places:
        yield Action("pick-up-at-location", (number, place))
        yield Action("put-inside-location", (number, place))
        yield Action("put-ontop-location", (number, place))
    for receptacle in receptacles:
        for place in _possible_places(receptacle, need, world):
            yield Action("pick-up-from-receptacle-at-location", (number, receptacle, place))
            yield Action("put-inside-receptacle-at-location", (number, receptacle, place))
            yield Action("put-ontop-receptacle-at-location", (number, receptacle, place))


def _changing(need: Needs, world: World, locations: Sequence[int]) -> Iterator[Action]:
    """Actions that change flags of what the goals are about, and of tools."""
    scene = world.scene
    about = {variable // STRIDE for goal in need.goals for variable, _ in goal} & set(range(scene.size))
    about |= need.movable
    for number in sorted(about):
        if number < PLACES:
            yield from (Action("clean-location", (tool, number)) for tool in sorted(need.movable))
            continue
        for place in _possible_places(number, need, world):
            for verb in ("heat-obj", "cool-obj", "soak-obj"):
                yield Action(verb, (number, place))
            yield Action("toggle-on-movable-at-location", (number, place))
            yield Action("open-receptacle-at-location", (number, place))
            yield Action("close-receptacle-at-location", (number, place))
            for tool in sorted(need.movable - {number}):
                yield Action("slice-obj", (number, tool, place))
                yield Action("clean-obj-at-location", (number, tool, place))
