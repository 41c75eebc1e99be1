"""Perception from RGB: predicted segmentation and depth, objects tracked by type and place."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from housemates.agents.embodied.embodiment import Click, Embodiment, Pose
from housemates.agents.embodied.object_memory import LAID_M, ObjectMemory, TrackedObject
from housemates.agents.embodied.occupancy import Points
from housemates.agents.embodied.perception import NOISY
from housemates.agents.embodied.pointing import points_of
from housemates.agents.reader.perception.held_object import appeared, in_hand
from housemates.agents.reader.perception.triangulation import PositionEstimate
from housemates.core.actions import Act
from housemates.core.outcome import Outcome
from housemates.core.percepts import Percept
from housemates.home.things import AGENT_HEIGHT_M, CAMERA_ABOVE_AGENT_M
from housemates.home.types import object_type
from housemates.models.segmentation import Eyes
from housemates.render.camera import Camera
from housemates.render.detections import Glimpse
from housemates.render.detections import Seen as Detection
from housemates.render.frames import Frame, Label

VIEW = "view"
SAME_M = {True: 0.15, False: 0.35}
"""Distance within which an object of the same type is the same: if it can be carried, and if not."""
ASKEW, BLUR = 0.1, 1.0
"""Growth of that distance per metre of depth, and its extra tolerance along the ray."""
TAKEN_FOR_M = 0.1
"""Distance within which an object of another type is the same, misclassified."""
CLEAR_PX = 400
"""Pixels beyond which a larger detection has no more weight."""
UNSURE = ""
SURE = 0.3
"""Least confidence of a detection that is tracked."""
ONE_OF_A_KIND = (
    *("Fridge", "Microwave", "CoffeeMachine", "Toaster", "GarbageCan", "Television", "Sink", "SinkBasin"),
    *("Toilet", "Bathtub", "BathtubBasin", "Bed", "FloorLamp", "Safe"),
)
"""Types of which no home of TEACh's train games has two, but for sinks (two of 32 homes)."""
BIG_M = 2.0
"""Distance within which such an object is the same."""
FLOOR = "Floor"
WHOLE_M, SMALL_M = 0.6, 0.3
"""Largest size of an object that is triangulated, and of one that gets a single depth."""
LOOKED_AT = 80
"""Pixels sampled from each detection."""
EYE_M = AGENT_HEIGHT_M + CAMERA_ABOVE_AGENT_M
"""Height of the camera above the floor."""
EDGE_PX, EDGE = 4, 0.16
"""A relative depth change of so much within so many pixels is an occlusion edge."""
IN_HAND = 0.5
"""A segment with this share of its pixels in the hand's region belongs to the held object."""

ObjectIndex = tuple[list[TrackedObject], Points, Points]
"""Objects, one point of each, and a bound on the distance of its other points."""


class PredictedVision:
    """An embodiment whose segmentation and depth are predicted from RGB.

    Args:
        embodiment: The benchmark's part: localisation and acts.
        eyes: The segmentation network.
        memory: Objects seen before; a match keeps its key.
    """

    def __init__(self, embodiment: Embodiment, eyes: Eyes, memory: ObjectMemory) -> None:
        self.embodiment, self.eyes, self.memory = embodiment, eyes, memory
        self.look_deg, self.fov_deg = embodiment.look_deg, embodiment.fov_deg
        self.blind_m, self.max_bumps = embodiment.blind_m, embodiment.max_bumps
        self.places_at_click = embodiment.places_at_click
        self.preferred_distance_m, self.off_axis_cost = (
            embodiment.preferred_distance_m,
            embodiment.off_axis_cost,
        )
        self.wall_m = embodiment.wall_m
        memory.perception = NOISY
        self._made = 0
        self._votes: dict[str, dict[str, float]] = {}
        """Key -> type -> votes, weighted by confidence and size."""
        self._estimates: dict[str, PositionEstimate] = {}
        """Triangulated positions of small objects since they were last moved."""
        self._seen: tuple[int, Pose, Frame] | None = None
        self._hand = ("", np.zeros((0, 0), bool))
        """Key of the held object and the mask that it covers."""

    def localise(self, percept: Percept) -> Pose:
        """The pose, as the benchmark localises it."""
        return self.embodiment.localise(percept)

    def move(self, name: str) -> Act:
        """The act that the benchmark has for a move."""
        return self.embodiment.move(name)

    def touch(self, name: str, frame: Frame, key: str, click: Click) -> Act:
        """The act that the benchmark has for an object action."""
        return self.embodiment.touch(name, frame, key, click)

    def outcome(self, act: Act, percept: Percept) -> Outcome:
        """What the benchmark tells of the last act."""
        return self.embodiment.outcome(act, percept)

    def observe(self, percept: Percept) -> Frame:
        """Predicted segmentation and depth of the picture, with the camera at the believed pose."""
        stance, last = self.localise(percept), self._seen
        if last is not None and last[0] == percept.turn:
            return last[2]
        rgb = percept.pictures[VIEW]()
        same = last is not None and last[1] == stance and np.array_equal(last[2].rgb, rgb)
        frame = last[2] if last is not None and same else self._look(rgb, stance)
        self._seen = (percept.turn, stance, frame)
        return frame

    def _look(self, rgb: NDArray[np.uint8], stance: Pose) -> Frame:
        x, y, z, rotation, horizon = stance
        glimpse = self.eyes.look(rgb, horizon, self.fov_deg)
        assert glimpse.depth is not None
        height, width = rgb.shape[:2]
        eye = (x, y + CAMERA_ABOVE_AGENT_M, z)
        camera = Camera(eye, rotation, horizon, width, height, self.fov_deg)
        depth = _clean_depth(self._depth(glimpse, camera), glimpse)
        carried = self._held_mask(glimpse, rgb, camera)
        depth[carried] = np.nan
        labels = self._associate_all(glimpse, Frame(camera, rgb, glimpse.numbers, depth, ()))
        named = [labels.get(number, Label("", "")) for number in range(int(glimpse.numbers.max()) + 1)]
        first = [named.index(label) for label in named]
        shown = tuple(named[at] if at == number else Label("", "") for number, at in enumerate(first))
        return Frame(camera, rgb, np.array(first, np.uint16)[glimpse.numbers], depth, shown)

    def _held_mask(self, glimpse: Glimpse, rgb: NDArray[np.uint8], camera: Camera) -> NDArray[np.bool_]:
        """Mask of the held object, whatever it is classified as."""
        held = self.memory.things.get(self.memory.held)
        if held is None:
            self._hand = ("", np.zeros(glimpse.numbers.shape, bool))
            return self._hand[1]
        if self._hand[0] != held.key:
            last = self._seen[2] if self._seen is not None else None
            taken = last is not None and last.camera == camera
            mask = (
                appeared(last.rgb, rgb, camera, held.type) if last and taken else in_hand(camera, held.type)
            )
            self._hand = (held.key, mask)
        hand = self._hand[1]
        count = int(glimpse.numbers.max()) + 1
        whole = np.bincount(glimpse.numbers.ravel(), minlength=count)
        parts = np.bincount(glimpse.numbers[hand], minlength=count) > IN_HAND * whole
        parts[[each.number for each in glimpse.things if each.type == FLOOR]] = False
        return np.asarray(hand | parts[glimpse.numbers] & (glimpse.numbers > 0))

    def _depth(self, glimpse: Glimpse, camera: Camera) -> NDArray[np.float32]:
        """Depth in metres: that of the floor plane on floor pixels, and nowhere below that plane."""
        assert glimpse.depth is not None
        height = glimpse.depth.shape[0]
        up = (height / 2 - np.arange(height) - 0.5) / camera.focal
        falls = -(up * camera.axes[1, 1] + camera.axes[2, 1])
        with np.errstate(divide="ignore"):
            plane = np.where(falls > 1e-3, EYE_M / np.maximum(falls, 1e-3), np.inf)[:, None]
        floor = np.isin(glimpse.numbers, [each.number for each in glimpse.things if each.type == FLOOR])
        found = np.where(floor & np.isfinite(plane), plane, np.minimum(glimpse.depth, plane))
        return found.astype(np.float32)

    def _associate_all(self, glimpse: Glimpse, frame: Frame) -> dict[int, Label]:
        """Data association: a known or new key for each detection."""
        taken: set[str] = {self.memory.held}
        index = self._index()
        found: dict[int, Label] = {}
        for thing in sorted(glimpse.things, key=lambda each: -each.pixels):
            if thing.type == FLOOR:
                found[thing.number] = Label(FLOOR, FLOOR)
                continue
            if thing.confidence < SURE:
                continue
            rows, columns = np.nonzero(glimpse.mask(thing))
            pick = np.linspace(0, len(rows) - 1, min(LOOKED_AT, len(rows))).astype(np.int64)
            points = points_of(frame, rows[pick], columns[pick])
            points = points[np.isfinite(points).all(axis=1)]
            if 2 * len(points) < len(pick):
                continue
            key = self._associate(thing, points, np.asarray(frame.camera.position), taken, index)
            key = key or next((each.id for each in found.values() if self._only(each.type, thing.type)), "")
            if not key and not self._is_duplicate(thing):
                self._made += 1
                key = f"{thing.type}#{self._made}"
            if key:
                taken.add(key)
                found[thing.number] = Label(key, self._vote(key, thing))
                self._triangulate(key, thing, points, frame)
        return found

    def _triangulate(self, key: str, thing: Detection, points: Points, frame: Frame) -> None:
        """Rescale the depth of a small object to its triangulated position."""
        height, width = frame.ids.shape
        cut = thing.left == 0 or thing.top == 0 or thing.right == width or thing.bottom == height
        known = self.memory.things.get(key)
        if known is not None and known.is_unseen_since_put:
            self._estimates.pop(key, None)
        if cut or max(object_type(thing.type).size) > WHOLE_M:
            return
        eye: Points = np.asarray(frame.camera.position)
        middle: Points = np.median(points, axis=0)
        place = self._estimates.setdefault(key, PositionEstimate()).add(eye, middle)
        frame.depth[frame.ids == thing.number] *= np.linalg.norm(place - eye) / np.linalg.norm(middle - eye)

    def _only(self, kind: str, other: str) -> bool:
        return kind == other and kind in ONE_OF_A_KIND

    def _is_duplicate(self, thing: Detection) -> bool:
        """Whether the type is one of a kind and a better detection of it is elsewhere."""
        seen = thing.confidence * min(thing.pixels, CLEAR_PX)
        for other in [each for each in self.memory.things.values() if self._only(each.type, thing.type)]:
            better = self._votes.get(other.key, {}).get(thing.type, 0.0) >= seen
            if other.confirmed or (better and not other.misses):
                return True
            self.memory.forget(other.key)
        return False

    def _vote(self, key: str, thing: Detection) -> str:
        """Add a vote for a detection's type; returns the object's type by all votes."""
        votes = self._votes.setdefault(key, defaultdict(float))
        weight = min(thing.pixels, CLEAR_PX)
        votes[thing.type] += thing.confidence * weight
        votes[UNSURE] += (1.0 - thing.confidence) * weight
        known = self.memory.things.get(key)
        kind = max((each for each in votes if each != UNSURE), key=lambda each: votes[each])
        self.memory.confidence[key] = votes[kind] / sum(votes.values())
        if known is None:
            return kind
        if not known.confirmed:
            known.type = kind
        return known.type

    def _associate(
        self, thing: Detection, points: Points, eye: Points, taken: set[str], index: ObjectIndex
    ) -> str:
        """Key of the nearest remembered object that the detection may be; empty if it is new."""
        kind = thing.type
        middle: NDArray[np.float64] = np.median(points, axis=0)
        only, carried = kind in ONE_OF_A_KIND, object_type(kind).can("pickup")
        depth = float(np.linalg.norm(middle - eye))
        ray = (middle - eye) / max(depth, 1e-3)
        best, nearest = "", 1.0
        for each in _nearby(index, eye, middle, BIG_M if only else LAID_M):
            if (each.key in taken and not only) or self.memory.is_carried(each.key):
                continue
            same = kind in (each.type, each.detected_type)
            if not same and (each.can("pickup") != carried or not self._may_be_misclassified(each, thing)):
                continue
            if same and (only or each.is_unseen_since_put):
                away = np.linalg.norm(each.points - middle, axis=1) / (BIG_M if only else LAID_M)
            else:
                away = _distances(each.points - eye, ray, depth) / (SAME_M[carried] if same else TAKEN_FOR_M)
            if away.min() < nearest:
                best, nearest = each.key, float(away.min())
        return best

    def _index(self) -> ObjectIndex:
        """An index of remembered objects, to discard those that are far away."""
        things = list(self.memory.things.values())
        places = [each.points[0] for each in things]
        sizes = [np.abs(each.points - each.points[0]).max() for each in things]
        return things, np.array(places).reshape(-1, 3), np.array(sizes) * np.sqrt(3)

    def _may_be_misclassified(self, known: TrackedObject, thing: Detection) -> bool:
        """Whether either detection is uncertain enough to be a misclassification."""
        return (
            not known.is_unseen_since_put
            and min(self.memory.confidence.get(known.key, 1.0), thing.confidence) < NOISY.certain
        )


def _clean_depth(depth: NDArray[np.float32], glimpse: Glimpse) -> NDArray[np.float32]:
    """Depth without smear: one depth for a small object, NaN at occlusion edges.

    What would be nothing but edges is left as it is: its depth is only unsteady.
    """
    found, far = depth.copy(), np.log(depth)
    edges = np.zeros(depth.shape, bool)
    for turned, marks in ((far, edges), (far.T, edges.T)):
        steep = np.abs(turned[EDGE_PX:] - turned[:-EDGE_PX]) > EDGE
        marks[EDGE_PX:] |= steep
        marks[:-EDGE_PX] |= steep
    found[edges] = np.nan
    for thing in glimpse.things:
        mask, kind = glimpse.mask(thing), object_type(thing.type)
        if kind.can("pickup") or max(kind.size) <= SMALL_M:
            found[mask] = np.median(depth[mask])
        elif 2 * np.count_nonzero(edges[mask]) > thing.pixels:
            found[mask] = depth[mask]
    return found


def _nearby(index: ObjectIndex, eye: Points, middle: Points, reach: float) -> list[TrackedObject]:
    """Remembered objects near a position or along the ray to it."""
    things, places, sizes = index
    away = float(np.linalg.norm(middle - eye))
    ray, rest = (middle - eye) / max(away, 1e-3), places - eye
    aside = np.linalg.norm(rest - (rest @ ray)[:, None] * ray, axis=1)
    beside = aside - sizes < SAME_M[False] * (1.0 + ASKEW * away)
    near = np.linalg.norm(places - middle, axis=1) - sizes < reach
    return [things[index] for index in np.flatnonzero(beside | near).tolist()]


def _distances(points: Points, ray: Points, depth: float) -> NDArray[np.float64]:
    """Distances from points to one seen along a ray, with more tolerance along the ray.

    Eyes know well in which direction a thing is, and not so well how far away.
    """
    along = points @ ray
    aside = np.linalg.norm(points - along[:, None] * ray, axis=1)
    found: NDArray[np.float64] = np.hypot(aside, (along - depth) / (1.0 + BLUR * depth)) / (
        1.0 + ASKEW * depth
    )
    return found
