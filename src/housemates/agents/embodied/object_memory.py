"""What the Follower remembers of the things it saw: where they are, and what it knows of their state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from housemates.agents.embodied.occupancy import OccupancyMap, Points
from housemates.agents.embodied.perception import EXACT, Perception
from housemates.home.types import object_type
from housemates.render.frames import Frame

STRIDE = 2
"""Every so many rows and columns of a picture are taken in."""
KEPT = 60
"""Points that are remembered of a thing."""
MOVED_M = 0.15
"""A thing that is seen so far from where it was has been moved."""
SEE_THROUGH_M = 0.3
APPEARANCE = 2
"""What was missed so often when it was touched is not there."""
VOID_M, VOIDS = 0.4, 3
"""How near to where so often there was nothing of a type there is none."""
LAID_M = 0.7
"""How far from where it was put a thing may have come to lie."""
DOUBT_M = 10.0
"""How far it would go for a thing that is certainly there instead of one that hardly is."""


@dataclass
class TrackedObject:
    """A thing as the Follower knows it; `key` only tells it from others."""

    key: str
    type: str
    points: Points
    """Some points of its surface."""
    seen_from: NDArray[np.float64]
    """Where the eye was."""
    step: int
    pixels: int
    holder: str = ""
    """What it stands on or in, as far as known."""
    open: bool = False
    running: bool | None = None
    """Whether it is on; None if that is not known."""
    clean: bool = False
    cooked: bool = False
    water: bool = False
    last_used: int = -1
    """When it was last touched or spoken of."""
    failed_actions: set[str] = field(default_factory=set)
    """What did not work with it."""
    confirmed: bool = False
    """Whether its type was felt by hand."""
    detected_type: str = ""
    """The type that eyes take it for, if it was felt to be another one."""
    is_unseen_since_put: bool = False
    """Whether it is where it was put, unseen since."""
    looks_through: int = 0
    """How often one saw through where it was, since it was last seen."""
    misses: int = 0
    """How often nothing of its kind was there when it was touched."""

    @property
    def middle(self) -> NDArray[np.float64]:
        """The middle of what was seen of it."""
        middle: NDArray[np.float64] = (self.points.min(axis=0) + self.points.max(axis=0)) / 2
        return middle

    def can(self, affordance: str) -> bool:
        """Whether things of its type afford this."""
        return object_type(self.type).can(affordance)


class ObjectMemory:
    """All things that were seen and are not known to be gone."""

    def __init__(self, perception: Perception = EXACT) -> None:
        self.perception = perception
        self.things: dict[str, TrackedObject] = {}
        self.held = ""
        """What is in the hand."""
        self.step = 0
        self.confidence: dict[str, float] = {}
        """How sure such eyes were of each thing when they saw it best."""
        self.believed_types: set[str] = set()
        """Types of which it takes for real whatever it saw, as it found none otherwise."""
        self.void_places: dict[str, list[NDArray[np.float64]]] = {}
        """Where nothing was that seemed to be of a type, once for each time that one pointed there."""
        self._rays: dict[tuple[int, ...], Points] = {}

    def of(self, types: tuple[str, ...]) -> list[TrackedObject]:
        """The things of some types that are not in the hand, and no mere appearances."""
        found = [each for each in self.things.values() if each.type in types and self.is_believed(each)]
        return [each for each in found if not self.is_carried(each.key)]

    def is_believed(self, thing: TrackedObject) -> bool:
        """Whether it believes in a thing."""
        if not thing.confirmed and self._void(thing):
            return False
        carried, fixed = self.perception.min_confidence_carried, self.perception.min_confidence_fixed
        least = carried if thing.can("pickup") else fixed
        sure = self.confidence.get(thing.key, 1.0) >= least or thing.type in self.believed_types
        return thing.misses < APPEARANCE and (thing.confirmed or sure)

    def _void(self, thing: TrackedObject) -> bool:
        """Whether nothing of its type was found where a thing seems to be, again and again."""
        found = [
            float(np.linalg.norm(place - thing.middle)) for place in self.void_places.get(thing.type, ())
        ]
        return sum(away < VOID_M for away in found) >= VOIDS

    def distance_penalty(self, thing: TrackedObject) -> float:
        """How much farther away, in metres, a thing that is certainly there might be to be as good."""
        return 0.0 if thing.confirmed else DOUBT_M * (1.0 - self.confidence.get(thing.key, 1.0))

    def is_carried(self, key: str) -> bool:
        """Whether something is in the hand, by itself or on what is."""
        for _ in range(6):
            if not key or key == self.held:
                return bool(key)
            key = self.things[key].holder if key in self.things else ""
        return False

    def contents(self, key: str) -> list[TrackedObject]:
        """What is on or in a thing, as far as known."""
        return [each for each in self.things.values() if each.holder == key]

    def closed_container(self, thing: TrackedObject) -> TrackedObject | None:
        """The closed thing that this one was seen in, if there is one."""
        key = thing.holder
        for _ in range(6):
            holder = self.things.get(key)
            if holder is None:
                return None
            if holder.can("open") and not holder.can("pickup") and not holder.open:
                return holder
            key = holder.holder
        return None

    def hold(self, key: str, kind: str, place: Sequence[float]) -> None:
        """Know that something is in the hand."""
        where = np.array([place], dtype=np.float64)
        self.things[key] = TrackedObject(key, kind, where, where[0], self.step, 0)
        self.held = key

    def put_down(self, thing: TrackedObject, holder: str, where: Points, exact: bool) -> None:
        """Know that something is no longer in the hand but on or in another thing.

        Args:
            thing: What was put down.
            holder: The key of the other thing.
            where: The point that was touched.
            exact: Whether it comes to lie there.
        """
        self.held = ""
        thing.holder, thing.points = holder, where
        thing.pixels, thing.is_unseen_since_put = 0, exact

    def add_slices(self, whole: TrackedObject, count: int) -> None:
        """Know that a thing lies in pieces where it was; eyes hardly tell one piece from another."""
        kind = object_type(whole.type).slice_type
        for number in range(count if kind else 0):
            key = f"{whole.key}/{number}"
            piece = TrackedObject(key, kind, whole.points, whole.seen_from, self.step, 0)
            piece.is_unseen_since_put, piece.confirmed = True, True
            self.things[key] = piece

    def substitute(self, thing: TrackedObject, keys: Iterable[str]) -> TrackedObject | None:
        """Of some things the nearest that is as good as another one: of its type and where it was laid."""
        found = [self.things[key] for key in keys if key in self.things]
        away = {each.key: float(np.linalg.norm(each.middle - thing.middle)) for each in found}
        alike = [each for each in found if each.type == thing.type and away[each.key] < LAID_M]
        return min(alike, key=lambda each: away[each.key], default=None)

    def rematch(self, thing: TrackedObject, there: TrackedObject | None = None) -> None:
        """Take another of its kind for a thing that eyes lost sight of: the nearest, if none is named."""
        found = [] if thing.key in self.things else self.of((thing.type,))
        if there is None and found:
            there = min(found, key=lambda each: float(np.linalg.norm(each.middle - thing.middle)))
        if there is not None:
            thing.points, thing.pixels, thing.seen_from = there.points, there.pixels, there.seen_from
            thing.holder, thing.is_unseen_since_put, thing.misses = (
                there.holder,
                there.is_unseen_since_put,
                there.misses,
            )
            self.forget(there.key)
            self.things[thing.key] = thing

    def clear_failures(self) -> None:
        """Try again what did not work, as eyes may see better by now."""
        for thing in self.things.values():
            thing.failed_actions.clear()

    def forget(self, key: str) -> None:
        """A thing is no longer there."""
        self.things.pop(key, None)

    def update(self, frame: Frame, occupancy: OccupancyMap) -> set[str]:
        """Take in a picture; returns the keys of the things in it."""
        self.step += 1
        ids = frame.ids[::STRIDE, ::STRIDE].ravel()
        points = self._points(frame)
        order = np.argsort(ids, kind="stable")
        numbers, starts = np.unique(ids[order], return_index=True)
        parts = dict(zip(numbers.tolist(), np.split(order, starts[1:]), strict=True))
        building = [points[parts.pop(0)]] if 0 in parts else []
        found = set()
        for number, where in parts.items():
            key, kind = frame.labels[number]
            if key == self.held or self.is_carried(key):
                continue
            if kind == "Floor":
                building.append(points[where])
                continue
            found.add(key)
            seen = points[where]
            seen = seen[np.isfinite(seen).all(axis=1)]
            if not len(seen):
                continue
            self._merge(key, kind, seen, frame)
            building += self._in_the_way(self.things[key], seen, occupancy)
        solid = np.concatenate(building) if building else np.empty((0, 3))
        occupancy.observe(solid[::2][np.isfinite(solid[::2]).all(axis=1)])
        self._notice_missing(frame, found)
        self._settle(frame, found)
        return found

    def _points(self, frame: Frame) -> Points:
        """The point of the world at each pixel that is taken in."""
        height, width = frame.ids.shape
        if (height, width) not in self._rays:
            rows, columns = np.mgrid[0:height:STRIDE, 0:width:STRIDE] + 0.5
            focal = frame.camera.focal
            pixels = [(columns - width / 2) / focal, (height / 2 - rows) / focal, np.ones_like(rows)]
            self._rays[height, width] = np.stack(pixels, axis=-1).reshape(-1, 3)
        depth = frame.depth[::STRIDE, ::STRIDE].ravel().astype(np.float64)
        rays = self._rays[height, width] @ frame.camera.axes
        with np.errstate(invalid="ignore"):
            points: Points = np.asarray(frame.camera.position) + depth[:, None] * rays
        return points

    def _merge(self, key: str, kind: str, seen: Points, frame: Frame) -> None:
        thin = seen[:: max(1, len(seen) // KEPT)][:KEPT]
        known = self.things.get(key)
        eye = np.asarray(frame.camera.position)
        if known is None:
            self.things[key] = TrackedObject(key, kind, thin, eye, self.step, len(seen))
            return
        known.step, known.is_unseen_since_put, known.looks_through = self.step, False, 0
        if len(seen) > self.perception.sharper_ratio * known.pixels:
            known.points, known.pixels, known.seen_from = thin, len(seen), eye
        elif object_type(kind).can("pickup"):
            moved = float(np.abs(thin.mean(axis=0) - known.points.mean(axis=0)).max()) > MOVED_M
            if moved:
                known.holder = ""
            if moved or len(seen) >= 0.5 * known.pixels:
                known.points, known.pixels, known.seen_from = thin, len(seen), eye
        elif self.perception.trusted_depth:
            known.points = np.concatenate([thin, known.points[:: 2 if len(known.points) > KEPT else 1]])
            if len(seen) > known.pixels:
                known.pixels, known.seen_from = len(seen), eye

    def _in_the_way(self, thing: TrackedObject, seen: Points, occupancy: OccupancyMap) -> Iterator[Points]:
        """What of a thing will stay in the way; the rest is noted as passing."""
        if thing.can("pickup"):
            if seen[:, 1].min() - occupancy.floor_y < 0.1:
                occupancy.observe_movable(thing.key, seen)
            else:
                occupancy.forget(thing.key)
        elif thing.open:
            occupancy.observe_movable(thing.key, seen)
        else:
            yield seen

    def _notice_missing(self, frame: Frame, found: set[str]) -> None:
        """Forget things where one now sees through the place they were in."""
        height, width = frame.ids.shape
        for thing in list(self.things.values()):
            if thing.key in found or not thing.can("pickup") or self.is_carried(thing.key):
                continue
            if self.closed_container(thing) is not None or (
                self.perception.keeps_put_down and thing.is_unseen_since_put
            ):
                continue
            x, y, z = thing.middle
            column, row, depth = frame.camera.pixel((float(x), float(y), float(z)))
            if depth < 0.3 or not (8 < column < width - 8 and 8 < row < height - 8):
                continue
            if float(frame.depth[int(row), int(column)]) > depth + SEE_THROUGH_M:
                thing.looks_through += 1
                if thing.looks_through >= self.perception.vanish_looks:
                    self.forget(thing.key)

    def _settle(self, frame: Frame, found: set[str]) -> None:
        """Note what movable things stand on: what is seen right below them."""
        height = frame.ids.shape[0]
        for detection in frame.boxes():
            thing = self.things.get(detection.id)
            if thing is None or detection.id not in found or not thing.can("pickup") or thing.holder:
                continue
            row = frame.ids[detection.bottom - 1]
            columns = np.flatnonzero(row == frame.numbers[detection.id])
            column = int(columns[len(columns) // 2])
            for below in range(detection.bottom, min(height, detection.bottom + 12)):
                key, kind = frame.labels[frame.ids[below, column]]
                if key and key != thing.key and kind != "Floor" and object_type(kind).can("receptacle"):
                    if not self.is_carried(key) and (self.perception.trusted_depth or not self._shut(key)):
                        thing.holder = key
                    break
            thing.holder = thing.holder or self._open_around(thing)

    def _shut(self, key: str) -> bool:
        """Whether nothing in a thing can be seen, as far as known."""
        thing = self.things.get(key)
        return thing is not None and thing.can("open") and not thing.open

    def _open_around(self, thing: TrackedObject) -> str:
        """The open thing whose box a thing lies in, if there is one."""
        middle = thing.middle
        for other in self.things.values():
            inside = (other.points.min(axis=0) <= middle) & (middle <= other.points.max(axis=0))
            if other.open and other.key != thing.key and not other.can("pickup") and inside.all():
                return other.key
        return ""
