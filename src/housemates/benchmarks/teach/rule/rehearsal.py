"""Trying steps out on a copy of the home: where to stand, where to click, and whether it will work."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from housemates.benchmarks.teach.planning import Step
from housemates.benchmarks.teach.pointing import resolve
from housemates.benchmarks.teach.roles import Act
from housemates.benchmarks.teach.rule.routes import LOOK_DEG, Routes
from housemates.benchmarks.teach.sight import SIDE_PX
from housemates.benchmarks.teach.world import TeachWorld
from housemates.home import World
from housemates.home.geometry import bounding_box
from housemates.home.navigation import Pose, agent_at, grid, pose_of
from housemates.home.things import GRID_M, HORIZON_RANGE_DEG, REACH_M, Thing
from housemates.home.types import Vec
from housemates.render.camera import agent_camera
from housemates.render.frames import Frame
from housemates.render.scene import Renderer

TRIES = 60
"""How many pictures are drawn for one errand before it is given up."""
POSES = 24
"""From how many places one step is tried."""
REVISIONS = 2
"""How often a step is done from elsewhere because the next one cannot be done after it."""
OPEN_SHARE = 0.9
"""How much of the room must stay in reach when a door is opened."""
EDGE_M = 0.2
"""How far from the edge of something large one aims."""
MARGIN_M = 0.02


class Rehearsal:
    """A copy of a home in which steps are tried before anybody is told to do them."""

    def __init__(self, world: TeachWorld) -> None:
        self.world = TeachWorld(World(world.home.scene))
        self._renderer = Renderer(self.world.home, show_held=False)
        self._frame: Frame | None = None
        self._tries = 0
        self.blamed: Step | None = None
        """The step that could not be done, after a rehearsal that failed."""

    def acts(self, world: TeachWorld, steps: Sequence[Step]) -> list[Act] | None:
        """The Follower's acts that do these steps one after the other; None if one of them cannot be done."""
        self.world.restore(world.snapshot())
        self._tries = TRIES
        self.blamed, self._deepest = None, -1
        return self._rest(steps, 0)

    def _rest(self, steps: Sequence[Step], number: int) -> list[Act] | None:
        """The acts for the steps from a number on; earlier choices are revised where they lead nowhere."""
        if number == len(steps):
            return []
        step, home = steps[number], self.world.home
        moment = self.world.snapshot()
        routes = Routes(grid(home), pose_of(home.agent))
        for revision, (pose, act) in enumerate(self._doings(step, routes)):
            later = self._rest(steps, number + 1)
            if later is not None:
                return [*map(Act, routes.moves(pose)), act, *later]
            if revision == REVISIONS:
                break
        self.world.restore(moment)
        if step.optional:
            return self._rest(steps, number + 1)
        if number > self._deepest:
            self.blamed, self._deepest = step, number
        return None

    def _doings(self, step: Step, routes: Routes) -> Iterator[tuple[Pose, Act]]:
        """Do a step from one pose after the other; where a door would then be in the way, only at last."""
        moment = self.world.snapshot()
        cramped: list[Pose] = []
        for pose in self._poses(step, routes):
            if self._tries <= 0:
                break
            self.world.restore(moment)
            act = self._attempt(step, pose)
            if act is not None and step.action == "Open" and self._shut_off(routes):
                cramped.append(pose)
            elif act is not None:
                yield pose, act
        for pose in cramped[:1]:
            self.world.restore(moment)
            act = self._attempt(step, pose)
            if act is not None:
                yield pose, act

    def _shut_off(self, before: Routes) -> bool:
        """Whether some of the room can no longer be reached."""
        home = self.world.home
        after = Routes(grid(home), pose_of(home.agent))
        return len(after.distances) < OPEN_SHARE * len(before.distances)

    def _poses(self, step: Step, routes: Routes) -> list[Pose]:
        """Where one could stand for a step, the nearest first."""
        target = self.world.home.things.get(step.target)
        if target is None:
            return []
        found = {routes.start: -1.0}
        lo, hi = bounding_box(target)
        inset = [min(EDGE_M, (b - a) / 2) for a, b in zip(lo, hi, strict=True)]
        for x, z in routes.cells():
            spot = (x * GRID_M, self.world.home.agent.y, z * GRID_M)
            if math.dist(spot, _clamped(spot, lo, hi)) > REACH_M - MARGIN_M:
                continue
            middle = _clamped(spot, lo, hi, inset)
            pose = _facing(x, z, spot, (middle[0], (lo[1] + hi[1]) / 2, middle[2]))
            away = math.hypot(middle[0] - spot[0], middle[2] - spot[2])
            found[pose] = routes.cost(pose) + 2.0 * abs(away - 0.8)
        return sorted(found, key=lambda pose: (found[pose], pose))[:POSES]

    def _attempt(self, step: Step, pose: Pose) -> Act | None:
        """Do a step from a pose; None, and nothing is done, if it does not work from there."""
        home = self.world.home
        home.agent = agent_at(home.agent, pose)
        self._tries -= 1
        self._frame = self._renderer.frame(agent_camera(home.agent, SIDE_PX, SIDE_PX), out=self._frame)
        for x, y in _clicks(self._frame, step.target, home.agent.position):
            pointed = resolve(home, self._frame, step.action, x, y)
            if pointed is None or pointed.thing != step.target:
                continue
            moment = self.world.snapshot()
            outcome = self.world.act(step.action, target=pointed.thing, at=pointed.at)
            if outcome.success and self._served(step, moment.home.things.get(step.place)):
                return Act(step.action, x, y, step.target)
            self.world.restore(moment)
        return None

    def _served(self, step: Step, before: Thing | None) -> bool:
        """Whether switching something on did something to what it was switched on for."""
        return step.action != "ToggleOn" or not step.place or self.world.home.things[step.place] is not before


def _clamped(point: Vec, lo: Vec, hi: Vec, inset: Sequence[float] = (0.0, 0.0, 0.0)) -> Vec:
    """The point of a box, less its margins, that is nearest to another point."""
    x, y, z = (
        min(max(value, low + edge), high - edge)
        for value, low, high, edge in zip(point, lo, hi, inset, strict=True)
    )
    return (x, y, z)


def _facing(x: int, z: int, spot: Vec, point: Vec) -> Pose:
    """The pose in a cell that has a point best in view."""
    right, ahead = point[0] - spot[0], point[2] - spot[2]
    away = math.hypot(right, ahead)
    bearing = math.degrees(math.atan2(right, ahead)) % 360
    down = math.degrees(math.atan2(spot[1] + 0.675 - point[1], max(away, 1e-6)))
    low, high = HORIZON_RANGE_DEG
    horizon = min(max(round(down / LOOK_DEG) * LOOK_DEG, low), high)
    rotation = round(bearing / 90) * 90 % 360
    return Pose(x, z, rotation, horizon)


def _clicks(frame: Frame, target: str, agent: Vec) -> Iterator[tuple[float, float]]:
    """Places of the picture that show a thing within reach: the middle of what is seen, then others."""
    rows, columns = np.nonzero(frame.mask(target))
    if not len(rows):
        return
    camera = frame.camera
    depth = frame.depth[rows, columns].astype(np.float64)
    across = (columns + 0.5 - camera.width / 2) / camera.focal * depth
    up = (camera.height / 2 - rows - 0.5) / camera.focal * depth
    points = np.stack([across, up, depth], axis=1) @ camera.axes + np.asarray(camera.position)
    near = np.linalg.norm(points - np.asarray(agent), axis=1) < REACH_M - 0.005
    rows, columns = rows[near], columns[near]
    if not len(rows):
        return
    order = np.argsort((rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2, kind="stable")
    for share in (0.0, 0.5, 0.999):
        index = order[int(share * (len(order) - 1))]
        yield (
            round((int(columns[index]) + 0.5) / camera.width, 3),
            round((int(rows[index]) + 0.5) / camera.height, 3),
        )
