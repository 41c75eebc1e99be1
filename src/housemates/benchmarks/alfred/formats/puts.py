"""Where things came to lie that demonstrations put down, as the masks show when they are taken again."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.alfred.formats.episodes import LowAction
from housemates.benchmarks.alfred.world import masks
from housemates.home.scenes.plans.puts import Put
from housemates.home.things import GRID_M, Agent, type_in
from housemates.render.camera import Camera, agent_camera

MOST = 6
"""Sightings that are kept of one asset put on one receptacle from one cell, each along another line."""
FEW = 100
"""Pixels of a mask that tell where a thing points,"""
LEAST = 12
"""and how many there have to be."""
LONG = 2.2
"""What is so many times as long as it is wide points somewhere."""
FLAT = 0.05
"""Lines of sight that go down less than this meet a level too far away."""


def puts(actions: Iterable[tuple[LowAction, Agent]], assets: Mapping[str, str]) -> Iterator[tuple[str, Put]]:
    """Each receptacle with what the first mask tells of something that was put down there.

    Args:
        actions: Each low action with where the agent stands before it.
        assets: The names of the assets, by the ids of what can be carried.
    """
    held = ""
    lying: dict[str, tuple[str, Agent]] = {}
    for low, agent in actions:
        runs = low.discrete_action.args.mask
        if low.target in lying and isinstance(runs, list):
            receptacle, stood = lying.pop(low.target)
            put = _seen(masks.from_runs(runs), agent, low.target, stood)
            yield receptacle, put._replace(name=assets.get(low.target, ""))
        if low.name == "PickupObject":
            held = low.target
            lying.pop(held, None)
        elif low.name == "PutObject" and held:
            lying[held], held = (low.target, agent), ""


def _seen(mask: masks.Mask, agent: Agent, name: str, stood: Agent) -> Put:
    """The line of sight to the middle of a mask."""
    rows, columns = np.nonzero(mask)
    camera = agent_camera(agent, masks.SIDE_PX, masks.SIDE_PX)
    ray = camera.ray(float(np.median(columns)) + 0.5, float(np.median(rows)) + 0.5)
    x, y, z = (round(value, 3) for value in agent.eye)
    dx, dy, dz = (round(float(value), 4) for value in ray)
    cell = (round(stood.x / GRID_M), round(stood.z / GRID_M))
    return Put(type_in(name), *cell, x, y, z, dx, dy, dz, along=_along(camera, rows, columns))


def _along(camera: Camera, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> int | None:
    """Where a long thing points that lies flat: how its mask is stretched on a level below the eye."""
    picked = slice(None, None, len(rows) // FEW + 1)
    rays = [
        camera.ray(column + 0.5, row + 0.5)
        for row, column in zip(rows[picked].tolist(), columns[picked].tolist(), strict=True)
    ]
    spots = np.array([(ray[0] / -ray[1], ray[2] / -ray[1]) for ray in rays if ray[1] < -FLAT])
    if len(spots) < LEAST:
        return None
    _, (most, least), axes = np.linalg.svd(spots - spots.mean(axis=0), full_matrices=False)
    if most < LONG * least:
        return None
    return round(math.degrees(math.atan2(axes[0][0], axes[0][1]))) % 180
