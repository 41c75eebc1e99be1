"""A home as a PDDL problem: its things by AI2-THOR's ids, a place to stand before each receptacle."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from housemates.benchmarks.alfworld.world.scenery import mangled
from housemates.files import shipped
from housemates.home.things import Thing
from housemates.home.types import object_type
from housemates.home.world import World

START = "loc_bar_0_bar_0_bar_0_bar_30"
NO_RECEPTACLE = ("Floor", "Chair", "Footstool", "Mirror", "Window", "Television", "LaundryHamper")
"""What things may lie on in the home, but no text speaks of as a place."""
ABLE = {"pickup": "pickupable", "slice": "sliceable"}


def location(number: int) -> str:
    """Where one stands before the receptacle of this number."""
    return f"loc_bar_{number + 1}_bar_0_bar_0_bar_30"


def told_things(world: World) -> tuple[list[Thing], list[Thing]]:
    """The objects and receptacles that a game tells of: objects that lie in or on a receptacle."""
    places = [each for each in world.things.values() if _is_place(each)]
    known = {each.id for each in places}
    things = [each for each in world.things.values() if _is_thing(each) and known.intersection(each.parents)]
    return sorted(things, key=lambda each: each.id), sorted(places, key=lambda each: each.id)


def _is_place(thing: Thing) -> bool:
    kind = thing.kind
    movable = thing.can("pickup") or kind.basin or thing.type in NO_RECEPTACLE
    return thing.can("receptacle") and not movable


def _is_thing(thing: Thing) -> bool:
    return thing.can("pickup") or thing.type.endswith("Lamp")


def fits(thing: str, place: str) -> bool:
    """Whether things of a type may be put into a type of receptacle."""
    kind, holds = object_type(thing), object_type(place).holds
    kept = place in kind.found or thing in _used_in().get(place, ())
    return kept and kind.can("pickup") and (not holds or thing in holds)


@cache
def _used_in() -> dict[str, list[str]]:
    """What is cleaned, heated or cooled in each station, and so may be put there."""
    table = tasks_table()
    return {need["station"]: table["can"][need["able"]] for need in table["needs"].values()}


def tasks_table() -> dict[str, Any]:
    """The table of what can be asked."""
    return shipped(__package__, "tasks.toml")


def problem(world: World, goals: Sequence[str], name: str, asked: Sequence[tuple[str, str]] = ()) -> str:
    """The problem of a home and its goals; what is asked to go somewhere may be put there."""
    things, places = told_things(world)
    can = tasks_table()["can"]
    objects = ["agent1 - agent", f"{START} - location"]
    facts = [f"(atLocation agent1 {START})"]
    number = {place.id: i for i, place in enumerate(places)}
    kinds = sorted({each.type for each in things})
    for place in places:
        here, at = mangled(place.id), location(number[place.id])
        objects += [f"{here} - receptacle", f"{at} - location"]
        facts += [f"(receptacleType {here} {place.type}Type)", f"(receptacleAtLocation {here} {at})"]
        if place.can("open"):
            facts += [f"(openable {here})", *([f"(opened {here})"] if place.open else [])]
    for thing in things:
        here = mangled(thing.id)
        objects.append(f"{here} - object")
        inside = next(each for each in thing.parents if each in number)
        facts += [f"(objectType {here} {thing.type}Type)", f"(inReceptacle {here} {mangled(inside)})"]
        facts.append(f"(objectAtLocation {here} {location(number[inside])})")
        facts += [f"({word} {here})" for affords, word in ABLE.items() if thing.can(affords)]
        facts += [f"({word} {here})" for word, types in can.items() if thing.type in types]
    for place_kind in sorted({each.type for each in places}):
        objects.append(f"{place_kind}Type - rtype")
        held = [kind for kind in kinds if fits(kind, place_kind) or (kind, place_kind) in asked]
        facts += [f"(canContain {place_kind}Type {kind}Type)" for kind in held]
    objects += [f"{kind}Type - otype" for kind in kinds]
    return "\n".join(
        [
            f"(define (problem game_{re.sub('[^a-zA-Z0-9]+', '_', name)})",
            "(:domain alfred)",
            "(:objects",
            *objects,
            ")",
            "(:init",
            *facts,
            ")",
            f"(:goal (and {' '.join(goals)})))",
        ]
    )
