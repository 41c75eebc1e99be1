"""A home as a PDDL problem: its things by AI2-THOR's ids, a place to stand before each receptacle."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from housemates.files import shipped
from housemates.home.things import Thing
from housemates.home.types import object_type, object_types
from housemates.home.world import World

_SIGNS = (("|", "_bar_"), ("-", "_minus_"), ("+", "_plus_"), (".", "_dot_"), (",", "_comma_"))
START = "loc_bar_0_bar_0_bar_0_bar_30"
NO_RECEPTACLE = ("Floor", "Chair", "Footstool", "Mirror", "Window", "Television", "LaundryHamper")
"""What things may lie on in the home, but no text speaks of as a place."""
ABLE = {"pickup": "pickupable", "slice": "sliceable"}


def mangled(name: str) -> str:
    """An id as PDDL can have it; a basin is named after what it is of, as in AI2-THOR."""
    kind, _, rest = name.partition("|")
    if kind.endswith("Basin"):
        name = f"{kind.removesuffix('Basin')}|{rest}|{kind}"
    for sign, word in _SIGNS:
        name = name.replace(sign, word)
    return name


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
    return thing.can("receptacle") and not movable and bool(takes(thing.type))


def _is_thing(thing: Thing) -> bool:
    return thing.can("pickup") or thing.type.endswith("Lamp")


def takes(place: str) -> list[str]:
    """The types of things that are kept in a type of receptacle."""
    return sorted(name for name in object_types() if fits(name, place))


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


def problem(world: World, goals: Sequence[str], name: str) -> str:
    """The problem of a home and its goals."""
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
        facts += [f"(canContain {place_kind}Type {kind}Type)" for kind in kinds if fits(kind, place_kind)]
    objects += [f"{kind}Type - otype" for kind in kinds]
    return "\n".join(
        [
            f"(define (problem {mangled(name)})",
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
