"""What a sub-goal is, and when it is reached."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from housemates.benchmarks.alfred.world.dynamics import LOOK_DEG, AlfredWorld
from housemates.home.navigation import Pose, pose_of
from housemates.home.routes import Routes

CLOSE = 3
"""A place is reached when the pose of the demonstration is fewer actions away than this."""


class Target(NamedTuple):
    """What a sub-goal asks for."""

    kind: str
    thing: str = ""
    place: str = ""
    pose: Pose | None = None
    """Where the demonstration stands afterwards."""


def reached(target: Target, world: AlfredWorld) -> bool:
    """Whether a sub-goal is."""
    return CHECKS[target.kind](world, target)


def _arrived(world: AlfredWorld, target: Target) -> bool:
    """Whether the pose of the demonstration is less than three actions away."""
    here, there = pose_of(world.home.agent), target.pose
    if there is None or abs(here.x - there.x) + abs(here.z - there.z) >= CLOSE:
        return False
    ways = Routes(world.home, LOOK_DEG)
    return ways.reaches(there) and ways.length(there) < CLOSE


def _inside(world: AlfredWorld, target: Target) -> bool:
    thing = world.home.things.get(target.thing)
    return thing is not None and any(other.id == target.place for other in world.home.ancestors(thing))


def _is(world: AlfredWorld, name: str, state: str) -> bool:
    thing = world.home.things.get(name)
    return thing is not None and bool(getattr(thing, state))


CHECKS: dict[str, Callable[[AlfredWorld, Target], bool]] = {
    "GotoLocation": _arrived,
    "PickupObject": lambda world, target: world.home.agent.held == target.thing,
    "PutObject": _inside,
    "CoolObject": lambda world, target: target.thing in world.marks.cooled,
    "HeatObject": lambda world, target: target.thing in world.marks.heated,
    "CleanObject": lambda world, target: target.thing in world.marks.cleaned,
    "SliceObject": lambda world, target: _is(world, target.thing, "sliced"),
    "ToggleObject": lambda world, target: _is(world, target.place, "on"),
}
"""When each kind of sub-goal is reached, in the paper's order."""
TITLES = {kind: kind.removesuffix("Object").removesuffix("Location") for kind in CHECKS}
"""What the paper calls them."""
