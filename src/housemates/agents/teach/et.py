"""TEACh's Follower played by a trained Episodic Transformer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.teach.world.actions import TOUCHES
from housemates.benchmarks.teach.world.views import FollowerView
from housemates.core.actions import Act, Offer
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept
from housemates.home.things import type_in
from housemates.models.checkpoints import read_card, read_config, shipped_weights
from housemates.models.image_encoders import encoder_of
from housemates.models.networks import Arrays, open_network
from housemates.models.segmentation.inference import Eyes
from housemates.models.teach_et.config import EtConfig
from housemates.models.teach_et.data import (
    ACTIONS,
    START,
    TYPES,
    dialogue_words,
    history_of,
)
from housemates.models.vocabulary import Vocabulary
from housemates.render.detections import Glimpse

SHIPPED = shipped_weights("teach_et")
VIEW = "view"
MIDDLE = (0.5, 0.5)
Picture = NDArray[np.uint8]


class EtFollower(Agent):
    """Takes the likeliest action at each frame; after a failure the next likeliest of the same step.

    Args:
        folder: The checkpoint's folder; the shipped one by default.
        eyes: Point at pixels where the package's segmentation network sees the likeliest type; otherwise by
            object id among the offers, and then it takes only actions for which an object is offered.
    """

    def __init__(self, folder: Path = SHIPPED, eyes: bool = False) -> None:
        card = read_card(folder)
        self._config = read_config(folder, card, EtConfig)
        self._words = Vocabulary(card.vocabulary["words"])
        self._encoder = encoder_of(self._config.encoder, folder)
        self._net = open_network(folder)
        self._eyes = Eyes() if eyes else None

    def reset(self, brief: Brief) -> None:
        """Forget the episode before."""
        self._cache: Arrays = {}
        self._previous, self._steps = START, 0
        self._actions = np.zeros(len(ACTIONS), np.float32)

    def act(self, percept: Percept) -> Act:
        """The likeliest action, with the offered or visible object whose type is likeliest."""
        if not self._cache:
            self._begin(percept.data)
        if self._steps and percept.last is not None and not percept.last.success:
            self._actions[self._previous] = -np.inf
        else:
            found = self._see(percept.pictures[VIEW])
            self._actions, self._objects = found["actions"].copy(), found["objects"]
        self._steps += 1
        offered = _offered(percept.offers)
        if self._eyes is None:
            self._actions[[ACTIONS.index(name) for name in TOUCHES if not offered.get(name)]] = -np.inf
        self._previous = int(self._actions.argmax())
        name = ACTIONS[self._previous]
        if name not in TOUCHES:
            return Act(name)
        if self._eyes is not None:
            return Act(name, {"point": point_at(self._eyes.look(percept.pictures[VIEW]()), self._logit)})
        return Act(name, {"object": max(offered[name], key=lambda thing: self._logit(type_in(thing)))})

    def _logit(self, kind: str) -> float:
        """The logit of a type of object."""
        return float(self._objects[TYPES.index(kind)]) if kind in TYPES else -np.inf

    def _begin(self, view: FollowerView) -> None:
        """Encode the dialogue, and the history's actions, with their frames if the network takes them in."""
        tokens = self._words.numbers(dialogue_words(view.dialogue, self._config))
        self._cache = self._net.run("begin", tokens=np.array([tokens]))
        past = view.past() if self._config.past else []
        done = [name for _, name in past] or [each.act.name for each in view.history if each.act is not None]
        numbers = history_of(done, self._config)
        pictures: list[Callable[[], Picture] | None] = [partial(np.asarray, each) for each, _ in past]
        pictures = pictures or [None] * len(numbers)
        for number, picture in zip(numbers, pictures[len(pictures) - len(numbers) :], strict=True):
            self._see(picture)
            self._previous = int(number)

    def _see(self, picture: Callable[[], Picture] | None) -> Arrays:
        """One step of the network; the picture is drawn only with vision."""
        if picture is None or not self._config.vision:
            return self._run("step_without_frame")
        return self._run("step", frame=self._encoder.encode(picture()[None]))

    def _run(self, entry_point: str, **frame: NDArray[np.float32]) -> Arrays:
        previous = np.array([self._previous])
        found = self._net.run(entry_point, **self._cache, **frame, previous_action=previous)
        self._cache = {name: found.get(name, each) for name, each in self._cache.items()}
        return found


def _offered(offers: Sequence[Offer]) -> dict[str, Sequence[str]]:
    """Action -> object ids that it is offered for."""
    return {offer.name: each.choices for offer in offers for each in offer.arguments if each.name == "object"}


def point_at(glimpse: Glimpse, score: Callable[[str], float]) -> tuple[float, float]:
    """A point, (x, y) from 0 to 1, on the thing whose type scores best; the middle if none is detected."""
    if not glimpse.things:
        return MIDDLE
    best = max(glimpse.things, key=lambda thing: score(thing.type))
    rows, columns = np.nonzero(glimpse.numbers == best.number)
    height, width = glimpse.numbers.shape
    return float(columns[len(rows) // 2]) / width, float(rows[len(rows) // 2]) / height
