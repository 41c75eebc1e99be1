"""Hand-written logic for each kind of problem key of a Progress Check, as the paper's appendix E has it.

Algorithm 1 there gets hold of an object: go to it; if it is inside something shut, switch that off, open it,
pick the object up and close it again. The others begin in the same way. What is nearest is taken, and nothing
is tried beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from housemates.home.containment import is_shut
from housemates.home.geometry import nearest_distance
from housemates.home.kinds import BASINS
from housemates.home.recipes import WASHING
from housemates.home.things import Thing
from housemates.home.world import World

SURFACES = ("CounterTop", "DiningTable", "SideTable", "Desk", "CoffeeTable", "Bed", "Sofa")
"""Where something is laid aside that is in the hand, the first of them that there is."""
KNIVES = ("Knife", "ButterKnife")
VESSELS = ("Cup", "Mug", "Bowl", "Pot", "Bottle", "Kettle")
POTS = ("Pot", "Pan", "Bowl")


class Interaction(NamedTuple):
    """An interaction that is to be instructed, with the object to be clicked."""

    action: str
    target: str


Steps = list[Interaction]


def nearest(home: World, *types: str) -> Thing | None:
    """The nearest object of the first of these types that there is."""
    for name in types:
        there = [thing for thing in home.of_type(name) if thing.solid]
        if there:
            return min(there, key=lambda thing: (nearest_distance(thing, home.agent.position), thing.id))
    return None


def fetch(home: World, thing: Thing) -> Steps:
    """Algorithm 1: get hold of an object; what is in the hand is laid aside first."""
    held = home.held
    if held is not None and held.id == thing.id:
        return []
    aside = nearest(home, *SURFACES) if held is not None else None
    steps = [Interaction("Place", aside.id)] if aside is not None else []
    parent = home.enclosing(thing)
    if parent is None:
        return [*steps, Interaction("Pickup", thing.id)]
    off = [Interaction("ToggleOff", parent.id)] if parent.on else []
    taken = [Interaction("Open", parent.id), Interaction("Pickup", thing.id), Interaction("Close", parent.id)]
    return [*steps, *off, *taken]


def put(home: World, thing: Thing, wanted: Any) -> Steps:
    """`parentReceptacles`: bring an object to the nearest receptacle of the wanted class."""
    classes = (str(wanted), f"{wanted}Basin")
    fitting = {
        each.type for each in home.things.values() if not {*each.kind.classes, each.type}.isdisjoint(classes)
    }
    places = [place for name in sorted(fitting) if (place := nearest(home, name)) and place.id != thing.id]
    if not places:
        return []
    place = min(places, key=lambda each: nearest_distance(each, home.agent.position))
    opening = [Interaction("Open", place.id)] if is_shut(place) else []
    return [*fetch(home, thing), *opening, Interaction("Place", place.id)]


def rinse(home: World, thing: Thing, wanted: Any = None) -> Steps:
    """`isDirty`, and filling with water: into the nearest basin, the faucet on and off, and out of it."""
    basin = nearest(home, *BASINS)
    faucets = [
        each for each in home.of_type(WASHING.switch) if basin is not None and basin.id in each.controls
    ]
    if basin is None or not faucets:
        return []
    (faucet, *_) = faucets
    there = thing.parents[:1] == (basin.id,)
    brought = [] if there else [*fetch(home, thing), Interaction("Place", basin.id)]
    on_off = [Interaction("ToggleOn", faucet.id), Interaction("ToggleOff", faucet.id)]
    return [*brought, *on_off, Interaction("Pickup", thing.id)]


def water(home: World, thing: Thing, wanted: Any) -> Steps:
    """`isFilledWithLiquid`: a vessel is filled itself; anything else is poured into from a filled vessel."""
    if thing.kind.can("pickup"):
        return rinse(home, thing)
    vessel = nearest(home, *VESSELS)
    filled = [] if vessel is None else rinse(home, vessel)
    return [*filled, Interaction("Pour", thing.id)] if filled else []


def coffee(home: World, thing: Thing, wanted: Any) -> Steps:
    """`simbotIsFilledWithCoffee`: under the coffee machine, which is switched on and off again."""
    machine = nearest(home, "CoffeeMachine")
    if machine is None:
        return []
    on_off = [Interaction("ToggleOn", machine.id), Interaction("ToggleOff", machine.id)]
    return [*fetch(home, thing), Interaction("Place", machine.id), *on_off, Interaction("Pickup", thing.id)]


def cut(home: World, thing: Thing, wanted: Any) -> Steps:
    """`objectType`: a knife in the hand, and the object sliced where it is."""
    knife = nearest(home, *KNIVES)
    return [] if knife is None else [*fetch(home, knife), Interaction("Slice", thing.id)]


def cook(home: World, thing: Thing, wanted: Any) -> Steps:
    """`isCooked`: slices of bread into the toaster, all else into the microwave, which is closed for it."""
    toasted = thing.type == "BreadSliced"
    appliance = nearest(home, "Toaster" if toasted else "Microwave")
    if appliance is None:
        return []
    on_off = [Interaction("ToggleOn", appliance.id), Interaction("ToggleOff", appliance.id)]
    placed, taken = Interaction("Place", appliance.id), Interaction("Pickup", thing.id)
    if toasted:
        return [*fetch(home, thing), placed, *on_off, taken]
    shut, opened = Interaction("Close", appliance.id), Interaction("Open", appliance.id)
    first = [opened] if is_shut(appliance) else []
    return [*fetch(home, thing), *first, placed, shut, *on_off, opened, taken, shut]


def boil(home: World, thing: Thing, wanted: Any) -> Steps:
    """`isBoiled`: the nearest pot filled at the basin, onto a burner, and the object into it."""
    pot, burner = nearest(home, *POTS), nearest(home, "StoveBurner")
    if pot is None or burner is None:
        return []
    knobs = [each for each in home.of_type("StoveKnob") if burner.id in each.controls]
    filled = rinse(home, pot)
    if not knobs or not filled:
        return []
    into = [Interaction("Pickup", thing.id), Interaction("Place", pot.id)]
    return [*filled, Interaction("Place", burner.id), *into, Interaction("ToggleOn", knobs[0].id)]


Logic = Callable[[World, Thing, Any], Steps]
LOGIC: Mapping[str, Logic] = MappingProxyType(
    {
        "parentReceptacles": put,
        "isDirty": rinse,
        "isFilledWithLiquid": water,
        "simbotIsFilledWithWater": water,
        "simbotIsFilledWithCoffee": coffee,
        "isBoiled": boil,
        "simbotIsBoiled": boil,
        "isCooked": cook,
        "simbotIsCooked": cook,
        "objectType": cut,
    }
)
"""The problem keys that can be solved, by the names of their properties."""
