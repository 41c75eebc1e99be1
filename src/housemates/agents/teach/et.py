"""The Follower that plays with what was trained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from housemates.models.teach_et.data import ACTIONS, LONGEST_STEPS, START, STOP, TYPES, acted, said
from housemates.models.vocabulary import Vocabulary
from housemates.render.detections import Glimpse

SHIPPED = shipped_weights("teach_et")
VIEW = "view"
MIDDLE = (0.5, 0.5)


class EtFollower(Agent):
    """Takes in one frame at a time; what failed is as if it had not been done, and is not tried again there.

    It stops where all sessions that it has learnt from have ended, and touches by id only what is offered.

    Args:
        folder: Of the checkpoint; by default the one that comes with the package.
        eyes: Point at the picture where the package's eyes see the type that is meant; else by id, among
            what is offered, and then it does nothing for which nothing is offered.
    """

    def __init__(self, folder: Path = SHIPPED, eyes: bool = False) -> None:
        card = read_card(folder)
        self._config = read_config(folder, card, EtConfig)
        self._words = Vocabulary(card.vocabulary["words"])
        self._encoder = encoder_of(self._config.encoder, folder)
        self._net = open_network(folder)
        self._eyes = Eyes() if eyes else None

    def reset(self, brief: Brief) -> None:
        """Nothing has been read yet."""
        self._memory: Arrays = {}
        self._before, self._taken = START, 0
        self._scores = np.zeros(len(ACTIONS), np.float32)

    def act(self, percept: Percept) -> Act:
        """See, and do the likeliest thing; after what failed, the likeliest of the rest."""
        if not self._memory:
            self._begin(percept.data)
        if self._taken and percept.last is not None and not percept.last.success:
            self._scores[self._before] = -np.inf
        else:
            found = self._seen(percept) if self._config.vision else self._step("recall")
            self._scores, self._objects = found["actions"].copy(), found["objects"]
        self._taken += 1
        offered = _offered(percept.offers)
        if self._eyes is None:
            self._scores[[ACTIONS.index(name) for name in TOUCHES if not offered.get(name)]] = -np.inf
        self._before = int(self._scores.argmax()) if self._taken < LONGEST_STEPS else ACTIONS.index(STOP)
        name = ACTIONS[self._before]
        if name not in TOUCHES:
            return Act(name)
        if self._eyes is not None:
            return Act(name, {"point": pointed(self._eyes.look(percept.pictures[VIEW]()), self._liking)})
        return Act(name, {"object": max(offered[name], key=lambda thing: self._liking(type_in(thing)))})

    def _liking(self, kind: str) -> float:
        """How likely a type is meant."""
        return float(self._objects[TYPES.index(kind)]) if kind in TYPES else -np.inf

    def _begin(self, view: FollowerView) -> None:
        """Read the dialogue, and take in what was done before, without pictures."""
        tokens = self._words.numbers(said(view.dialogue, self._config))
        self._memory = self._net.run("listen", tokens=np.array([tokens]))
        for number in acted(deed.act.name for deed in view.history if deed.act is not None):
            self._step("recall")
            self._before = int(number)

    def _seen(self, percept: Percept) -> Arrays:
        return self._step("step", seen=self._encoder.encode(percept.pictures[VIEW]()[None]))

    def _step(self, part: str, **seen: NDArray[np.float32]) -> Arrays:
        found = self._net.run(part, **self._memory, **seen, before=np.array([self._before]))
        self._memory = {name: found.get(name, each) for name, each in self._memory.items()}
        return found


def _offered(offers: Sequence[Offer]) -> dict[str, Sequence[str]]:
    """For each action the things that it can be done to."""
    return {offer.name: each.choices for offer in offers for each in offer.arguments if each.name == "object"}


def pointed(glimpse: Glimpse, liking: Callable[[str], float]) -> tuple[float, float]:
    """Somewhere on the thing of the type that is liked best, of those that are seen."""
    if not glimpse.things:
        return MIDDLE
    best = max(glimpse.things, key=lambda thing: liking(thing.type))
    rows, columns = np.nonzero(glimpse.numbers == best.number)
    height, width = glimpse.numbers.shape
    return float(columns[len(rows) // 2]) / width, float(rows[len(rows) // 2]) / height
