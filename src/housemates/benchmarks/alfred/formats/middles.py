"""Where the middle of an asset lies beside its pivot, as the masks of demonstrations show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from housemates.benchmarks.alfred.formats.episodes import LowAction
from housemates.benchmarks.alfred.world import masks
from housemates.home.things import Agent, Thing, turned
from housemates.render.camera import agent_camera

MOST = 8
"""Sightings that are kept of an asset."""
TINY_PX = 40


class Sighting(NamedTuple):
    """An asset and where its middle was seen, as x and z from its pivot in its own frame."""

    asset: str
    x: float
    z: float


def sightings(actions: Iterable[tuple[LowAction, Agent]], things: Mapping[str, Thing]) -> Iterator[Sighting]:
    """What the masks tell of the things that are taken from where they lay at the start.

    Args:
        actions: Each low action with where the agent stands before it.
        things: The things that can be carried, as they were at the start.
    """
    moved: set[str] = set()
    for low, agent in actions:
        thing = things.get(low.target)
        if low.name not in ("PickupObject", "SliceObject") or thing is None or thing.id in moved:
            continue
        if low.name == "PickupObject":
            moved.add(thing.id)
        runs = low.discrete_action.args.mask
        if isinstance(runs, list):
            seen = _seen(masks.from_runs(runs), agent, thing)
            if seen is not None:
                yield seen


def _seen(mask: masks.Mask, agent: Agent, thing: Thing) -> Sighting | None:
    """The middle of a mask, thrown onto the level of the thing's middle."""
    rows, columns = np.nonzero(mask)
    if len(rows) < TINY_PX:
        return None
    camera = agent_camera(agent, masks.SIDE_PX, masks.SIDE_PX)
    ray = camera.ray(float(columns.mean()) + 0.5, float(rows.mean()) + 0.5)
    height = thing.position[1] + thing.size[1] / 2
    depth = (height - agent.eye[1]) / ray[1] if ray[1] < -0.1 else 0.0
    if depth <= 0.0:
        return None
    x, z = turned(
        agent.eye[0] + depth * ray[0] - thing.position[0],
        agent.eye[2] + depth * ray[2] - thing.position[2],
        -thing.yaw,
    )
    return Sighting(thing.name, round(x - thing.pivot[0], 3), round(z - thing.pivot[2], 3))
