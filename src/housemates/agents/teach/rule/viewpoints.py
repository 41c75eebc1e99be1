"""Poses and clicks from which an object can be touched."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.teach.world.dynamics import LOOK_DEG
from housemates.home.geometry import bounding_box, in_reach, in_view
from housemates.home.navigation import Pose, standing_poses
from housemates.home.routes import Routes
from housemates.home.things import CAMERA_ABOVE_AGENT_M, GRID_M, HORIZON_RANGE_DEG, REACH_M, Agent, Thing
from housemates.home.types import Vec
from housemates.home.world import World
from housemates.render.frames import Frame

GUESSES, CLEAREST, POSES = 12, 48, 16
"""How many poses that face a thing are offered; how many with a clear line are thought of, and offered."""
EDGE_M = 0.2
"""How far from the edge of something large one aims."""
MARGIN_M = 0.02
"""How much nearer than an arm's length one stands."""
BEST_M = 0.8
"""From how far away one sees and touches a thing best, seen from above."""
ASKEW = 4.0
"""Moves that a centred object is worth."""
SHARES = (0.0, 0.5, 1.0)
"""Order statistics of the pixels to click, from the middle to the edge."""


def poses(world: World, target: Thing, routes: Routes) -> Iterator[Pose]:
    """Poses from which a thing may be seen and touched.

    First the few that are soon reached and face it, whatever stands between; then, as they take longer to
    find, those with a clear line to it.
    """
    facing = _facing(target, world.agent, routes)[:GUESSES]
    yield from facing
    clear = [pose for pose in standing_poses(world, target, routes.cells) if pose not in facing]
    yield from sorted(clear[:CLEAREST], key=lambda pose: (_cost(pose, routes), pose))[:POSES]


def _cost(pose: Pose, routes: Routes) -> float:
    at = (np.array([each]) for each in (pose.rotation, pose.horizon))
    return float(routes.cost(np.array([pose[:2]]), *at)[0])


def _facing(target: Thing, agent: Agent, routes: Routes) -> list[Pose]:
    """Poses near a thing that face it, those that are soon reached first."""
    height = agent.y
    lo, hi = map(np.array, bounding_box(target))
    cells = routes.spots()
    spots = np.stack([cells[:, 0] * GRID_M, np.full(len(cells), height), cells[:, 1] * GRID_M], axis=1)
    near = np.linalg.norm(spots - np.clip(spots, lo, hi), axis=1) <= REACH_M - MARGIN_M
    cells, spots = cells[near], spots[near]
    inset = np.minimum(EDGE_M, (hi - lo) / 2)
    offset = np.clip(spots, lo + inset, hi - inset) - spots
    offset[:, 1] = (lo[1] + hi[1]) / 2 - height - CAMERA_ABOVE_AGENT_M
    away = np.hypot(offset[:, 0], offset[:, 2])
    quarters = np.degrees(np.arctan2(offset[:, 0], offset[:, 2])) / 90
    looks = np.degrees(np.arctan2(-offset[:, 1], away)) / LOOK_DEG
    found = {routes.start: -1.0} if in_reach(agent, target) and in_view(agent, target) else {}
    for turn, look, penalty in ((0, 0, 0.0), (1, 0, ASKEW), (0, 1, ASKEW)):
        rotation = (_rounded(quarters, turn) * 90).astype(np.int64) % 360
        horizon = np.clip(_rounded(looks, look) * LOOK_DEG, *HORIZON_RANGE_DEG).astype(np.int64)
        cost = routes.cost(cells, rotation, horizon) + 2.0 * np.abs(away - BEST_M) + penalty
        for x, z, facing, down, each in np.column_stack([cells, rotation, horizon, cost]).tolist():
            found.setdefault(Pose(int(x), int(z), int(facing), int(down)), each)
    return sorted(found, key=lambda pose: (found[pose], pose))


def _rounded(values: NDArray[np.float64], rank: int) -> NDArray[np.float64]:
    """The nearest whole number to each value, or the second nearest."""
    nearest = np.round(values)
    return nearest if rank == 0 else nearest + np.where(values > nearest, 1.0, -1.0)


def clicks(frame: Frame, target: str, agent: Vec, edge: bool = False) -> Iterator[tuple[float, float]]:
    """Places of the picture that show a thing within reach.

    Args:
        frame: The picture.
        target: Id of the thing.
        agent: Where the agent is.
        edge: Begin at the edge of what is seen of the thing, not in the middle.
    """
    rows, columns = np.nonzero(frame.mask(target))
    if not len(rows):
        return
    camera = frame.camera
    depth = frame.depth[rows, columns].astype(np.float64)
    across = (columns + 0.5 - camera.width / 2) / camera.focal * depth
    up = (camera.height / 2 - rows - 0.5) / camera.focal * depth
    points = np.stack([across, up, depth], axis=1) @ camera.axes + np.asarray(camera.position)
    near = np.linalg.norm(points - np.asarray(agent), axis=1) < REACH_M - MARGIN_M / 4
    rows, columns = rows[near], columns[near]
    if not len(rows):
        return
    order = np.argsort((rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2, kind="stable")
    for share in reversed(SHARES) if edge else SHARES:
        index = order[int(share * (len(order) - 1))]
        x, y = (columns[index] + 0.5) / camera.width, (rows[index] + 0.5) / camera.height
        yield round(float(x), 3), round(float(y), 3)
