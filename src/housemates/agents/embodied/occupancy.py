"""Occupancy map: floor and obstacles on a half-step grid, and cheapest paths by Dijkstra's algorithm."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.agents.embodied.perception import EXACT, Perception
from housemates.home.navigation import BODY_M, HALF_M, HEADINGS, Cell
from housemates.home.things import AGENT_RADIUS_M

Points = NDArray[np.float64]
"""One row a point: x, y (up) and z in metres."""
SIDE = 401
"""Half steps along one side of the map, which is 50 m."""
UNSEEN_COST = 3
"""Cost of a step onto unseen floor; a step onto free floor costs 1."""
TIGHT_COST = 0.4
"""Extra cost of a step next to an obstacle."""
WARY_COST = 4.0
"""Extra cost of a step onto an unvisited cell close to a bump."""
WALL_COST = 40.0
"""Extra cost of a step into an assumed wall."""
DOUBT_COST = 8.0
"""Cost of a step through an obstacle that is ignored."""
ENCLOSED = 60
"""With fewer reachable poses than this, obstacles are ignored."""
FLOOR_M = 0.06
FINE_M, FAR = 0.02, 10_000
"""Points are deduplicated on a grid of this size; all are within so many cells of the origin."""


class GridPose(NamedTuple):
    """A cell and a heading in degrees."""

    x: int
    z: int
    rotation: int


class OccupancyMap:
    """Free, unseen and blocked half steps around where the agent began."""

    def __init__(
        self,
        x: float,
        z: float,
        floor_y: float,
        blind_m: float = 0.0,
        wall_m: float = 0.0,
        perception: Perception = EXACT,
    ) -> None:
        """Begin an empty map.

        Args:
            x: Where it begins.
            z: The same.
            floor_y: The height of the floor.
            blind_m: How far around its feet it does not see the floor.
            wall_m: How far to both sides of where one bumped a wall is feared.
            perception: How far what is seen in the way is trusted.
        """
        self.perception = perception
        self._clearance = AGENT_RADIUS_M - perception.obstacle_margin_m
        self.floor_y = floor_y
        self._blind, self._wall = int(blind_m / HALF_M), int(wall_m / HALF_M)
        self._x0, self._z0 = round(x / HALF_M) - SIDE // 2, round(z / HALF_M) - SIDE // 2
        self._blocked = np.zeros((SIDE, SIDE), dtype=bool)
        self._looks = np.zeros((SIDE, SIDE), dtype=np.uint16)
        self._floor = np.zeros((SIDE, SIDE), dtype=bool)
        self._underfoot = np.zeros((SIDE, SIDE), dtype=bool)
        self._movable: dict[str, NDArray[np.int64]] = {}
        self._bumps: dict[Cell, bool] = {}
        self._walls: set[tuple[Cell, bool]] = set()
        self._visited: set[Cell] = set()
        self._here = Cell(0, 0)
        self._ignores = False
        """Whether the last search ignored obstacles, as they enclosed the agent."""
        self._told_to_ignore = False
        """Whether every search ignores them."""
        self._known: tuple[GridPose, dict[GridPose, float], dict[GridPose, GridPose]] | None = None

    def observe(self, points: Points) -> None:
        """Add points of what does not move: building, furniture, floor."""
        height = points[:, 1] - self.floor_y
        low = points[height < FLOOR_M]
        xs, zs = self._nearest(low[:, 0], self._x0), self._nearest(low[:, 2], self._z0)
        self._floor[xs, zs] = True
        reach = self.perception.obstacle_range_m
        if np.isfinite(reach):
            away = points[:, [0, 2]] - np.array([self._here.x, self._here.z]) * 2 * HALF_M
            points = points[(away**2).sum(axis=1) < reach**2]
        near = self._too_near(points)
        self._looks.ravel()[near] += 1
        self._blocked.ravel()[near] = self._looks.ravel()[near] >= self.perception.obstacle_looks
        self._known = None

    def observe_movable(self, key: str, points: Points) -> None:
        """Set the points of an object that can move; they replace its earlier ones."""
        self._movable[key] = self._too_near(points)
        self._known = None

    def forget(self, key: str) -> None:
        """Remove a movable obstacle."""
        if self._movable.pop(key, None) is not None:
            self._known = None

    def known(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Masks of observed floor and of obstacles at every half step."""
        return self._floor.copy(), self._obstacles()

    def cell_of(self, x: float, z: float) -> tuple[int, int]:
        """Row and column of a position in metres."""
        places = self._nearest(np.array([x]), self._x0), self._nearest(np.array([z]), self._z0)
        return int(places[0][0]), int(places[1][0])

    def visit(self, cell: Cell) -> None:
        """Mark the cell that the agent stands in as free."""
        self._here = cell
        if cell not in self._visited:
            self._visited.add(cell)
            x, z = self._half(cell)
            reach = self._blind
            self._underfoot[max(x - reach, 0) : x + reach + 1, max(z - reach, 0) : z + reach + 1] = reach > 0

    def was_visited(self, pose: GridPose) -> bool:
        """Whether the agent stood in this cell before."""
        return Cell(pose.x, pose.z) in self._visited

    def bump(self, cell: Cell, rotation: int) -> None:
        """Mark the cell ahead as blocked after a move in a direction failed."""
        dx, dz = HEADINGS[rotation]
        ahead = Cell(cell.x + dx, cell.z + dz)
        self._bumps[ahead] = self._may_pass(ahead)
        if self._wall:
            self._walls.add((ahead, dx == 0))
        self._known = None

    def _may_pass(self, ahead: Cell) -> bool:
        """Whether a bump may be due to something movable that was seen near enough."""
        reach = self.perception.bump_reach
        if np.isinf(reach):
            return bool(self._movable)
        x, z = self._half(ahead)
        places = np.concatenate([np.empty(0, np.int64), *self._movable.values()])
        return bool(((np.abs(places // SIDE - x) <= reach) & (np.abs(places % SIDE - z) <= reach)).any())

    def ignore_obstacles(self, dares: bool) -> None:
        """Set whether paths may lead through obstacles that were only seen."""
        if dares != self._told_to_ignore:
            self._told_to_ignore, self._known = dares, None

    def forget_bumps(self) -> None:
        """Forget bumps into what may have moved since, such as a door that was closed."""
        self._bumps = {cell: False for cell, passing in self._bumps.items() if not passing}
        self._known = None

    def _nearest(self, values: NDArray[np.float64], origin: int) -> NDArray[np.int64]:
        return np.clip(np.rint(values / HALF_M).astype(np.int64) - origin, 0, SIDE - 1)

    def _too_near(self, points: Points) -> NDArray[np.int64]:
        """Half steps, as flat indices, where the agent's body would touch one of the points."""
        height = points[:, 1] - self.floor_y
        solid = points[(height > BODY_M[0]) & (height < BODY_M[1])][:, [0, 2]]
        if not len(solid):
            return np.empty(0, np.int64)
        fine = np.rint(solid / FINE_M).astype(np.int64) + FAR
        code = np.unique(fine[:, 0] * 2 * FAR + fine[:, 1])
        solid = (np.stack([code // (2 * FAR), code % (2 * FAR)], axis=1) - FAR) * FINE_M
        base = np.floor(solid / HALF_M).astype(np.int64)
        offsets = np.array([(dx, dz) for dx in range(-1, 3) for dz in range(-1, 3)])
        places = base[:, None] + offsets[None]
        away = places * HALF_M - solid[:, None]
        near = places[(away**2).sum(axis=2) < self._clearance**2]
        inside = near - np.array([self._x0, self._z0])
        inside = inside[((inside >= 0) & (inside < SIDE)).all(axis=1)]
        return np.unique(inside[:, 0] * SIDE + inside[:, 1])

    def path_costs(self, start: GridPose) -> dict[GridPose, float]:
        """The cost of the cheapest path from a pose to every pose that can be reached."""
        return self._search(start)[1]

    def path(self, start: GridPose, goal: GridPose) -> list[GridPose]:
        """The poses on the cheapest path, the first step first; raises KeyError if there is none."""
        came = self._search(start)[2]
        found = []
        while goal != start:
            found.append(goal)
            goal = came[goal]
        return found[::-1]

    def is_free(self, way: list[GridPose]) -> bool:
        """Whether no obstacle lies on a path, or obstacles are ignored."""
        blocked = self._obstacles()
        return self._ignores or not any(blocked[2 * each.x - self._x0, 2 * each.z - self._z0] for each in way)

    def _obstacles(self) -> NDArray[np.bool_]:
        blocked = self._blocked.copy()
        for places in self._movable.values():
            blocked.ravel()[places] = True
        return blocked

    def _search(self, start: GridPose) -> tuple[GridPose, dict[GridPose, float], dict[GridPose, GridPose]]:
        if self._known is not None and self._known[0] == start:
            return self._known
        blocked = self._obstacles()
        found = self._dijkstra(start, blocked, self._step_costs(blocked))
        self._ignores = bool(self._wall) and (self._told_to_ignore or len(found[0]) < ENCLOSED)
        if self._ignores:
            found = self._search_ignoring_obstacles(start, blocked)
            if len(found[0]) <= self.perception.trapped_poses:
                self._bumps, self._walls = {}, set()
                found = self._search_ignoring_obstacles(start, blocked)
        self._known = (start, *found)
        return self._known

    def _search_ignoring_obstacles(
        self, start: GridPose, blocked: NDArray[np.bool_]
    ) -> tuple[dict[GridPose, float], dict[GridPose, GridPose]]:
        """Dijkstra's algorithm with bumps as the only obstacles."""
        nothing = np.zeros_like(blocked)
        trusted, least = self.perception.trusted_depth, self.perception.obstacle_looks
        often = 1.0 if trusted else self._looks / least
        prices = np.where(blocked, DOUBT_COST * np.maximum(often, 1.0), self._step_costs(nothing))
        for x, z in map(self._half, self._bumps):
            prices[x, z] = np.inf
        return self._dijkstra(start, nothing, prices)

    def _dijkstra(
        self, start: GridPose, blocked: NDArray[np.bool_], prices: NDArray[np.float64]
    ) -> tuple[dict[GridPose, float], dict[GridPose, GridPose]]:
        """Dijkstra's algorithm over grid poses: costs and predecessors."""
        costs: dict[GridPose, float] = {start: 0.0}
        came: dict[GridPose, GridPose] = {}
        queue: list[tuple[float, GridPose]] = [(0.0, start)]
        while queue:
            cost, pose = heapq.heappop(queue)
            if cost > costs[pose]:
                continue
            for after, price in self._neighbours(pose, blocked, prices):
                if cost + price < costs.get(after, np.inf):
                    costs[after] = cost + price
                    came[after] = pose
                    heapq.heappush(queue, (cost + price, after))
        return costs, came

    def _step_costs(self, blocked: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The cost of a step onto each half step; infinite where it is blocked or unknown."""
        known = 1.0 + TIGHT_COST * _dilate(blocked, 1)
        unseen = np.where(_dilate(self._floor, 4) | self._underfoot, UNSEEN_COST, np.inf)
        prices = np.where(_dilate(self._floor, 1), known, unseen)
        for x, z in map(self._half, self._bumps):
            prices[max(x - 4, 0) : x + 5, max(z - 4, 0) : z + 5] += WARY_COST
        for ahead, across in self._walls:
            x, z = self._half(ahead)
            reach = self._wall
            if across:
                prices[max(x - reach, 0) : x + reach + 1, z] += WALL_COST
            else:
                prices[x, max(z - reach, 0) : z + reach + 1] += WALL_COST
        for x, z in map(self._half, self._visited):
            prices[x, z] = 1.0
        for x, z in map(self._half, self._bumps):
            prices[x, z] = np.inf
        prices[blocked] = np.inf
        prices[[0, 1, -2, -1]] = prices[:, [0, 1, -2, -1]] = np.inf
        return prices

    def _half(self, cell: Cell) -> tuple[int, int]:
        return 2 * cell.x - self._x0, 2 * cell.z - self._z0

    def _neighbours(
        self, pose: GridPose, blocked: NDArray[np.bool_], prices: NDArray[np.float64]
    ) -> Iterator[tuple[GridPose, float]]:
        x, z, rotation = pose
        yield GridPose(x, z, (rotation + 90) % 360), 1.0
        yield GridPose(x, z, (rotation - 90) % 360), 1.0
        dx, dz = HEADINGS[rotation]
        half_x, half_z = 2 * x - self._x0, 2 * z - self._z0
        price = float(prices[half_x + 2 * dx, half_z + 2 * dz])
        if price < np.inf and not blocked[half_x + dx, half_z + dz]:
            yield GridPose(x + dx, z + dz, rotation), price

    def frontier(self, costs: dict[GridPose, float]) -> list[GridPose]:
        """Poses that face unseen floor within a step or two, the cheapest first."""
        blocked = self._obstacles()
        found: dict[Cell, tuple[float, GridPose]] = {}
        for pose, cost in costs.items():
            cell = Cell(pose.x, pose.z)
            if self._looks_beyond(pose, blocked) and found.get(cell, (np.inf,))[0] > cost:
                found[cell] = (cost, pose)
        return [pose for _, pose in sorted(found.values())]

    def _looks_beyond(self, pose: GridPose, blocked: NDArray[np.bool_]) -> bool:
        """Whether unseen floor begins within a step or two ahead of a pose."""
        x, z = 2 * pose.x - self._x0, 2 * pose.z - self._z0
        if not self._floor[x, z]:
            return False
        dx, dz = HEADINGS[pose.rotation]
        for away in range(1, 7):
            x, z = x + dx, z + dz
            if not (2 <= x < SIDE - 2 and 2 <= z < SIDE - 2) or blocked[x, z]:
                return False
            if away > 1 and not self._floor[x - 1 : x + 2, z - 1 : z + 2].any():
                return True
        return False


def _dilate(marks: NDArray[np.bool_], reach: int) -> NDArray[np.bool_]:
    """Binary dilation by a square of so many half steps."""
    for axis in (0, 1):
        wide = marks.copy()
        for step in range(1, reach + 1):
            wide |= np.roll(marks, step, axis) | np.roll(marks, -step, axis)
        marks = wide
    return marks
