"""Object memory: tracked objects with their points, states and supports, updated from each picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from housemates.agents.embodied.colours import colour_name
from housemates.agents.embodied.occupancy import OccupancyMap, Points
from housemates.agents.embodied.perception import EXACT, Perception
from housemates.home.kinds import BASINS
from housemates.home.types import object_type
from housemates.render.frames import Frame

STRIDE = 2
"""Every so many rows and columns of a picture are used."""
KEPT = 60
"""Points that are kept of an object."""
MOVED_M = 0.15
"""An object seen at this distance from where it was has been moved."""
SEE_THROUGH_M = 0.3
APPEARANCE = 2
"""Misses after which an object is taken for a false detection."""
VOID_M, VOIDS = 0.4, 3
"""Radius around misses, and their number, within which objects of the type are false detections."""
LAID_M = 0.7
"""Distance within which an object is matched with where it was put down."""
DOUBT_M = 10.0
"""Extra distance in metres that an object of no confidence costs."""


@dataclass
class TrackedObject:
    """An object as the agent knows it; its `key` is unique within the episode."""

    key: str
    type: str
    points: Points
    """Points of its surface in metres, one row each."""
    seen_from: NDArray[np.float64]
    """Position of the camera."""
    step: int
    pixels: int
    holder: str = ""
    """Key of what it stands on or in; empty if unknown."""
    open: bool = False
    running: bool | None = None
    """Whether it is switched on; None if unknown."""
    clean: bool = False
    cooked: bool = False
    water: bool = False
    last_used: int = -1
    """Step at which it was last touched or spoken of; -1 if never."""
    failed_actions: set[str] = field(default_factory=set)
    """Actions that failed on it."""
    confirmed: bool = False
    """Whether the outcome of an act confirmed its type."""
    detected_type: str = ""
    """The type it is detected as, where an outcome told another one."""
    is_unseen_since_put: bool = False
    """Whether it was put down and not seen since."""
    looks_through: int = 0
    """Looks through the place where it was, since it was last seen."""
    misses: int = 0
    """Acts that met nothing of its type there."""
    colour: str = ""
    """The name of its mean colour in the best look; empty if it was not looked at."""

    @property
    def middle(self) -> NDArray[np.float64]:
        """Centre of the bounding box of its points, in metres."""
        middle: NDArray[np.float64] = (self.points.min(axis=0) + self.points.max(axis=0)) / 2
        return middle

    def can(self, affordance: str) -> bool:
        """Whether its type has this affordance."""
        return object_type(self.type).can(affordance)


class ObjectMemory:
    """Every object that was seen and is not known to be gone."""

    def __init__(self, perception: Perception = EXACT) -> None:
        self.perception = perception
        self.things: dict[str, TrackedObject] = {}
        self.held = ""
        """Key of what is in the hand."""
        self.step = 0
        self.confidence: dict[str, float] = {}
        """Key -> share of its type in the votes of all detections; 1 if not listed."""
        self.believed_types: set[str] = set()
        """Types whose faint detections are believed, since a search found no others."""
        self.void_places: dict[str, list[NDArray[np.float64]]] = {}
        """Type -> centres of its misses in metres, one for each miss."""
        self._rays: dict[tuple[int, ...], Points] = {}

    def of(self, types: tuple[str, ...]) -> list[TrackedObject]:
        """Believed objects of these types that are not in the hand."""
        found = [each for each in self.things.values() if each.type in types and self.is_believed(each)]
        return [each for each in found if not self.is_carried(each.key)]

    def is_believed(self, thing: TrackedObject) -> bool:
        """Whether an object is believed to exist: confident or confirmed, and not missed too often."""
        if not thing.confirmed and self._void(thing):
            return False
        carried, fixed = self.perception.min_confidence_carried, self.perception.min_confidence_fixed
        least = carried if thing.can("pickup") else fixed
        sure = self.confidence.get(thing.key, 1.0) >= least or thing.type in self.believed_types
        return thing.misses < APPEARANCE and (thing.confirmed or sure)

    def _void(self, thing: TrackedObject) -> bool:
        """Whether objects of its type were missed repeatedly where this one seems to be."""
        found = [
            float(np.linalg.norm(place - thing.middle)) for place in self.void_places.get(thing.type, ())
        ]
        return sum(away < VOID_M for away in found) >= VOIDS

    def distance_penalty(self, thing: TrackedObject) -> float:
        """Metres by which its uncertainty makes an object count as farther away."""
        return 0.0 if thing.confirmed else DOUBT_M * (1.0 - self.confidence.get(thing.key, 1.0))

    def is_carried(self, key: str) -> bool:
        """Whether an object is in the hand, directly or on what is."""
        for _ in range(6):
            if not key or key == self.held:
                return bool(key)
            key = self.things[key].holder if key in self.things else ""
        return False

    def contents(self, key: str) -> list[TrackedObject]:
        """Objects known to be on or in another one."""
        return [each for each in self.things.values() if each.holder == key]

    def affected(self, machine: TrackedObject) -> list[TrackedObject]:
        """What running a machine has an effect on: what a faucet runs over, what is in or on the others."""
        if machine.type == "Faucet":
            return [thing for basin in self.of(BASINS) for thing in self.contents(basin.key)]
        return [each for each in self.things.values() if self._is_run_by(each, machine)]

    def _is_run_by(self, thing: TrackedObject, machine: TrackedObject) -> bool:
        key = thing.holder
        for _ in range(5):
            holder = self.things.get(key)
            if holder is None:
                return False
            if holder.key == machine.key or (machine.type == "StoveKnob" and holder.type == "StoveBurner"):
                return True
            key = holder.holder
        return False

    def closed_container(self, thing: TrackedObject) -> TrackedObject | None:
        """The closed container that an object was seen in, if any."""
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
        """Note a new object in the hand, at a position in metres."""
        where = np.array([place], dtype=np.float64)
        self.things[key] = TrackedObject(key, kind, where, where[0], self.step, 0)
        self.held = key

    def put_down(self, thing: TrackedObject, holder: str, where: Points, exact: bool) -> None:
        """Note that an object left the hand and is on or in another one.

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
        """Replace a sliced object by confirmed slices at its place, which detection hardly tells apart."""
        kind = object_type(whole.type).slice_type
        for number in range(count if kind else 0):
            key = f"{whole.key}/{number}"
            piece = TrackedObject(key, kind, whole.points, whole.seen_from, self.step, 0)
            piece.is_unseen_since_put, piece.confirmed = True, True
            self.things[key] = piece

    def substitute(self, thing: TrackedObject, keys: Iterable[str]) -> TrackedObject | None:
        """The nearest of some objects of the same type within `LAID_M`, which serves as well."""
        found = [self.things[key] for key in keys if key in self.things]
        away = {each.key: float(np.linalg.norm(each.middle - thing.middle)) for each in found}
        alike = [each for each in found if each.type == thing.type and away[each.key] < LAID_M]
        return min(alike, key=lambda each: away[each.key], default=None)

    def rematch(self, thing: TrackedObject, there: TrackedObject | None = None) -> None:
        """Match a lost object with another of its type: the one given, or the nearest."""
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
        """Forget failed actions, so that they are tried again."""
        for thing in self.things.values():
            thing.failed_actions.clear()

    def forget(self, key: str) -> None:
        """Remove an object, if it is known."""
        self.things.pop(key, None)

    def update(self, frame: Frame, occupancy: OccupancyMap) -> set[str]:
        """Take in a picture and update the map; returns the keys of the objects in it."""
        self.step += 1
        ids = frame.ids[::STRIDE, ::STRIDE].ravel()
        points = self._points(frame)
        rgb = frame.rgb[::STRIDE, ::STRIDE].reshape(-1, 3)
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
            if self.things[key].pixels == len(seen):
                self.things[key].colour = colour_name(rgb[where].mean(axis=0))
            building += self._in_the_way(self.things[key], seen, occupancy)
        solid = np.concatenate(building) if building else np.empty((0, 3))
        occupancy.observe(solid[::2][np.isfinite(solid[::2]).all(axis=1)])
        self._notice_missing(frame, found)
        self._settle(frame, found)
        return found

    def _points(self, frame: Frame) -> Points:
        """The point in metres at each pixel that is used, one row each."""
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
        """Points of an object that are obstacles for good; others are noted as movable."""
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
        """Remove objects where depth now shows something behind their place."""
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
        """Set the holder of movable objects to the receptacle right below them in the picture."""
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
        """Whether a container is closed, as far as known."""
        thing = self.things.get(key)
        return thing is not None and thing.can("open") and not thing.open

    def _open_around(self, thing: TrackedObject) -> str:
        """Key of the open container whose bounding box an object lies in; empty if there is none."""
        middle = thing.middle
        for other in self.things.values():
            inside = (other.points.min(axis=0) <= middle) & (middle <= other.points.max(axis=0))
            if other.open and other.key != thing.key and not other.can("pickup") and inside.all():
                return other.key
        return ""
