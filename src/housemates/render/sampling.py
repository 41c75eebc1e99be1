"""Drawing views and states of a home at random: where somebody might stand and look, and what might be on."""

from __future__ import annotations

import math

import msgspec
import numpy as np

from housemates.home.navigation import HEADINGS, Cell, grid
from housemates.home.rules import follow
from housemates.home.things import GRID_M, HORIZON_RANGE_DEG, Agent, Thing
from housemates.home.world import World

NEAR_M = (0.4, 2.0)
"""How far one stands from what one looks at."""
HORIZONS = tuple(range(HORIZON_RANGE_DEG[0], HORIZON_RANGE_DEG[1] + 1, 15))
TURNED = 0.7
"""How often one is turned to a thing."""
ALTERED = 0.4
"""The share of things whose state is drawn anew."""


def random_view(world: World, rng: np.random.Generator) -> Agent:
    """The agent somewhere else in the home, mostly turned to a thing that is near it."""
    cells = grid(world).cells() or [Cell(round(world.agent.x / GRID_M), round(world.agent.z / GRID_M))]
    cell = cells[int(rng.integers(len(cells)))]
    rotation, horizon = int(rng.choice(list(HEADINGS))), int(rng.choice(HORIZONS))
    thing = _any_of_any_kind(world, rng)
    if rng.random() < TURNED:
        near = [each for each in cells if NEAR_M[0] <= _away(each, thing) <= NEAR_M[1]]
        if near:
            cell = near[int(rng.integers(len(near)))]
            rotation, horizon = _facing(world.agent, cell, thing)
    return msgspec.structs.replace(
        world.agent, x=cell.x * GRID_M, z=cell.z * GRID_M, rotation=rotation, horizon=horizon
    )


def random_states(world: World, rng: np.random.Generator) -> None:
    """Open, switch on, fill, soil and cook some of what can be, and undo it with others.

    What can be opened and holds something is open half of the time. What follows from it by the home's rules
    is so: there is water under a faucet that runs, and a burner is hot whose knob is on.
    """
    for thing in list(world.things.values()):
        if rng.random() < ALTERED or (thing.can("open") and world.contents(thing)):
            draws = (rng.random(5) < 0.5).tolist()
            lit = thing.can("toggle") and draws[1]
            world.update(
                thing,
                open=thing.can("open") and draws[0] and not (lit and thing.kind.closed_while_on),
                on=lit,
                liquid="water" if thing.can("fill") and draws[2] and not world.contents(thing) else "",
                dirty=thing.can("dirty") and draws[3],
                cooked=thing.can("cook") and draws[4],
            )
    follow(world, "", "", success=True)


def _any_of_any_kind(world: World, rng: np.random.Generator) -> Thing:
    """One of the things, those of each type together as likely as those of any other."""
    kinds = sorted({thing.type for thing in world.things.values()})
    kind = kinds[int(rng.integers(len(kinds)))]
    things = [thing for thing in world.things.values() if thing.type == kind]
    return things[int(rng.integers(len(things)))]


def _away(cell: Cell, thing: Thing) -> float:
    return math.hypot(cell.x * GRID_M - thing.position[0], cell.z * GRID_M - thing.position[2])


def _facing(agent: Agent, cell: Cell, thing: Thing) -> tuple[int, int]:
    """The rotation and horizon that bring a thing nearest to the middle of the picture."""
    east, north = thing.position[0] - cell.x * GRID_M, thing.position[2] - cell.z * GRID_M
    rotation = round(math.degrees(math.atan2(east, north)) / 90) * 90 % 360
    down = math.degrees(math.atan2(agent.eye[1] - thing.position[1], math.hypot(east, north)))
    return rotation, min(HORIZONS, key=lambda each: abs(each - down))
