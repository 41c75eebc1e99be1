"""Subplans with heat: toasting, microwaving, frying and boiling."""

from __future__ import annotations

from collections.abc import Iterator

from housemates.agents.teach.planning.state import PlanningState, Steps
from housemates.agents.teach.planning.steps import OpenCondition, PlannedStep
from housemates.agents.teach.planning.water import rinse
from housemates.home.recipes import BOILING, FRYING, MICROWAVING, STEAMING, TOASTING
from housemates.home.things import Thing

DISHES = ("Plate", "Bowl")
COOKED = ("isCooked", "simbotIsCooked")
POTS = (*BOILING.vessels, *STEAMING.vessels)
"""What water is boiled in: on the stove, or else in the microwave."""


def cook(state: PlanningState, thing: Thing, condition: OpenCondition) -> Steps:
    """Heat food: bread slices in a toaster, all else in a microwave or in a pan on the stove."""
    for steps in _ways(state, thing):
        if steps and state.possible(steps):
            return steps
    return []


def _ways(state: PlanningState, food: Thing) -> Iterator[Steps]:
    for toaster in state.of_types(TOASTING.at) if food.type in TOASTING.of else ():
        yield _heat_in(state, food, food, toaster, toaster)
    for oven in state.of_types(MICROWAVING.at):
        yield _in_its_dish(state, food, oven)
        yield _microwave(state, food, food, oven)
    for pan in _pans(state, food, FRYING.vessels):
        yield _on_stove(state, food, pan)


def boil(state: PlanningState, thing: Thing, condition: OpenCondition) -> Steps:
    """Cook a thing in a vessel full of liquid: a pot on the stove, or a bowl in the microwave."""
    for vessel in _pans(state, thing, POTS):
        ways = []
        if not vessel.liquid:
            ways.append(rinse(state, vessel))
        elif vessel.type in BOILING.vessels:
            ways.append(_on_stove(state, thing, vessel))
        elif state.holder(thing, vessel.type) is not vessel:
            ways.append(state.move(thing, vessel))
        else:
            ways += [_microwave(state, thing, vessel, oven) for oven in state.of_types(STEAMING.at)]
        for steps in ways:
            if steps and state.possible(steps):
                return steps
    return []


def _pans(state: PlanningState, food: Thing, kinds: tuple[str, ...]) -> list[Thing]:
    """Vessels of these types, the one that the food is in first, then those that are ready."""
    there = state.holder(food, *kinds)

    def readiness(pan: Thing) -> tuple[bool, int, bool, bool]:
        on_stove = state.holder(pan, FRYING.at) is not None
        return pan is not there, kinds.index(pan.type), not pan.liquid, not on_stove

    return sorted(state.of_types(*kinds), key=readiness)


def _heat_in(state: PlanningState, food: Thing, load: Thing, machine: Thing, switch: Thing) -> Steps:
    """Put a load into a machine and switch it on and off; a running machine heats at once."""
    on = [PlannedStep("ToggleOn", switch.id, food.id), PlannedStep("ToggleOff", switch.id, optional=True)]
    if state.holder(load, machine.type) is machine:
        return [*([PlannedStep("ToggleOff", switch.id)] if switch.on else []), *on]
    steps = state.move(load, machine)
    if steps and steps[-1].place == machine.id and not switch.on:
        steps += on
    return steps


def _in_its_dish(state: PlanningState, food: Thing, oven: Thing) -> Steps:
    """Cook food in the dish where it belongs, with all that belongs there.

    Empty if there is no such dish, it does not go into the oven, or some of the food is in there without it.
    """
    dish = _dish_of(state, food)
    if dish is None or PlannedStep("Place", dish.id, oven.id) in state.avoid:
        return []
    foods = [food, *(each for each in _to_be_cooked(state) if _dish_of(state, each) is dish)]
    outside = [each for each in foods if state.holder(each, dish.type) is not dish]
    if any(state.holder(each, oven.type) is oven for each in outside):
        return []
    if state.holder(dish, oven.type) is not oven and not state.has_room(oven, dish):
        return []
    if dish.dirty:
        return rinse(state, dish)
    if outside:
        return state.move(outside[0], dish)
    steps = _microwave(state, food, dish, oven)
    more = any(dish.id in condition.places or condition.thing == dish.id for condition in state.conditions)
    if more and steps and steps[-1].action == "Open":
        steps.append(PlannedStep("Pickup", dish.id, optional=True))
    return steps


def _dish_of(state: PlanningState, food: Thing) -> Thing | None:
    """The dish that the food is in, or is to be in."""
    places = [
        name for condition in state.conditions if condition.thing == food.id for name in condition.places
    ]
    held_by = [*(state.thing(name) for name in places), *state.home.ancestors(food)]
    return next((place for place in held_by if place.can("pickup") and place.type in DISHES), None)


def _microwave(state: PlanningState, food: Thing, load: Thing, oven: Thing) -> Steps:
    """Put everything that is to be cooked into the oven, then close it and switch it on and off."""
    if state.holder(load, oven.type) is not oven:
        return state.move(load, oven)
    more = _more_to_cook(state, food, oven)
    if more is not None and load is food:
        steps = state.move(more, oven)
        if steps and state.possible(steps):
            return steps
    closing = [PlannedStep("Close", oven.id)] if oven.open else []
    return [
        *closing,
        PlannedStep("ToggleOn", oven.id, food.id),
        PlannedStep("ToggleOff", oven.id, optional=True),
        PlannedStep("Open", oven.id, optional=True),
    ]


def _to_be_cooked(state: PlanningState) -> list[Thing]:
    """All that is to be cooked."""
    return [state.thing(condition.thing) for condition in state.conditions if condition.property in COOKED]


def _more_to_cook(state: PlanningState, food: Thing, place: Thing) -> Thing | None:
    """Something else that is to be cooked and still fits into a place."""
    for other in _to_be_cooked(state):
        if other.type != food.type or other is food or place in state.home.ancestors(other):
            continue
        if state.has_room(place, other):
            return other
    return None


def _on_stove(state: PlanningState, food: Thing, pan: Thing) -> Steps:
    """Put a pan on a burner, the food into it, and switch the burner on and off."""
    burner = state.holder(pan, FRYING.at)
    if burner is None:
        return _onto_burner(state, pan)
    if state.holder(food, pan.type) is not pan:
        return state.move(food, pan)
    more = _more_to_cook(state, food, pan)
    if more is not None:
        steps = state.move(more, pan)
        if steps and state.possible(steps):
            return steps
    for knob in state.of_types(FRYING.switch):
        if burner.id in knob.controls:
            steps = _heat_in(state, food, pan, burner, knob)
            if state.possible(steps):
                return steps
    return state.clear(burner)


def _onto_burner(state: PlanningState, pan: Thing) -> Steps:
    """Put a pan on a burner that has a knob: a free one, else one that is cleared first."""
    knobs = state.of_types(FRYING.switch)
    burners = [
        burner for burner in state.of_types(FRYING.at) if any(burner.id in knob.controls for knob in knobs)
    ]
    free = [burner for burner in burners if state.has_room(burner, pan)]
    for burner in (*free, *(each for each in burners if each not in free)):
        steps = state.move(pan, burner)
        if steps and state.possible(steps):
            return steps
    return []
