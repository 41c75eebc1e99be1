"""Errands with heat: toasting, microwaving, frying and boiling."""

from __future__ import annotations

from collections.abc import Iterator

from housemates.agents.teach.planning.situation import Situation, Steps
from housemates.agents.teach.planning.steps import Step, Wish
from housemates.agents.teach.planning.water import rinse
from housemates.home.recipes import BOILING, FRYING, MICROWAVING, STEAMING, TOASTING
from housemates.home.things import Thing

DISHES = ("Plate", "Bowl")
COOKED = ("isCooked", "simbotIsCooked")
POTS = (*BOILING.vessels, *STEAMING.vessels)
"""What water is boiled in: on the stove, or else in the microwave."""


def cook(situation: Situation, thing: Thing, wish: Wish) -> Steps:
    """Heat a thing: slices of bread in the toaster, all else in the microwave or in a pan on the stove."""
    for steps in _ways(situation, thing):
        if steps and situation.possible(steps):
            return steps
    return []


def _ways(situation: Situation, food: Thing) -> Iterator[Steps]:
    for toaster in situation.of_types(TOASTING.at) if food.type in TOASTING.of else ():
        yield _heat_in(situation, food, food, toaster, toaster)
    for oven in situation.of_types(MICROWAVING.at):
        yield _in_its_dish(situation, food, oven)
        yield _microwave(situation, food, food, oven)
    for pan in _pans(situation, food, FRYING.vessels):
        yield _on_stove(situation, food, pan)


def boil(situation: Situation, thing: Thing, wish: Wish) -> Steps:
    """Cook a thing in a vessel full of liquid: a pot on the stove, or a bowl in the microwave."""
    for vessel in _pans(situation, thing, POTS):
        ways = []
        if not vessel.liquid:
            ways.append(rinse(situation, vessel))
        elif vessel.type in BOILING.vessels:
            ways.append(_on_stove(situation, thing, vessel))
        elif situation.holder(thing, vessel.type) is not vessel:
            ways.append(situation.move(thing, vessel))
        else:
            ways += [_microwave(situation, thing, vessel, oven) for oven in situation.of_types(STEAMING.at)]
        for steps in ways:
            if steps and situation.possible(steps):
                return steps
    return []


def _pans(situation: Situation, food: Thing, kinds: tuple[str, ...]) -> list[Thing]:
    """Vessels of these types, the one that the food is in first, then those that are ready."""
    there = situation.holder(food, *kinds)

    def readiness(pan: Thing) -> tuple[bool, int, bool, bool]:
        on_stove = situation.holder(pan, FRYING.at) is not None
        return pan is not there, kinds.index(pan.type), not pan.liquid, not on_stove

    return sorted(situation.of_types(*kinds), key=readiness)


def _heat_in(situation: Situation, food: Thing, load: Thing, machine: Thing, switch: Thing) -> Steps:
    """Put a load into a machine and switch it on and off; a running machine heats at once."""
    on = [Step("ToggleOn", switch.id, food.id), Step("ToggleOff", switch.id, optional=True)]
    if situation.holder(load, machine.type) is machine:
        return [*([Step("ToggleOff", switch.id)] if switch.on else []), *on]
    steps = situation.move(load, machine)
    if steps and steps[-1].place == machine.id and not switch.on:
        steps += on
    return steps


def _in_its_dish(situation: Situation, food: Thing, oven: Thing) -> Steps:
    """Cook food in the dish where it belongs, with all that belongs there.

    Empty if there is no such dish, it does not go into the oven, or some of the food is in there without it.
    """
    dish = _dish_of(situation, food)
    if dish is None or Step("Place", dish.id, oven.id) in situation.avoid:
        return []
    foods = [food, *(each for each in _to_be_cooked(situation) if _dish_of(situation, each) is dish)]
    outside = [each for each in foods if situation.holder(each, dish.type) is not dish]
    if any(situation.holder(each, oven.type) is oven for each in outside):
        return []
    if situation.holder(dish, oven.type) is not oven and not situation.has_room(oven, dish):
        return []
    if dish.dirty:
        return rinse(situation, dish)
    if outside:
        return situation.move(outside[0], dish)
    steps = _microwave(situation, food, dish, oven)
    more = any(dish.id in wish.places or wish.thing == dish.id for wish in situation.wishes)
    if more and steps and steps[-1].action == "Open":
        steps.append(Step("Pickup", dish.id, optional=True))
    return steps


def _dish_of(situation: Situation, food: Thing) -> Thing | None:
    """The dish in which the food is, or is wished to be."""
    places = [name for wish in situation.wishes if wish.thing == food.id for name in wish.places]
    held_by = [*(situation.thing(name) for name in places), *situation.home.ancestors(food)]
    return next((place for place in held_by if place.can("pickup") and place.type in DISHES), None)


def _microwave(situation: Situation, food: Thing, load: Thing, oven: Thing) -> Steps:
    """Put everything that is to be cooked into the oven, then close it and switch it on and off."""
    if situation.holder(load, oven.type) is not oven:
        return situation.move(load, oven)
    more = _more_to_cook(situation, food, oven)
    if more is not None and load is food:
        steps = situation.move(more, oven)
        if steps and situation.possible(steps):
            return steps
    closing = [Step("Close", oven.id)] if oven.open else []
    return [
        *closing,
        Step("ToggleOn", oven.id, food.id),
        Step("ToggleOff", oven.id, optional=True),
        Step("Open", oven.id, optional=True),
    ]


def _to_be_cooked(situation: Situation) -> list[Thing]:
    """All that is to be cooked."""
    return [situation.thing(wish.thing) for wish in situation.wishes if wish.property in COOKED]


def _more_to_cook(situation: Situation, food: Thing, place: Thing) -> Thing | None:
    """Something else that is to be cooked and still fits into a place."""
    for other in _to_be_cooked(situation):
        if other.type != food.type or other is food or place in situation.home.ancestors(other):
            continue
        if situation.has_room(place, other):
            return other
    return None


def _on_stove(situation: Situation, food: Thing, pan: Thing) -> Steps:
    """Put a pan on a burner, the food into it, and switch the burner on and off."""
    burner = situation.holder(pan, FRYING.at)
    if burner is None:
        return _onto_burner(situation, pan)
    if situation.holder(food, pan.type) is not pan:
        return situation.move(food, pan)
    more = _more_to_cook(situation, food, pan)
    if more is not None:
        steps = situation.move(more, pan)
        if steps and situation.possible(steps):
            return steps
    for knob in situation.of_types(FRYING.switch):
        if burner.id in knob.controls:
            steps = _heat_in(situation, food, pan, burner, knob)
            if situation.possible(steps):
                return steps
    return situation.clear(burner)


def _onto_burner(situation: Situation, pan: Thing) -> Steps:
    """Put a pan on a burner that has a knob: a free one, else one that is cleared first."""
    knobs = situation.of_types(FRYING.switch)
    burners = [
        burner
        for burner in situation.of_types(FRYING.at)
        if any(burner.id in knob.controls for knob in knobs)
    ]
    free = [burner for burner in burners if situation.has_room(burner, pan)]
    for burner in (*free, *(each for each in burners if each not in free)):
        steps = situation.move(pan, burner)
        if steps and situation.possible(steps):
            return steps
    return []
