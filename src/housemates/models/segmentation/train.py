"""Trains the segmentation network: losses at sampled codes, validated by the recall of things."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from itertools import count
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from housemates.data.store import needed_store
from housemates.home.types import object_types
from housemates.models.learner import Learner
from housemates.models.segmentation.config import EyesConfig
from housemates.models.segmentation.data import Course, Lesson
from housemates.models.segmentation.metrics import GROUPS, Tally
from housemates.models.segmentation.model import Averaged, Net, Readings
from housemates.models.segmentation.pixels import folded, rays, resized
from housemates.models.segmentation.test_pictures import exam
from housemates.parallel import map_ordered
from housemates.render.detections import STATES
from housemates.render.frames import Frame

WEIGHTS = {"types": 1.0, "offsets": 1.0, "depths": 1.0, "states": 0.5, "rims": 0.25}
"""Weights of the losses."""
APART = 1000.0
RARER = 4.0
"""Weight of a place at which a state shows."""
SHOWN = 0.15
"""Share of a thing's places that must show its state."""


class EyesLearner(Learner[EyesConfig]):
    """Learns one lesson per epoch, while another process renders the next; monitors recall by group."""

    net: Averaged
    monitor = "recall"
    vocabulary_rows = MappingProxyType({"types": ("net.heads.types.weight", "net.heads.types.bias")})

    def __init__(self, config: EyesConfig, data: Path) -> None:
        super().__init__(config, data)
        if config.rooms < 1:
            needed_store(data)
        self.types = ("", *object_types())
        self.net = Averaged(Net(config, len(self.types)), Net(config, len(self.types)))
        self.net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.course = Course(str(data) if config.rooms < 1 else "", config)
        self._lessons: Generator[Lesson, None, None] | None = None
        self._lesson: Lesson | None = None
        self._begun = -1

    @property
    def count(self) -> int:
        """Pictures in a lesson."""
        return self.config.frames

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """The names of types and of states."""
        return {"types": self.types, "states": STATES}

    def begin_epoch(self, epoch: int) -> None:
        """Take the lesson of this epoch, made in another process."""
        if self._lessons is None or epoch != self._begun + 1:
            self._lessons = lessons(self.course, epoch)
        self._lesson, self._begun = next(self._lessons), epoch

    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """The weighted sum of the losses at the sampled places."""
        assert self._lesson is not None
        lesson = Lesson._make(column[examples] for column in self._lesson)
        codes, things, *truth = (torch.from_numpy(each) for each in lesson[2:])
        net = self.net.net
        with torch.autocast("cpu", torch.bfloat16):
            found = net.at(*given(lesson.pictures, lesson.views), codes.long())
        read = net.read(found.float())
        parts = losses(read, things, *truth)
        whole = torch.stack([WEIGHTS[name] * each for name, each in parts.items()]).sum()
        return whole, {name: each.item() for name, each in parts.items()}

    def after_step(self, step: int) -> None:
        """Update the running mean of the weights, faster at the beginning."""
        self.net.follow(min(self.config.mean, (1 + step) / (10 + step)))

    def validate(self) -> Mapping[str, float]:
        """Recall by group, their mean, and pixel accuracy of the averaged network on validation pictures."""
        tally, right, pixels, config = Tally(), 0, 0, self.config
        for frame in exam(config.valid, str(self.data), config.checked, self.course.looks):
            types = self._types(frame)
            tally.add_truth(frame, types)
            right += int(np.count_nonzero(types == frame.types()))
            pixels += types.size
        recalls = {group: tally.recall(tally.names(group)) for group in GROUPS}
        mean = sum(recalls.values()) / len(recalls)
        return {"recall": mean, **recalls, "pixels": right / pixels}

    def _types(self, frame: Frame) -> NDArray[np.uint8]:
        mean = self.net.mean
        view = np.array([[frame.camera.horizon, frame.camera.fov]])
        codes = mean(*given(frame.rgb[None], view))
        best = mean.heads["types"](codes).argmax(-1)[0]
        return resized(best.numpy().astype(np.uint8), *frame.ids.shape)


def given(pictures: NDArray[np.uint8], views: NDArray[Any]) -> tuple[Tensor, Tensor]:
    """Folded pictures and viewing rays as tensors."""
    ways = np.stack([rays(horizon, fov) for horizon, fov in views.tolist()])
    return torch.from_numpy(folded(pictures)), torch.from_numpy(ways)


def lessons(course: Course, first: int) -> Generator[Lesson, None, None]:
    """Lessons from a number on, each rendered while the one before is learnt."""
    return map_ordered(course.lesson, count(first), workers=1, apart=True)


def losses(
    read: Readings,
    things: Tensor,
    types: Tensor,
    offsets: Tensor,
    depths: Tensor,
    states: Tensor,
    rims: Tensor,
) -> dict[str, Tensor]:
    """The losses by name, before `WEIGHTS`.

    Args:
        read: Predictions, (pictures, places, ...).
        things: (pictures, places) numbers of things.
        types: (pictures, places).
        offsets: (pictures, places, 2).
        depths: (pictures, places), log metres.
        states: (pictures, places, states): 0, 1 or unknown.
        rims: (pictures, places), 0 or 1.
    """
    asked = (states == 0) | telling(read.states.detach(), things, states == 1)
    weight = asked * torch.where(states == 1, RARER, 1.0)
    there = (types > 0).float()
    distance = functional.smooth_l1_loss(read.offsets, offsets, reduction="none", beta=0.1).sum(-1)
    doubt = functional.binary_cross_entropy_with_logits(read.states, states.float(), reduction="none")
    beside = functional.binary_cross_entropy_with_logits(read.rims[..., 0], rims.float(), reduction="none")
    return {
        "types": functional.cross_entropy(read.types.flatten(0, 1), types.flatten().long()),
        "offsets": (distance * there).sum() / there.sum().clamp(min=1),
        "depths": functional.smooth_l1_loss(read.depths[..., 0], depths, beta=0.1),
        "states": (doubt * weight).sum() / weight.sum().clamp(min=1),
        "rims": (beside * there).sum() / there.sum().clamp(min=1),
    }


def telling(scores: Tensor, things: Tensor, true: Tensor) -> Tensor:
    """The top `SHOWN` share of places by score of each thing in a state; the others are left out of the loss.

    A running faucet shows it by its water, a full pot by its content: the rest need not.

    Args:
        scores: (pictures, places, states).
        things: (pictures, places) numbers of things.
        true: (pictures, places, states): whether the thing there is in that state.
    """
    together = things.double()[..., None] * APART - scores.double().clamp(-APART / 4, APART / 4)
    place = together.argsort(1).argsort(1)
    order = things.sort(1).values
    first, end = (torch.searchsorted(order, things, right=right) for right in (False, True))
    wanted = (SHOWN * (end - first)).ceil()
    return true & (place - first[..., None] < wanted[..., None])
