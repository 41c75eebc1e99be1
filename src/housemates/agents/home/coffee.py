"""A scripted agent that knows its way about a kitchen: it walks, tidies its way free and makes coffee."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from housemates.core.outcome import spoken
from housemates.errors import HousematesError
from housemates.home import Outcome, Thing, World, act
from housemates.home.geometry import visible
from housemates.home.navigation import Pose, agent_at, path, standing_poses
from housemates.home.recipes import BREWING, WASHING

Goal = Callable[[World], bool]


class Attempt(NamedTuple):
    """One action of the agent, and what came of it."""

    action: str
    target: str
    outcome: Outcome


def anything(world: World) -> bool:
    """No further condition: the action has to work."""
    return True


def go_and(
    world: World, action: str, thing: Thing, goal: Goal = anything, **arguments: Any
) -> Iterator[Attempt]:
    """Walk to the nearest pose from which an action works and reaches the goal; then do it."""
    arguments = {"target": thing.id, **arguments}
    for move in way_to(world, action, thing, goal, arguments):
        yield Attempt(move, "", act(world, move))
    yield Attempt(action, thing.id, act(world, action, **arguments))


def way_to(world: World, action: str, thing: Thing, goal: Goal, arguments: Mapping[str, Any]) -> list[str]:
    """The moves to the nearest pose from which an action works, if possible with a clear view."""
    poses = standing_poses(world, thing)
    for candidates in (set(poses[: len(poses) // 2]), set(poses)):
        moves = path(world, partial(_good_pose, world, candidates, action, arguments, goal))
        if moves is not None:
            return moves
    raise HousematesError(f"{action}: the {spoken(thing.type)} cannot be used from anywhere.")


def _good_pose(
    world: World, among: set[Pose], action: str, arguments: Mapping[str, Any], goal: Goal, pose: Pose
) -> bool:
    """Whether a pose is one of those and the action would succeed there and reach the goal."""
    if pose not in among:
        return False
    before = world.snapshot()
    world.agent = agent_at(world.agent, pose)
    worked = act(world, action, **arguments).success and goal(world)
    world.restore(before)
    return worked


def seen(thing: Thing) -> Goal:
    """The goal of having an object in view."""
    return lambda world: visible(world, world.agent, world.things[thing.id])


def fetch(world: World, thing: Thing) -> Iterator[Attempt]:
    """Take a thing into the hand, opening and closing again what it is shut in."""
    shut = world.enclosing(thing)
    if shut is not None:
        yield from go_and(world, "Open", shut)
    yield from go_and(world, "Pickup", world.things[thing.id])
    if shut is not None:
        yield from go_and(world, "Close", world.things[shut.id])


def wash(world: World, thing: Thing, basin: Thing) -> Iterator[Attempt]:
    """Rinse the held thing under the faucet and take it out again, empty."""
    faucet = next(each for each in world.of_type(WASHING.switch) if basin.id in each.controls)
    if faucet.on:
        yield from go_and(world, "ToggleOff", faucet)
    yield from go_and(world, "Place", basin, seen(thing), at=basin.position)
    yield from go_and(world, "ToggleOn", faucet, lambda after: not after.things[thing.id].dirty)
    yield from go_and(world, "ToggleOff", faucet)
    yield from go_and(world, "Pickup", world.things[thing.id])
    if world.things[thing.id].liquid:
        yield from go_and(world, "Pour", basin)


def make_coffee(world: World) -> Iterator[Attempt]:
    """Bring a clean mug of coffee to the table; each action is yielded as it is done."""
    machine = _first(world, BREWING.at)
    basin = _first(world, WASHING.at)
    table = _first(world, "DiningTable", "CounterTop")
    there = world.contents(machine)
    mug = there[0] if there else _nearest(world, BREWING.vessels[0])
    yield from fetch(world, mug)
    if world.things[mug.id].liquid:
        yield from go_and(world, "Pour", basin)
    if world.things[mug.id].dirty:
        yield from wash(world, mug, basin)
    if world.things[machine.id].on:
        yield from go_and(world, "ToggleOff", machine)
    yield from go_and(world, "Place", machine)
    yield from go_and(world, "ToggleOn", machine)
    yield from go_and(world, "ToggleOff", machine)
    yield from go_and(world, "Pickup", world.things[mug.id])
    yield from go_and(world, "Place", table, seen(mug))


def _first(world: World, *types: str) -> Thing:
    for name in types:
        found = world.of_type(name)
        if found:
            return found[0]
    raise HousematesError(f"{world.scene.id}: there is no {spoken(types[0])} to make coffee with.")


def _nearest(world: World, kind: str) -> Thing:
    """The thing of a type that is quickest to take hold of: clean ones in the open first."""
    found = world.of_type(kind)
    if not found:
        raise HousematesError(f"{world.scene.id}: there is no {spoken(kind)} to make coffee with.")
    return min(found, key=lambda thing: (world.enclosing(thing) is not None, thing.dirty, thing.id))
