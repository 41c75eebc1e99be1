"""The actions of Table 9 as operators: conditions and effects on integer variables, for human and robot."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

from housemates.benchmarks.handmethat.world.catalog import table
from housemates.benchmarks.handmethat.world.dynamics import (
    FLAG,
    HUMAN,
    HUMAN_PLACE,
    NOTHING,
    ROBOT,
    STRIDE,
    Scene,
    World,
)

Pairs = tuple[tuple[int, int], ...]


class Action(NamedTuple):
    """An operator's name and its objects by number, without the agent."""

    name: str
    args: tuple[int, ...]


class Ground(NamedTuple):
    """A grounded operator: variables that must have these values, and the values they get."""

    conditions: Pairs
    effects: Pairs


Schema = Callable[..., Ground | None]
SCHEMAS: dict[str, Schema] = {}


def schema(function: Schema) -> Schema:
    """List a function of scene, agent and objects among the actions, under its name with hyphens."""
    SCHEMAS[function.__name__.strip("_").replace("_", "-")] = function
    return function


@cache
def arity(name: str) -> int:
    """How many objects an action of this name takes."""
    return len(inspect.signature(SCHEMAS[name]).parameters) - 2


def ground(scene: Scene, agent: int, action: Action) -> Ground | None:
    """The operator of an action, or None if these objects can never take part in it."""
    return SCHEMAS[action.name](scene, agent, *action.args)


def applicable(world: World, operator: Ground) -> bool:
    """Whether every condition holds."""
    values = world.values
    for variable, value in operator.conditions:  # noqa: SIM110 (twice as fast as `all`, and this is called most)
        if values[variable] != value:
            return False
    return True


def perform(world: World, agent: int, action: Action) -> bool:
    """Do the action if it is possible now; otherwise change nothing and return False."""
    operator = ground(world.scene, agent, action)
    if operator is None or not applicable(world, operator):
        return False
    for variable, value in operator.effects:
        world.assign(variable, value)
    return True


def _is(number: int, flag: str, value: int = 1) -> tuple[int, int]:
    return number * STRIDE + FLAG[flag], value


def _access(scene: Scene, number: int, holder: int) -> Pairs:
    """The object is directly in or on the holder, and the holder is open if it can be."""
    there = ((number * STRIDE, holder),)
    return (*there, _is(holder, "open")) if scene.openable[holder] else there


def _open_if_needed(scene: Scene, holder: int) -> Pairs:
    return (_is(holder, "open"),) if scene.openable[holder] else ()


def _movable(scene: Scene, number: int) -> bool:
    return not scene.kinds[number].is_location


@schema
def move(scene: Scene, agent: int, start: int, end: int) -> Ground | None:
    """Go from one place to another."""
    if start == end:
        return None
    return Ground(((scene.at(agent), start),), ((scene.at(agent), end),))


@schema
def pick_up_at_location(scene: Scene, agent: int, number: int, place: int) -> Ground | None:
    """Take an object that stands directly in or on the place."""
    if not _movable(scene, number) or _movable(scene, place):
        return None
    here = ((scene.at(agent), place), (scene.held(agent), NOTHING))
    taken = ((number * STRIDE, scene.hand(agent)), (scene.held(agent), number))
    return Ground((*here, *_access(scene, number, place)), taken)


@schema
def pick_up_from_receptacle_at_location(
    scene: Scene, agent: int, number: int, receptacle: int, place: int
) -> Ground | None:
    """Take an object out of a receptacle at the place."""
    if not _movable(scene, number) or scene.is_receptacle[number] or not scene.is_receptacle[receptacle]:
        return None
    here = ((scene.at(agent), place), (scene.held(agent), NOTHING))
    reach = (*_access(scene, number, receptacle), *_access(scene, receptacle, place))
    return Ground((*here, *reach), ((number * STRIDE, scene.hand(agent)), (scene.held(agent), number)))


def _put(relation: str, scene: Scene, agent: int, number: int, holder: int, place: int) -> Ground | None:
    kind = scene.kinds[holder]
    if f"has-{relation}" not in kind.abilities or (kind.is_receptacle and scene.is_receptacle[number]):
        return None
    reach = _access(scene, holder, place) if kind.is_receptacle else ()
    here = ((scene.at(agent), place), (scene.held(agent), number))
    left = ((number * STRIDE, holder), (scene.held(agent), NOTHING))
    return Ground((*here, *reach, *_open_if_needed(scene, holder)), left)


@schema
def put_inside_location(scene: Scene, agent: int, number: int, place: int) -> Ground | None:
    """Put what is held into the place."""
    return None if _movable(scene, place) else _put("inside", scene, agent, number, place, place)


@schema
def put_ontop_location(scene: Scene, agent: int, number: int, place: int) -> Ground | None:
    """Put what is held onto the place."""
    return None if _movable(scene, place) else _put("ontop", scene, agent, number, place, place)


@schema
def put_inside_receptacle_at_location(
    scene: Scene, agent: int, number: int, receptacle: int, place: int
) -> Ground | None:
    """Put what is held into a receptacle at the place."""
    return (
        _put("inside", scene, agent, number, receptacle, place) if scene.is_receptacle[receptacle] else None
    )


@schema
def put_ontop_receptacle_at_location(
    scene: Scene, agent: int, number: int, receptacle: int, place: int
) -> Ground | None:
    """Put what is held onto a receptacle at the place."""
    return _put("ontop", scene, agent, number, receptacle, place) if scene.is_receptacle[receptacle] else None


def _set_location(flag: str, value: int, scene: Scene, agent: int, place: int) -> Ground | None:
    if flag not in scene.kinds[place].flags or _movable(scene, place):
        return None
    return Ground(((scene.at(agent), place), _is(place, flag, 1 - value)), (_is(place, flag, value),))


def _set_movable(flag: str, value: int, scene: Scene, agent: int, number: int, place: int) -> Ground | None:
    if flag not in scene.kinds[number].flags or not _movable(scene, number):
        return None
    here = ((scene.at(agent), place), *_access(scene, number, place), _is(number, flag, 1 - value))
    return Ground(here, (_is(number, flag, value),))


@schema
def open_location(scene: Scene, agent: int, place: int) -> Ground | None:
    """The operator that opens a closed location."""
    return _set_location("open", 1, scene, agent, place)


@schema
def close_location(scene: Scene, agent: int, place: int) -> Ground | None:
    """The operator that closes an open location."""
    return _set_location("open", 0, scene, agent, place)


@schema
def open_receptacle_at_location(scene: Scene, agent: int, receptacle: int, place: int) -> Ground | None:
    """Open a receptacle at the place."""
    return _set_movable("open", 1, scene, agent, receptacle, place)


@schema
def close_receptacle_at_location(scene: Scene, agent: int, receptacle: int, place: int) -> Ground | None:
    """Close a receptacle at the place."""
    return _set_movable("open", 0, scene, agent, receptacle, place)


@schema
def toggle_on_location(scene: Scene, agent: int, place: int) -> Ground | None:
    """Switch a place on."""
    return _set_location("toggled", 1, scene, agent, place)


@schema
def toggle_off_location(scene: Scene, agent: int, place: int) -> Ground | None:
    """Switch a place off."""
    return _set_location("toggled", 0, scene, agent, place)


@schema
def toggle_on_movable_at_location(scene: Scene, agent: int, number: int, place: int) -> Ground | None:
    """Switch an object on."""
    return _set_movable("toggled", 1, scene, agent, number, place)


@schema
def toggle_off_movable_at_location(scene: Scene, agent: int, number: int, place: int) -> Ground | None:
    """Switch an object off."""
    return _set_movable("toggled", 0, scene, agent, number, place)


def _treat(
    verb: str, scene: Scene, agent: int, number: int, place: int, ability: str, effects: Pairs
) -> Ground | None:
    if scene.names[place] not in table()["appliances"][verb] or ability not in scene.kinds[number].abilities:
        return None
    hand_free = (scene.held(agent), NOTHING)
    here = ((scene.at(agent), place), hand_free, *_access(scene, number, place), _is(place, "toggled"))
    return Ground(here, effects)


@schema
def heat_obj(scene: Scene, agent: int, number: int, place: int) -> Ground | None:
    """Heat food in a running microwave or oven or on a running stove, which then goes off."""
    effects = (_is(number, "cooked"), _is(number, "frozen", 0), _is(place, "toggled", 0))
    return _treat("heat", scene, agent, number, place, "cookable", effects)


@schema
def cool_obj(scene: Scene, agent: int, number: int, place: int) -> Ground | None:
    """Cool food in the running refrigerator."""
    effects = (_is(number, "frozen"), _is(number, "cooked", 0))
    return _treat("cool", scene, agent, number, place, "freezable", effects)


@schema
def soak_obj(scene: Scene, agent: int, number: int, place: int) -> Ground | None:
    """Soak an object in the running sink, which then goes off."""
    effects = (_is(number, "soaked"), _is(place, "toggled", 0))
    return _treat("soak", scene, agent, number, place, "soakable", effects)


@schema
def slice_obj(scene: Scene, agent: int, number: int, knife: int, place: int) -> Ground | None:
    """Slice food on the place with the knife in hand."""
    if scene.kinds[knife].name != "knife" or "sliceable" not in scene.kinds[number].abilities:
        return None
    if scene.kinds[place].relation != "ontop" or _movable(scene, place):
        return None
    here = ((scene.at(agent), place), (scene.held(agent), knife), (number * STRIDE, place))
    return Ground(here, (_is(number, "sliced"),))


def _clean(scene: Scene, agent: int, target: int, tool: int, place: int, reach: Pairs) -> Ground | None:
    if scene.kinds[tool].name not in scene.kinds[target].cleaned_by:
        return None
    wet = (_is(tool, "soaked"),) if "soakable" in scene.kinds[tool].abilities else ()
    here = ((scene.at(agent), place), (scene.held(agent), tool))
    return Ground((*here, *wet, *reach), (_is(target, "dusty", 0), _is(target, "stained", 0)))


@schema
def clean_obj_at_location(scene: Scene, agent: int, number: int, tool: int, place: int) -> Ground | None:
    """Clean an object at the place with the tool in hand, soaked if it is a cloth."""
    if not _movable(scene, number):
        return None
    return _clean(scene, agent, number, tool, place, _access(scene, number, place))


@schema
def clean_location(scene: Scene, agent: int, tool: int, place: int) -> Ground | None:
    """Clean the place itself with the tool in hand."""
    return None if _movable(scene, place) else _clean(scene, agent, place, tool, place, ())


@schema
def bring_to_human(scene: Scene, agent: int, number: int) -> Ground | None:
    """The robot, in front of the human, hands over what it holds."""
    if agent != ROBOT:
        return None
    here = ((scene.at(ROBOT), HUMAN_PLACE), (scene.held(ROBOT), number))
    given = ((number * STRIDE, scene.hand(HUMAN)), (scene.held(ROBOT), NOTHING), (scene.held(HUMAN), number))
    return Ground(here, given)


@schema
def take_from_human(scene: Scene, agent: int, number: int) -> Ground | None:
    """The robot, in front of the human, takes what the human holds."""
    if agent != ROBOT:
        return None
    here = ((scene.at(ROBOT), HUMAN_PLACE), (scene.held(ROBOT), NOTHING))
    taken = ((number * STRIDE, scene.hand(ROBOT)), (scene.held(ROBOT), number), (scene.held(HUMAN), NOTHING))
    return Ground((*here, (number * STRIDE, scene.hand(HUMAN))), taken)


def simulate(world: World, actions: Iterable[Action], agent: int = HUMAN) -> int | None:
    """Do actions in order; return the position of the first that is impossible, or None if all were done."""
    for position, action in enumerate(actions):
        if not perform(world, agent, action):
            return position
    return None
