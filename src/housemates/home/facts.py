"""The state of a home in words, thing by thing."""

from __future__ import annotations

from housemates.core.outcome import spoken
from housemates.home.things import Thing
from housemates.home.world import World

FLAGS = ("open", "on", "dirty", "cooked", "sliced", "broken", "used_up")


def facts(home: World) -> dict[str, str]:
    """Where each thing is and what is special about it."""
    return {name: ", ".join([*_place(home, thing), *states(thing)]) for name, thing in home.things.items()}


def states(thing: Thing) -> list[str]:
    """The states of a thing that are worth telling."""
    told = [flag.replace("_", " ") for flag in FLAGS if getattr(thing, flag)]
    if thing.liquid:
        told.append(f"full of {thing.liquid}")
    if thing.temperature != "RoomTemp":
        told.append(thing.temperature.lower())
    return told


def _place(home: World, thing: Thing) -> list[str]:
    if thing.id == home.agent.held:
        return ["in the hand"]
    return [f"at the {spoken(home.things[thing.parents[0]].type)}"] if thing.parents else []
