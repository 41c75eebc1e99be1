"""Inference without torch: from a picture to detections.

The network in whole numbers, the heads by which codes are read, and its first half for other models lie in a
folder as `exporting` writes it; the package brings one along.
"""

from __future__ import annotations

import zlib
from collections import OrderedDict
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import msgspec
import numpy as np
from numpy.typing import NDArray

from housemates import files
from housemates.errors import HousematesError
from housemates.home.types import object_type, object_types
from housemates.models.networks import onnx_session
from housemates.models.segmentation.config import FINE, REACH, SIDE
from housemates.models.segmentation.instance_grouping import group
from housemates.models.segmentation.integer_heads import FINE_BITS, best_types, means, read, shown
from housemates.models.segmentation.pixels import folded, ray_bytes, resized
from housemates.render.detections import Glimpse, Seen, possible_states
from housemates.render.frames import extents

SHIPPED = Path(__file__).parent / "weights"
CARD, ENCODER, NETWORK, HEADS = "eyes.json", "encoder.onnx", "eyes.onnx", "heads.npz"
FORMAT = 3
EVERYWHERE = ("offsets", "depths", "states", "rims")
"""Heads that are applied to every code."""
UNITS, FACTORS, BIASES = "units", "factors", "biases"
"""Beside the heads: what a step of a code is worth, and what makes the scores of types comparable."""
BUILDING = ("", "Floor")
CERTAIN, TENFOLD = np.array([0.0, 0.8, 1.0]), np.array([0.0, 0.0, 0.18])
"""How likely the type of a thing has to be for it to be no part of another one, by family: if it has one
code, and how much less if it has ten times as many."""
RIM = -1.0
"""The logit from which on a code is at a rim between two things of one type."""
LEAST = 6
"""Codes (2x2 pixels) that a thing needs to be reported."""
LEVELS = ("fourths", "eighths", "sixteenths", "map")
"""The features of the first half, the finest first."""
PIXELS, WAYS = "folded", "rays"
"""A picture, and which way its squares are seen."""
KNOWN = 32
"""Pictures whose detections are cached, as agents often see the same again."""
CODES, SCORES = "codes", "scores"
"""What the network makes of them, for each 2x2 pixels, and how well each type fits that."""


Picture = tuple[tuple[int, ...], bytes, float, float]
"""Its shape, its colours, which way it looks and how wide."""


class EyesCard(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The card of exported weights."""

    format: int = FORMAT
    version: int
    """Of the model."""
    types: list[str]
    """By number; 0 is the building."""
    states: list[str]
    steps: int
    """Of the training so far."""
    config: dict[str, Any]
    valid: dict[str, float] = {}
    """The last validation."""


class Features(NamedTuple):
    """A picture as other models take it in."""

    vector: NDArray[np.float32]
    """(channels,): the mean of the map."""
    map: NDArray[np.float32]
    """(channels, 10, 10)."""


class Eyes:
    """Detects things in pictures by exported weights.

    Args:
        folder: Exported weights; those of the package if None.
        threads: Of onnxruntime.
        sure: How likely the type of a thing has to be for it to be reported.
    """

    def __init__(self, folder: str | Path | None = None, threads: int = 1, sure: float = 0.2) -> None:
        self.folder = SHIPPED if folder is None else Path(folder)
        self.sure = sure
        self.card = read_card(self.folder)
        self._threads = threads
        self._network = onnx_session(self.folder / NETWORK, threads)
        self._heads = _heads(self.folder / HEADS)
        self._fine = self._whole()
        self._known: OrderedDict[Picture, Glimpse] = OrderedDict()

    @cached_property
    def _encoder(self) -> Any:
        return onnx_session(self.folder / ENCODER, self._threads)

    def look(self, rgb: NDArray[np.uint8], horizon: float = 0.0, fov: float = 90.0) -> Glimpse:
        """The detections in a picture of any size.

        Args:
            rgb: The picture.
            horizon: Degrees that the camera looks down, by which it knows how far away things are.
            fov: Its field of view in degrees.
        """
        picture = (rgb.shape, rgb.tobytes(), horizon, fov)
        if picture not in self._known:
            self._known[picture] = self._seen(rgb, horizon, fov)
            if len(self._known) > KNOWN:
                self._known.popitem(last=False)
        self._known.move_to_end(picture)
        return self._known[picture]

    def _seen(self, rgb: NDArray[np.uint8], horizon: float, fov: float) -> Glimpse:
        height, width = rgb.shape[:2]
        codes, scores = self._run(rgb, horizon, fov)
        side = SIDE // FINE
        types = best_types(scores, self._heads[FACTORS], self._heads[BIASES]).reshape(side, side)
        offsets, depths, states, rims = self._readings(codes)
        between = rims.reshape(side, side) > RIM
        numbers, kinds = group(types, between, (offsets * np.float32(REACH)).reshape(side, side, 2), LEAST)
        numbers = self._joined(numbers, kinds, codes)
        mean = means(numbers, len(kinds), codes)
        every = resized(numbers, height, width)
        odds = _odds(shown(numbers, len(kinds), states))
        things = self._things(every, self._named_anew(kinds, mean), mean, odds)
        kept = np.zeros(len(kinds), np.uint16)
        kept[[each.number for each in things]] = [each.number for each in things]
        return Glimpse(
            _lasting(resized(kept[numbers], height, width)),
            things,
            _lasting(resized(np.exp(depths).reshape(side, side), height, width)),
        )

    def judge(
        self, rgb: NDArray[np.uint8], glimpse: Glimpse, horizon: float = 0.0, fov: float = 90.0
    ) -> Glimpse:
        """Given detections with the states that this network sees of them."""
        side = SIDE // FINE
        count = max((each.number for each in glimpse.things), default=0) + 1
        codes, _ = self._run(rgb, horizon, fov)
        odds = _odds(shown(resized(glimpse.numbers, side, side), count, self._readings(codes)[2]))
        things = [each._replace(states=self._named(each.type, odds[each.number])) for each in glimpse.things]
        return Glimpse(glimpse.numbers, things, glimpse.depth)

    def features(self, rgb: NDArray[np.uint8]) -> Features:
        """The coarsest feature map of a picture of any size; only the encoder runs."""
        found = coarsest(self._encoder, rgb)
        return Features(found.mean((1, 2)), found)

    def codes(self, rgb: NDArray[np.uint8], horizon: float = 0.0, fov: float = 90.0) -> NDArray[np.float32]:
        """(150, 150, channels): the code of each 2x2 pixels of a picture scaled to 300x300."""
        codes, _ = self._run(rgb, horizon, fov)
        side = SIDE // FINE
        return np.asarray((codes * self._heads[UNITS]).reshape(side, side, -1))

    def _run(
        self, rgb: NDArray[np.uint8], horizon: float, fov: float
    ) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
        """The codes of a picture, (codes, channels) bytes, and the scores of types, (codes, types)."""
        given = {PIXELS: folded(resized(rgb, SIDE, SIDE))[None], WAYS: ray_bytes(horizon, fov)[None]}
        codes, scores = self._network.run((CODES, SCORES), given)
        return codes, scores

    def _read(self, head: str, codes: NDArray[np.float32]) -> NDArray[np.float32]:
        """The outputs of a head for mean codes, (things, channels)."""
        return np.asarray(codes @ self._heads[head] + self._heads[f"{head} bias"], np.float32)

    def _readings(self, codes: NDArray[np.uint8]) -> list[NDArray[np.float32]]:
        """The outputs of the heads of `EVERYWHERE` for every code."""
        ends = np.cumsum([self._heads[name].shape[1] for name in EVERYWHERE])
        return np.split(read(codes, *self._fine), ends[:-1], axis=1)

    def _whole(self) -> tuple[NDArray[Any], ...]:
        """Those heads as integer weights, steps and biases, the arguments of `read`."""
        weights = np.concatenate([self._heads[name].T for name in EVERYWHERE])
        steps = np.abs(weights).max(1) / np.float32(1 << FINE_BITS)
        whole = np.rint(weights / steps[:, None]).astype(np.int32)
        return whole, steps, np.concatenate([self._heads[f"{name} bias"] for name in EVERYWHERE])

    def _things(
        self,
        numbers: NDArray[np.uint16],
        kinds: NDArray[np.uint8],
        codes: NDArray[np.float32],
        odds: NDArray[np.float32],
    ) -> list[Seen]:
        """Things with boxes, and confidences of type and states from the mean of their codes."""
        sure, boxes = self._likely(codes), extents(numbers, len(kinds))
        found = []
        for number, kind in enumerate(kinds.tolist()):
            name = self.card.types[kind]
            left, top, right, bottom, pixels = boxes[number].tolist()
            sureness = float(sure[number, kind])
            if number and pixels and sureness >= self.sure:
                states = self._named(name, odds[number])
                found.append(Seen(name, number, left, top, right, bottom, pixels, sureness, states))
        return found

    def _likely(self, codes: NDArray[np.float32]) -> NDArray[np.float32]:
        """Probabilities of types, (things, types), of mean codes."""
        scores = self._read("types", codes)
        odds = np.exp(scores - scores.max(-1, keepdims=True))
        return np.asarray(odds / odds.sum(-1, keepdims=True))

    @cached_property
    def _families(self) -> NDArray[np.uint8]:
        """(types,): 0 for the building and the floor, 1 for what can be carried, 2 for the rest."""
        kinds = [None if name in BUILDING else object_type(name) for name in self.card.types]
        return np.array([0 if kind is None else 2 - kind.can("pickup") for kind in kinds], np.uint8)

    def _joined(
        self, numbers: NDArray[np.uint16], kinds: NDArray[np.uint8], codes: NDArray[np.uint8]
    ) -> NDArray[np.uint16]:
        """Merge each uncertain thing into the larger one of its family that it borders on the most."""
        sizes = np.bincount(numbers.ravel(), minlength=len(kinds))
        sure = self._likely(means(numbers, len(kinds), codes))[np.arange(len(kinds)), kinds]
        family = self._families[kinds]
        needed = CERTAIN[family] - TENFOLD[family] * np.log10(np.maximum(sizes, 1))
        touching = _borders(numbers, len(kinds)) * (family[:, None] == family)
        part = np.arange(len(kinds), dtype=np.uint16)
        for each in np.argsort(sizes, kind="stable").tolist():
            larger = touching[each] * (sizes > sizes[each])
            if sure[each] < needed[each] and larger.any():
                part[each] = larger.argmax()
        for each in np.argsort(-sizes, kind="stable").tolist():
            part[each] = part[part[each]]
        return np.asarray(part[numbers])

    def _named_anew(self, kinds: NDArray[np.uint8], means: NDArray[np.float32]) -> NDArray[np.uint8]:
        """The likeliest type in each thing's family, by the mean of its codes."""
        alike = self._families[kinds][:, None] == self._families
        return np.asarray((self._likely(means) * alike).argmax(-1), np.uint8)

    def _named(self, name: str, odds: NDArray[np.float32]) -> dict[str, float]:
        possible = possible_states(name)
        return {
            each: round(value, 3)
            for each, value in zip(self.card.states, odds.tolist(), strict=True)
            if each in possible
        }


def coarsest(encoder: Any, rgb: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The encoder's coarsest feature map, (channels, 10, 10), of a picture of any size."""
    found = encoder.run(LEVELS[-1:], {PIXELS: folded(resized(rgb, SIDE, SIDE))[None]})
    return np.asarray(found[0][0])


@cache
def shipped() -> Eyes:
    """The shipped segmentation network, loaded once per process."""
    return Eyes()


def read_card(folder: Path) -> EyesCard:
    """The card of exported weights; HousematesError for another format or unknown types."""
    if not (folder / CARD).is_file():
        raise HousematesError(f"{folder}: expected exported eyes, a folder with {CARD}.")
    card = files.read_record(folder / CARD, EyesCard)
    unknown = [name for name in card.types[1:] if name not in object_types()]
    if card.format != FORMAT or unknown:
        wrong = f"types that are not known: {unknown[0]}" if unknown else f"format {card.format}"
        raise HousematesError(f"{folder / CARD}: expected eyes of format {FORMAT}, found {wrong}.")
    return card


def _heads(path: Path) -> dict[str, NDArray[Any]]:
    """The heads of exported weights; HousematesError for any other content."""
    try:
        with np.load(path, allow_pickle=False) as file:
            found = {name: file[name] for name in (UNITS, FACTORS, BIASES)}
            for name in ("types", *EVERYWHERE):
                found[name] = file[name] * found[UNITS][:, None]
                found[f"{name} bias"] = file[f"{name} bias"].reshape(found[name].shape[1])
    except OSError as error:
        raise HousematesError(f"{path}: cannot be read ({error.strerror or 'it is no archive'}).") from None
    except (ValueError, TypeError, LookupError, EOFError, BadZipFile, zlib.error, NotImplementedError):
        raise HousematesError(f"{path}: expected the heads of exported eyes; is it complete?") from None
    return found


def _odds(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1.0 / (1.0 + np.exp(-scores)))


def _lasting(array: NDArray[Any]) -> NDArray[Any]:
    """The array, made read-only."""
    array.flags.writeable = False
    return array


def _borders(numbers: NDArray[np.uint16], count: int) -> NDArray[np.int64]:
    """(things, things): the length of the border between each two things, in codes."""
    pairs = [
        one.ravel().astype(np.int64) * count + other.ravel()
        for one, other in ((numbers[1:], numbers[:-1]), (numbers[:, 1:], numbers[:, :-1]))
    ]
    found = np.bincount(np.concatenate(pairs), minlength=count * count).reshape(count, count)
    return np.asarray(found + found.T)
