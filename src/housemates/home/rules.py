"""What follows by itself after somebody has touched something: heat, water, coffee, cold.

Each rule is a small function that yields the things it changes and how. Rules run in the order in
which they stand here, after every attempt to touch something, successful or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from housemates.home.geometry import in_reach, in_view
from housemates.home.things import Thing
from housemates.home.types import object_types
from housemates.home.world import World

Changes = Iterator[tuple[Thing, dict[str, Any]]]
WARM_STEPS = 10
"""How many steps a thing keeps its temperature away from what heats or cools it."""


class Event(NamedTuple):
    """What was just tried."""

    action: str
    target: str
    success: bool


Rule = Callable[[World, Event], Changes]
RULES: list[Rule] = []


def rule(function: Rule) -> Rule:
    """Enter a function into the list of rules."""
    RULES.append(function)
    return function


def follow(world: World, action: str, target: str, success: bool) -> None:
    """Apply every rule once."""
    event = Event(action, target, success)
    for each in RULES:
        for thing, changes in list(each(world, event)):
            world.update(thing, **changes)


@rule
def knobs_heat_their_burners(world: World, event: Event) -> Changes:
    """A burner is hot while one of its knobs is on."""
    burners = world.of_type("StoveBurner")
    if not burners:
        return
    hot = {name for knob in world.of_type("StoveKnob") if knob.on for name in knob.controls}
    for burner in burners:
        temperature = "Hot" if burner.id in hot else "RoomTemp"
        if burner.temperature != temperature:
            yield burner, {"temperature": temperature}


@cache
def _heaters() -> tuple[str, ...]:
    """The types that can heat what they hold."""
    return (*(name for name, kind in object_types().items() if kind.heats), "StoveBurner")


def _heating(thing: Thing) -> bool:
    return (thing.on and thing.kind.heats) or (thing.type == "StoveBurner" and thing.temperature == "Hot")


@rule
def heat_cooks_and_warms(world: World, event: Event) -> Changes:
    """Whatever is in a running oven or toaster, or on a hot burner, gets hot, and cooked if it can be."""
    sources = {thing.id for name in _heaters() for thing in world.of_type(name) if _heating(thing)}
    for thing in world.things.values() if sources else ():
        if not sources.isdisjoint(thing.parents):
            cooked = thing.cooked or thing.kind.can("cook")
            if thing.temperature != "Hot" or thing.warm_until or cooked != thing.cooked:
                yield thing, {"temperature": "Hot", "warm_until": 0, "cooked": cooked}


@rule
def cold_places_cool(world: World, event: Event) -> Changes:
    """What is in a fridge is cold."""
    for source in world.of_type("Fridge"):
        for thing in world.contents_deep(source):
            if thing.temperature != "Cold" or thing.warm_until:
                yield thing, {"temperature": "Cold", "warm_until": 0}


@rule
def temperature_wears_off(world: World, event: Event) -> Changes:
    """Away from what heats or cools it, a thing soon has the temperature of the room."""
    for thing in world.things.values():
        if thing.temperature == "RoomTemp" or thing.type == "StoveBurner":
            continue
        if thing.warm_until:
            if world.tick >= thing.warm_until:
                yield thing, {"temperature": "RoomTemp", "warm_until": 0}
        elif not any(
            _heating(world.things[name]) or world.things[name].kind.temperature for name in thing.parents
        ):
            yield thing, {"warm_until": world.tick + WARM_STEPS}


@rule
def coffee_fills_an_empty_mug(world: World, event: Event) -> Changes:
    """A coffee machine that is switched on, or is running when a mug is put in, fills an empty mug."""
    if not event.success or event.action not in ("ToggleOn", "Place"):
        return
    machine = world.things.get(event.target)
    if machine is not None and machine.type == "CoffeeMachine" and machine.on:
        for mug in world.contents(machine):
            if mug.kind.can("fill") and not mug.liquid:
                yield mug, {"liquid": "coffee"}


@rule
def running_water_rinses_and_fills(world: World, event: Event) -> Changes:
    """A running faucet cleans and fills whatever stands in its basin, in the agent's reach and view."""
    for faucet in world.of_type("Faucet"):
        if not faucet.on:
            continue
        for name in faucet.controls:
            basin = world.things[name]
            if not basin.liquid:
                yield basin, {"liquid": "water"}
            for thing in world.contents_deep(basin):
                changes: dict[str, Any] = {}
                if thing.dirty:
                    changes["dirty"] = False
                if thing.kind.can("fill") and not thing.liquid:
                    changes["liquid"] = "water"
                if changes and in_reach(world.agent, thing) and in_view(world.agent, thing):
                    yield thing, changes


@rule
def basins_drain(world: World, event: Event) -> Changes:
    """Water stands in a basin only while a faucet runs into it."""
    faucets = world.of_type("Faucet")
    running = {name for faucet in faucets if faucet.on for name in faucet.controls}
    for name in dict.fromkeys(name for faucet in faucets for name in faucet.controls):
        if name not in running and world.things[name].liquid:
            yield world.things[name], {"liquid": ""}
