"""Subplans at the sink: washing, filling and emptying."""

from __future__ import annotations

from housemates.agents.teach.planning.state import PlanningState, Steps
from housemates.agents.teach.planning.steps import PlannedStep
from housemates.home.kinds import BASINS
from housemates.home.recipes import WASHING
from housemates.home.things import Thing


def rinse(state: PlanningState, thing: Thing) -> Steps:
    """Put an object under running water: it comes out clean, and full if it can hold water.

    A basin without room is cleared first, one thing at a time.
    """
    clearing: Steps = []
    for basin, faucet in _sinks(state):
        on = [
            PlannedStep("ToggleOn", faucet.id, thing.id),
            PlannedStep("ToggleOff", faucet.id, optional=True),
        ]
        if state.holder(thing, basin.type) is basin:
            steps = [*([PlannedStep("ToggleOff", faucet.id)] if faucet.on else []), *on]
        elif state.has_room(basin, thing):
            steps = [*state.move(thing, basin), *([] if faucet.on else on)]
        else:
            clearing = clearing or state.clear(basin)
            continue
        if state.possible(steps):
            return steps
    return clearing


def empty(state: PlanningState, thing: Thing) -> Steps:
    """Pour away what is in an object."""
    for basin in state.of_types(*BASINS):
        steps = [*state.take(thing), PlannedStep("Pour", thing.id, basin.id)]
        if state.possible(steps):
            return steps
    return []


def _sinks(state: PlanningState) -> list[tuple[Thing, Thing]]:
    """Pairs of basin and faucet, in the order of trying."""
    faucets = state.of_types(WASHING.switch)
    basins = state.sorted(state.thing(name) for faucet in faucets for name in faucet.controls)
    return [(basin, faucet) for basin in basins for faucet in faucets if basin.id in faucet.controls]
