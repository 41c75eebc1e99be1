"""Where things rest in a rebuilt plan: support heights from what lies there, counters with their holes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from housemates.home.scenes.plans.fronts import edges, front_of, rooms_before
from housemates.home.scenes.plans.orientation import SIDES, Rect, footprint
from housemates.home.shapes import OPEN_M, Part, Support
from housemates.home.things import GRID_M, Thing, Zone, to_world, turned

CLUSTER_M = 0.02
SHARE = 0.3
SHELF_SHARE = 0.06
SHELF_M = 0.08
"""Shelves are at least so far apart."""
REST_M = 0.002
"""Things rest this far above the surface that carries them."""
CELL_M = 0.05
PROVEN_M = 0.08
"""So near to where something was seen to rest there certainly is a counter."""
WALK_M = 0.22
"""Nearer than this to where people walk there is no counter."""
SLAB_M = 0.04
BOARD_M = 0.03
"""Furniture that carries things lower than this is a board, whatever it is called."""
SOFT_M = 0.1
"""Things may sink so far into what they rest on."""
ABOVE_BOX_M = 0.15
"""A counter on which things lie so high above the base of its box has its surface there."""
WIDE_BASIN = "wide_basin"
BASIN_WALL_M = 0.03
"""How far outside its box the walls of a wide basin stand."""
RIM_M = 0.03
"""Width of the rim around a basin."""
WALL_M = 0.01
"""How far outside its zones the walls of a cavity are."""
LEAST_WALL_M = 0.02
SEVERAL_LEVELS = ("Fridge",)
ONE_LEVEL = (
    "DiningTable", "CoffeeTable", "SideTable", "Desk", "Dresser", "TVStand", "Stool", "Ottoman", "Footstool",
    "Chair", "Sofa", "ArmChair", "Bed", "DogBed",
)  # fmt: skip
SEATS = ("Chair", "Sofa", "ArmChair")
SEAT_SHARE = 0.65
"""Seats are lower than this share of their height."""
STANDS_IN_COUNTER = ("Chair", "SideTable", "Dresser", "Desk", "DiningTable", "Stool", "ShelvingUnit")


def levels(receptacle: Thing, heights: Sequence[float]) -> tuple[float, ...]:
    """The heights at which a receptacle carries things, from the heights at which things were found.

    Heights are above the receptacle's base. Empty if nothing was found or its type has but one way.
    """
    clusters = _clusters(sorted(heights))
    if not clusters:
        return ()
    if receptacle.type in SEVERAL_LEVELS:
        return shelves([height for height, count in clusters if count >= SHELF_SHARE * len(heights)])
    if receptacle.type in ONE_LEVEL:
        strong = [height for height, count in clusters if count >= SHARE * len(heights)]
        at_zones = [
            height for height in strong if any(abs(height - zone.y) < SOFT_M / 2 for zone in receptacle.zones)
        ]
        return shelves(at_zones) or (round(max(strong, default=clusters[0][0]) - REST_M, 4),)
    if receptacle.type == "CounterTop":
        most = max(clusters, key=lambda cluster: cluster[1])[0]
        return (round(most - REST_M, 4),) if most > ABOVE_BOX_M else ()
    return ()


def level_range(receptacle: Thing) -> tuple[float, float]:
    """Between which heights above its base things can rest on it; the rest is on what stands around it."""
    highest = SEAT_SHARE if receptacle.type in SEATS else 1.0
    return -REST_M if receptacle.type in ONE_LEVEL else CLUSTER_M, highest * receptacle.size[1]


def shelved(fridge: Thing, heights: Sequence[float]) -> Thing:
    """A fridge with shelves where its zones are, its own below them, and solid around the cavity."""
    known = shelves(heights)
    below = tuple(level for level in fridge.levels if level < known[0] - SHELF_M)
    fridge = msgspec.structs.replace(fridge, levels=below + known)
    return msgspec.structs.replace(fridge, walls=walls(fridge))


def settled(furniture: Thing, resting: Sequence[float]) -> Thing:
    """Furniture with its tops no higher than what rests there, and of the shape that they tell.

    With a top at its very base it is a board, and a table is round if some of its zones lie askew.
    """
    levels = tuple(
        round(min([level, *(height - REST_M for height in resting if height > level - SOFT_M)]), 4)
        for level in furniture.levels
    )
    shape = furniture.shape
    if levels and levels[0] < BOARD_M:
        shape = "shelf"
    elif furniture.kind.shape == "table" and any(round(zone.yaw) % 90 for zone in furniture.zones):
        shape = "round_table"
    return msgspec.structs.replace(furniture, levels=levels, shape=shape)


def shelves(heights: Sequence[float]) -> tuple[float, ...]:
    """Heights that lie far enough apart to be shelves of their own."""
    found: list[float] = []
    for height in sorted(heights):
        if not found or height - found[-1] >= SHELF_M:
            found.append(round(height - REST_M, 4))
    return tuple(found)


def walls(thing: Thing) -> tuple[float, ...]:
    """How far the cavity around a thing's zones is from its left, right and back.

    And how far each of its levels is from its front: where its zone ends, or else as far as most.
    """
    width, _, depth = thing.size
    zones = [_level_rect(zone) for zone in thing.zones]
    left, back = min(box.x0 for box in zones) + width / 2, min(box.z0 for box in zones) + depth / 2
    right = width / 2 - max(box.x1 for box in zones)
    fronts = [
        [
            depth / 2 - box.z1
            for box, zone in zip(zones, thing.zones, strict=True)
            if abs(zone.y - level) < SHELF_M / 2
        ]
        for level in thing.levels
    ]
    usual = sorted(depth / 2 - box.z1 for box in zones)[len(zones) // 2]
    thick = [max(gap - WALL_M, LEAST_WALL_M) for gap in (left, right, back)]
    return tuple(round(gap, 4) for gap in (*thick, *(min(front, default=usual) for front in fronts)))


def _level_rect(zone: Zone) -> Rect:
    """A zone along the axes of its receptacle."""
    (x0, z0), (x1, z1) = turned(zone.x0, zone.z0, zone.yaw), turned(zone.x1, zone.z1, zone.yaw)
    return Rect(min(x0, x1), min(z0, z1), max(x0, x1), max(z0, z1))


def _clusters(heights: list[float]) -> list[tuple[float, int]]:
    """(lowest height, count) of each group of heights that lie within two centimetres."""
    groups: list[list[float]] = []
    for height in heights:
        if groups and height - groups[-1][0] <= CLUSTER_M:
            groups[-1].append(height)
        else:
            groups.append([height])
    return [(group[len(group) // 2], len(group)) for group in groups]


def resting_heights(receptacle: Thing, things: Iterable[Thing]) -> list[float]:
    """How high above a receptacle's base the things lie that rest directly on it."""
    return [
        thing.position[1] - receptacle.position[1]
        for thing in things
        if thing.parents and thing.parents[0] == receptacle.id and thing.kind.can("pickup")
    ]


Points = npt.NDArray[np.float64]
"""One row a point: x, z."""
NOWHERE: Points = np.empty((0, 2))


class Outline(NamedTuple):
    """A turned rectangle in the world."""

    x: float
    z: float
    half_x: float
    half_z: float
    yaw: float

    def covers(self, x: Points, z: Points) -> npt.NDArray[np.bool_]:
        """Which places lie in it."""
        sine, cosine = turned(0.0, 1.0, self.yaw)
        across = (x - self.x) * cosine - (z - self.z) * sine
        along = (x - self.x) * sine + (z - self.z) * cosine
        covered: npt.NDArray[np.bool_] = (np.abs(across) <= self.half_x) & (np.abs(along) <= self.half_z)
        return covered

    @property
    def box(self) -> Rect:
        """The smallest upright rectangle around it."""
        sine, cosine = (abs(value) for value in turned(0.0, 1.0, self.yaw))
        wide, deep = self.half_x * cosine + self.half_z * sine, self.half_x * sine + self.half_z * cosine
        return Rect(self.x - wide, self.z - deep, self.x + wide, self.z + deep)


def outline(receptacle: Thing, zone: Zone) -> Outline:
    """Where a zone of a receptacle is in the world."""
    x, z = turned((zone.x0 + zone.x1) / 2, (zone.z0 + zone.z1) / 2, zone.yaw)
    x, _, z = to_world(receptacle, (x, 0.0, z))
    return Outline(x, z, (zone.x1 - zone.x0) / 2, (zone.z1 - zone.z0) / 2, receptacle.yaw + zone.yaw)


def slab(
    box: Rect,
    holes: Sequence[Rect],
    walked: Points = NOWHERE,
    proven: Points = NOWHERE,
    ends: Sequence[Rect] = (),
    zones: Sequence[Outline] = (),
    basins: Sequence[Rect] = (),
) -> list[Rect]:
    """A rectangle without its holes and without what lies next to where people walk, as rectangles.

    Where things were seen to rest (`proven`) it is whole all the same, but not before its `ends`; where
    things can be put (`zones`) it is whole in any case, but for its basins.
    """
    columns = max(1, round((box.x1 - box.x0) / CELL_M))
    rows = max(1, round((box.z1 - box.z0) / CELL_M))
    x = box.x0 + (np.arange(columns) + 0.5) * (box.x1 - box.x0) / columns
    z = box.z0 + (np.arange(rows) + 0.5) * (box.z1 - box.z0) / rows
    keep = np.ones((columns, rows), dtype=bool)
    for hole in holes:
        keep &= ~_within(hole, x, z)
    if len(walked):
        keep &= _nearest(x, z, walked) >= WALK_M**2
    if len(proven):
        keep |= _nearest(x, z, proven) < PROVEN_M**2
    for end in ends:
        keep &= ~_within(end, x, z)
    for zone in zones:
        keep |= zone.covers(x[:, None], z[None, :])
    for basin in basins:
        keep &= ~_within(basin, x, z)
    edges_x = np.linspace(box.x0, box.x1, columns + 1)
    edges_z = np.linspace(box.z0, box.z1, rows + 1)
    return [
        Rect(float(edges_x[i]), float(edges_z[j]), float(edges_x[k]), float(edges_z[m]))
        for i, j, k, m in _rectangles(keep.tobytes(), *keep.shape)
    ]


def _nearest(x: Points, z: Points, points: Points) -> Points:
    """The squared distance of the places in columns x and rows z to the nearest of some points."""
    across = (z[:, None] - points[:, 1]) ** 2
    return np.stack([((column - points[:, 0]) ** 2 + across).min(axis=1) for column in x])


def _within(box: Rect, x: Points, z: Points) -> npt.NDArray[np.bool_]:
    """Which of the places in columns x and rows z lie in a rectangle."""
    inside_x, inside_z = (x > box.x0) & (x < box.x1), (z > box.z0) & (z < box.z1)
    within: npt.NDArray[np.bool_] = inside_x[:, None] & inside_z[None, :]
    return within


@lru_cache(maxsize=512)
def _rectangles(cells: bytes, columns: int, rows: int) -> list[tuple[int, int, int, int]]:
    """Cover the true cells with rectangles, the largest first."""
    keep = np.frombuffer(cells, dtype=bool).reshape(columns, rows).copy()
    found = []
    while keep.any():
        i, j, k, m = _largest(keep)
        found.append((i, j, k, m))
        keep[i:k, j:m] = False
    return found


def _largest(keep: npt.NDArray[np.bool_]) -> tuple[int, int, int, int]:
    """The largest all-true rectangle, by the classic histogram method."""
    best, area = (0, 0, 0, 0), 0
    heights = [0] * keep.shape[1]
    for row, cells in enumerate(keep.tolist()):
        heights = [height + 1 if free else 0 for free, height in zip(cells, heights, strict=True)]
        stack: list[tuple[int, int]] = []
        for col, height in enumerate([*heights, 0]):
            start = col
            while stack and stack[-1][1] >= height:
                start, tall = stack.pop()
                if tall * (col - start) > area:
                    area, best = tall * (col - start), (row + 1 - tall, start, row + 1, col)
            stack.append((start, height))
    return best


def walked_points(cells: Iterable[tuple[int, int]]) -> Points:
    """The middles of walkable cells and of the ways between neighbours."""
    known = set(cells)
    points = [(x * GRID_M, z * GRID_M) for x, z in known]
    for dx, dz in ((1, 0), (0, 1)):
        ways = [(x, z) for x, z in known if (x + dx, z + dz) in known]
        points += [((x + dx / 2) * GRID_M, (z + dz / 2) * GRID_M) for x, z in ways]
    return np.array(sorted(points), dtype=np.float64).reshape(-1, 2)


def counter(thing: Thing, things: Sequence[Thing], walked: Points, proven: Points) -> Thing:
    """A counter top with parts that leave out sinks, furniture and the room before it.

    Its box stands on it, unless the counter has a level of its own within its box.
    """
    box = footprint(thing)
    top = thing.levels[0] if thing.levels else 0.0
    busy = {parent for other in things for parent in other.parents}
    surface = thing.position[1] + top
    zones = [outline(thing, zone) for zone in thing.zones]
    holes = [hole for other in things for hole in _holes(surface, other, busy)]
    straight = [zone.box for zone in zones if zone.yaw % 90 == 0]
    low = [(footprint_of(other), other.yaw) for other in things if _is_under(other, surface)]
    ends = rooms_before([front_of(*each) for each in low] + edges(straight, walked))
    basins = [basin_hole(other) for other in things if other.type == "SinkBasin"]
    rects = slab(box, holes, walked, proven, ends, zones, basins) or slab(box, holes, basins=basins)
    return _with_slab(thing, rects, top - SLAB_M, top + 0.004, 0.005)


def rim(thing: Thing, basins: Sequence[Thing]) -> Thing:
    """A sink or bathtub as the rim around its basins, as wide as its box if things can be put on it."""
    if not basins:
        return thing
    top = max(basin.position[1] + basin.size[1] for basin in basins) - thing.position[1]
    holes = [basin_hole(basin) for basin in basins]
    outer = footprint(thing)
    if not thing.can("receptacle"):
        outer = Rect(
            min(hole.x0 for hole in holes) - RIM_M,
            min(hole.z0 for hole in holes) - RIM_M,
            max(hole.x1 for hole in holes) + RIM_M,
            max(hole.z1 for hole in holes) + RIM_M,
        )
    rects = slab(outer, holes)
    return _with_slab(thing, rects, top - 0.025, top, 0.0)


def _with_slab(thing: Thing, rects: Sequence[Rect], low: float, high: float, inset: float) -> Thing:
    x, _, z = thing.position
    support = Support(inset, False, OPEN_M)
    parts = tuple(
        Part("box", (r.x0 - x, low, r.z0 - z), (r.x1 - x, high, r.z1 - z), support=support) for r in rects
    )
    return msgspec.structs.replace(thing, parts=parts, yaw=0.0)


def _holes(surface: float, other: Thing, busy: Collection[str]) -> list[Rect]:
    """What another thing cuts out of a counter top of this height; `busy` is what something rests on."""
    low, high = other.position[1], other.position[1] + other.size[1]
    if other.type == "Fridge":
        return [footprint_of(other), before(other, 0.0, 0.4)]
    if other.type in STANDS_IN_COUNTER and low < surface - 0.2 and (high > surface or other.id in busy):
        return [footprint_of(other)]
    return []


def _is_under(other: Thing, surface: float) -> bool:
    """Whether something is a cabinet or drawer under a counter of this height, with a straight front."""
    top = other.position[1] + other.size[1]
    return other.type in ("Cabinet", "Drawer") and other.yaw in SIDES and top <= surface + 0.05


def footprint_of(thing: Thing) -> Rect:
    """The rectangle under a thing that faces one of the four sides."""
    wide = thing.yaw in (90.0, 270.0)
    width, depth = (thing.size[2], thing.size[0]) if wide else (thing.size[0], thing.size[2])
    x, _, z = thing.position
    return Rect(x - width / 2, z - depth / 2, x + width / 2, z + depth / 2)


def basin_hole(basin: Thing) -> Rect:
    """What a basin cuts out of what it is set into."""
    box = footprint_of(basin)
    more = BASIN_WALL_M if basin.shape == WIDE_BASIN else 0.0
    return Rect(box.x0 - more, box.z0 - more, box.x1 + more, box.z1 + more)


def before(thing: Thing, near: float, far: float) -> Rect:
    """The rectangle before a thing's front, from `near` to `far` metres away."""
    half, front = thing.size[0] / 2, thing.size[2] / 2
    corners = [to_world(thing, (x, 0.0, front + z)) for x in (-half, half) for z in (near, far)]
    xs, zs = [corner[0] for corner in corners], [corner[2] for corner in corners]
    return Rect(min(xs), min(zs), max(xs), max(zs))
