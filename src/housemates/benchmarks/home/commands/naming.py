"""Finding the thing that a person means by a few words."""

from __future__ import annotations

import math

from housemates.errors import HousematesError
from housemates.home import Thing, World
from housemates.home.geometry import in_reach, in_view


def find_thing(world: World, words: str) -> Thing:
    """The thing a person most likely means: what can be used from here first, then the nearest.

    `words` are an id, a type or a part of its name: `mug`, `dining table`, `table`.
    """
    for name, thing in world.things.items():
        if name.lower() == words.lower():
            return thing
    wanted = words.lower().replace(" ", "").removeprefix("the")
    found = [thing for thing in world.things.values() if thing.solid and wanted in thing.type.lower()]
    if not wanted or not found:
        raise HousematesError(f"There is no {words!r} here.")
    return min(found, key=lambda thing: _unlikeliness(world, thing, wanted))


def _unlikeliness(world: World, thing: Thing, wanted: str) -> tuple[bool, bool, float, str]:
    usable = world.in_hand(thing) or (
        world.enclosing(thing) is None and in_reach(world.agent, thing) and in_view(world.agent, thing)
    )
    distance = math.dist(world.in_world(thing).position, world.agent.position)
    return not usable, thing.type.lower() != wanted, distance, thing.id
