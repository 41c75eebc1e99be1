"""Subplans: for each property, a function from an open condition to the next steps towards it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from housemates.agents.teach.planning import cooking
from housemates.agents.teach.planning.role_assignment import assign_roles
from housemates.agents.teach.planning.state import PlanningState, Steps
from housemates.agents.teach.planning.steps import CUT, INSIDE, OpenCondition, PlannedStep
from housemates.agents.teach.planning.water import empty, rinse
from housemates.benchmarks.teach.tasks.tdl.bound import BoundTask
from housemates.benchmarks.teach.world.dynamics import TeachWorld
from housemates.home.recipes import BREWING
from housemates.home.things import Thing


@dataclass(frozen=True)
class Subplan:
    """Steps in a row, and the open condition that they serve."""

    condition: OpenCondition
    steps: tuple[PlannedStep, ...]


def closing_steps(world: TeachWorld) -> list[PlannedStep]:
    """Steps that close open doors and drawers, the nearest first."""
    state = PlanningState(world)
    return [
        PlannedStep("Close", thing.id)
        for thing in state.sorted(world.home.things.values())
        if thing.open and thing.can("open") and not thing.can("pickup")
    ]


def next_subplan(task: BoundTask, world: TeachWorld, avoid: Collection[PlannedStep] = ()) -> Subplan | None:
    """The next steps for a task; None if no condition is open, or none can be achieved.

    Args:
        task: What is asked.
        world: The home as it is.
        avoid: Steps that are known to be impossible; other objects and places are tried instead.
    """
    conditions = assign_roles(task, world, avoid)
    state = PlanningState(world, conditions, avoid)
    possible = [condition for condition in conditions if condition.property in ACHIEVERS]
    for condition in sorted(possible, key=lambda each: not _at_hand(state, each)):
        steps = _smooth(ACHIEVERS[condition.property](state, state.thing(condition.thing), condition))
        if steps and state.possible(steps):
            return Subplan(condition, tuple(steps))
    return None


def _at_hand(state: PlanningState, condition: OpenCondition) -> bool:
    """Whether only the object in the hand is left to be put where it belongs."""
    if condition.property != INSIDE or condition.thing != state.home.agent.held:
        return False
    others = [each for each in state.conditions if each.property != INSIDE]
    return all(each.thing != condition.thing and each.thing not in condition.places for each in others)


def _smooth(steps: Steps) -> Steps:
    """The steps without needless opening and closing."""
    kept: Steps = []
    for number, step in enumerate(steps):
        if step.optional and step.action == "Close" and PlannedStep("Open", step.thing) in steps[number:]:
            continue
        if step.action == "Open" and step in kept and PlannedStep("Close", step.thing) not in kept:
            continue
        kept.append(step)
    return kept


def bring(state: PlanningState, thing: Thing, condition: OpenCondition) -> Steps:
    """Put an object where it belongs: into the nearest such place with room, or make room in one."""
    places = state.sorted(state.thing(name) for name in condition.places)
    held = state.home.agent.held
    roomy = [place for place in places if place.id == held or state.has_room(place, thing)]
    for place in roomy:
        steps = state.lay_out(place) or state.move(thing, place)
        if steps:
            return steps
    return next((steps for place in places if place not in roomy and (steps := state.clear(place))), [])


def cut(state: PlanningState, thing: Thing, condition: OpenCondition) -> Steps:
    """Slice an object with a knife in the open; in its place if all else fails."""
    slicing = PlannedStep("Slice", thing.id)
    if slicing in state.avoid or state.home.in_hand(thing):
        return [*state.take(thing), *state.set_down(thing)]
    steps = state.lay_out(thing)
    if steps:
        return steps
    knives = state.sorted(each for each in state.home.things.values() if each.kind.cuts)
    for knife in knives:
        steps = [*state.take(knife), *state.open_up(thing), slicing]
        if state.possible(steps):
            return steps
    return []


def clean(state: PlanningState, thing: Thing, condition: OpenCondition) -> Steps:
    """Wash an object in a sink."""
    return rinse(state, thing)


def water(state: PlanningState, thing: Thing, condition: OpenCondition) -> Steps:
    """Fill a plant from a vessel that holds something, or fill such a vessel first."""
    vessels = [each for each in state.home.things.values() if each.can("pickup") and each.can("fill")]
    for vessel in sorted(state.sorted(vessels), key=lambda each: not each.liquid):
        steps = rinse(state, vessel)
        if vessel.liquid:
            steps = [*state.take(vessel), PlannedStep("Pour", vessel.id, thing.id)]
        if steps and state.possible(steps):
            return steps
    return []


def brew(state: PlanningState, thing: Thing, condition: OpenCondition) -> Steps:
    """Fill an empty mug with coffee."""
    if thing.liquid:
        return empty(state, thing)
    for machine in state.of_types(BREWING.at):
        on = [
            PlannedStep("ToggleOn", machine.id, thing.id),
            PlannedStep("ToggleOff", machine.id, optional=True),
        ]
        if state.holder(thing, machine.type) is machine:
            steps = [*([PlannedStep("ToggleOff", machine.id)] if machine.on else []), *on]
        else:
            steps = state.move(thing, machine)
            if steps and steps[-1].place == machine.id and not machine.on:
                steps += on
        if steps and state.possible(steps):
            return steps
    return []


def switch(state: PlanningState, thing: Thing, condition: OpenCondition) -> Steps:
    """Switch an object on or off."""
    return [*state.open_up(thing), PlannedStep("ToggleOn" if condition.value else "ToggleOff", thing.id)]


def swing(state: PlanningState, thing: Thing, condition: OpenCondition) -> Steps:
    """Open or close an object."""
    return [*state.open_up(thing), PlannedStep("Open" if condition.value else "Close", thing.id)]


ACHIEVERS: dict[str, Callable[[PlanningState, Thing, OpenCondition], Steps]] = {
    CUT: cut,
    INSIDE: bring,
    "isDirty": clean,
    "isFilledWithLiquid": water,
    "simbotIsFilledWithCoffee": brew,
    "isCooked": cooking.cook,
    "simbotIsCooked": cooking.cook,
    "simbotIsBoiled": cooking.boil,
    "isToggled": switch,
    "isOpen": swing,
}
"""Property -> the function that plans for it."""
