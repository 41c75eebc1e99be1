"""Where things came to lie that demonstrations put down, as the masks show when they are taken again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from housemates.benchmarks.alfred.formats.episodes import LowAction
from housemates.benchmarks.alfred.world import masks
from housemates.home.scenes.plans.puts import Put
from housemates.home.things import GRID_M, Agent, type_in
from housemates.render.camera import agent_camera

MOST = 40
"""Sightings that are kept of a receptacle."""


def puts(actions: Iterable[tuple[LowAction, Agent]]) -> Iterator[tuple[str, Put]]:
    """Each receptacle with what the masks tell of something that was put down there and taken again.

    Args:
        actions: Each low action with where the agent stands before it.
    """
    held = ""
    lying: dict[str, tuple[str, Agent]] = {}
    for low, agent in actions:
        if low.name == "PickupObject":
            held = low.target
            runs = low.discrete_action.args.mask
            if held in lying and isinstance(runs, list):
                receptacle, stood = lying.pop(held)
                yield receptacle, _seen(masks.from_runs(runs), agent, held, stood)
        elif low.name == "PutObject" and held:
            lying[held], held = (low.target, agent), ""


def _seen(mask: masks.Mask, agent: Agent, name: str, stood: Agent) -> Put:
    """The line of sight to the middle of a mask."""
    rows, columns = np.nonzero(mask)
    camera = agent_camera(agent, masks.SIDE_PX, masks.SIDE_PX)
    ray = camera.ray(float(np.median(columns)) + 0.5, float(np.median(rows)) + 0.5)
    x, y, z = (round(value, 3) for value in agent.eye)
    dx, dy, dz = (round(float(value), 4) for value in ray)
    return Put(type_in(name), round(stood.x / GRID_M), round(stood.z / GRID_M), x, y, z, dx, dy, dz)
