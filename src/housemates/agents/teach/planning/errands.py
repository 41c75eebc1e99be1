"""From a wish to the next steps that bring it nearer: one small function for each property."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from housemates.agents.teach.planning import cooking
from housemates.agents.teach.planning.role_assignment import cast
from housemates.agents.teach.planning.situation import Situation, Steps
from housemates.agents.teach.planning.steps import CUT, INSIDE, Step, Wish
from housemates.agents.teach.planning.water import empty, rinse
from housemates.benchmarks.teach.tasks.tdl.bound import BoundTask
from housemates.benchmarks.teach.world.dynamics import TeachWorld
from housemates.home.recipes import BREWING
from housemates.home.things import Thing


@dataclass(frozen=True)
class Errand:
    """A few steps in a row, and the wish they serve."""

    wish: Wish
    steps: tuple[Step, ...]


def close_up(world: TeachWorld) -> list[Step]:
    """The open doors and drawers that one could close to get past them, the nearest first."""
    situation = Situation(world)
    return [
        Step("Close", thing.id)
        for thing in situation.sorted(world.home.things.values())
        if thing.open and thing.can("open") and not thing.can("pickup")
    ]


def next_errand(task: BoundTask, world: TeachWorld, avoid: Collection[Step] = ()) -> Errand | None:
    """What to do next for a task; None if nothing is amiss, or if nothing can be done about it.

    Args:
        task: What is asked.
        world: The home as it is.
        avoid: Steps that are known to be impossible; other objects and places are tried instead.
    """
    wishes = cast(task, world, avoid)
    situation = Situation(world, wishes, avoid)
    possible = [wish for wish in wishes if wish.property in ERRANDS]
    for wish in sorted(possible, key=lambda each: not _at_hand(situation, each)):
        steps = _smooth(ERRANDS[wish.property](situation, situation.thing(wish.thing), wish))
        if steps and situation.possible(steps):
            return Errand(wish, tuple(steps))
    return None


def _at_hand(situation: Situation, wish: Wish) -> bool:
    """Whether what is in the hand only has to be put where it belongs, and all is ready there."""
    if wish.property != INSIDE or wish.thing != situation.home.agent.held:
        return False
    others = [each for each in situation.wishes if each.property != INSIDE]
    return all(each.thing != wish.thing and each.thing not in wish.places for each in others)


def _smooth(steps: Steps) -> Steps:
    """The steps without opening what stands open already, or closing what is opened again later."""
    kept: Steps = []
    for number, step in enumerate(steps):
        if step.optional and step.action == "Close" and Step("Open", step.thing) in steps[number:]:
            continue
        if step.action == "Open" and step in kept and Step("Close", step.thing) not in kept:
            continue
        kept.append(step)
    return kept


def bring(situation: Situation, thing: Thing, wish: Wish) -> Steps:
    """Put a thing where it belongs: into the nearest such place with room, or make room in one."""
    places = situation.sorted(situation.thing(name) for name in wish.places)
    held = situation.home.agent.held
    roomy = [place for place in places if place.id == held or situation.has_room(place, thing)]
    for place in roomy:
        steps = situation.lay_out(place) or situation.move(thing, place)
        if steps:
            return steps
    return next((steps for place in places if place not in roomy and (steps := situation.clear(place))), [])


def cut(situation: Situation, thing: Thing, wish: Wish) -> Steps:
    """Lay a thing where one can cut it, take a knife, and slice it; in its place if all else fails."""
    slicing = Step("Slice", thing.id)
    if slicing in situation.avoid or situation.home.in_hand(thing):
        return [*situation.take(thing), *situation.set_down(thing)]
    steps = situation.lay_out(thing)
    if steps:
        return steps
    knives = situation.sorted(each for each in situation.home.things.values() if each.kind.cuts)
    for knife in knives:
        steps = [*situation.take(knife), *situation.open_up(thing), slicing]
        if situation.possible(steps):
            return steps
    return []


def clean(situation: Situation, thing: Thing, wish: Wish) -> Steps:
    """Wash a thing in a sink."""
    return rinse(situation, thing)


def water(situation: Situation, thing: Thing, wish: Wish) -> Steps:
    """Fill a plant from a vessel that holds something, or fill such a vessel first."""
    vessels = [each for each in situation.home.things.values() if each.can("pickup") and each.can("fill")]
    for vessel in sorted(situation.sorted(vessels), key=lambda each: not each.liquid):
        steps = rinse(situation, vessel)
        if vessel.liquid:
            steps = [*situation.take(vessel), Step("Pour", vessel.id, thing.id)]
        if steps and situation.possible(steps):
            return steps
    return []


def brew(situation: Situation, thing: Thing, wish: Wish) -> Steps:
    """Fill an empty mug with coffee."""
    if thing.liquid:
        return empty(situation, thing)
    for machine in situation.of_types(BREWING.at):
        on = [Step("ToggleOn", machine.id, thing.id), Step("ToggleOff", machine.id, optional=True)]
        if situation.holder(thing, machine.type) is machine:
            steps = [*([Step("ToggleOff", machine.id)] if machine.on else []), *on]
        else:
            steps = situation.move(thing, machine)
            if steps and steps[-1].place == machine.id and not machine.on:
                steps += on
        if steps and situation.possible(steps):
            return steps
    return []


def switch(situation: Situation, thing: Thing, wish: Wish) -> Steps:
    """Switch a thing on or off."""
    return [*situation.open_up(thing), Step("ToggleOn" if wish.value else "ToggleOff", thing.id)]


def swing(situation: Situation, thing: Thing, wish: Wish) -> Steps:
    """Open or close a thing."""
    return [*situation.open_up(thing), Step("Open" if wish.value else "Close", thing.id)]


ERRANDS: dict[str, Callable[[Situation, Thing, Wish], Steps]] = {
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
"""What to do about each property."""
