"""Errands at the sink: washing, filling and emptying."""

from __future__ import annotations

from housemates.agents.teach.planning.situation import Situation, Steps
from housemates.agents.teach.planning.steps import Step
from housemates.home.kinds import BASINS
from housemates.home.recipes import WASHING
from housemates.home.things import Thing


def rinse(situation: Situation, thing: Thing) -> Steps:
    """Put a thing under running water: it comes out clean, and full if it can hold water.

    A basin without room is cleared first, one thing at a time.
    """
    clearing: Steps = []
    for basin, faucet in _sinks(situation):
        on = [Step("ToggleOn", faucet.id, thing.id), Step("ToggleOff", faucet.id, optional=True)]
        if situation.holder(thing, basin.type) is basin:
            steps = [*([Step("ToggleOff", faucet.id)] if faucet.on else []), *on]
        elif situation.has_room(basin, thing):
            steps = [*situation.move(thing, basin), *([] if faucet.on else on)]
        else:
            clearing = clearing or situation.clear(basin)
            continue
        if situation.possible(steps):
            return steps
    return clearing


def empty(situation: Situation, thing: Thing) -> Steps:
    """Pour away what is in a thing."""
    for basin in situation.of_types(*BASINS):
        steps = [*situation.take(thing), Step("Pour", thing.id, basin.id)]
        if situation.possible(steps):
            return steps
    return []


def _sinks(situation: Situation) -> list[tuple[Thing, Thing]]:
    """Every basin with its faucet, in the order in which one would try them."""
    faucets = situation.of_types(WASHING.switch)
    basins = situation.sorted(situation.thing(name) for faucet in faucets for name in faucet.controls)
    return [(basin, faucet) for basin in basins for faucet in faucets if basin.id in faucet.controls]
