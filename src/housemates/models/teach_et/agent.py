"""The Follower that plays with what was trained."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from housemates.benchmarks.base import Act, Agent, Brief, Percept
from housemates.benchmarks.teach.world.actions import TOUCHES
from housemates.benchmarks.teach.world.views import FollowerView
from housemates.home.things import type_in
from housemates.models.checkpoints import load_weights, read_card, read_config, read_tensors, weights_of
from housemates.models.eyes.seeing import Eyes
from housemates.models.seeing import encoder_of
from housemates.models.teach_et.config import EtConfig
from housemates.models.teach_et.data import ACTIONS, START, TYPES, acted, said
from housemates.models.teach_et.model import EpisodicTransformer, Memory
from housemates.models.vocabulary import Vocabulary
from housemates.render.glimpses import Glimpse

VIEW = "view"
MIDDLE = (0.5, 0.5)
Scores = NDArray[np.float32]


class EtFollower(Agent):
    """Takes in one frame at a time; what failed is not tried again at once.

    Args:
        folder: Of the checkpoint.
        eyes: Point at the picture where the package's eyes see the type that is meant; else by id, among
            what is offered.
    """

    def __init__(self, folder: Path, eyes: bool = False) -> None:
        torch.set_num_threads(1)
        card = read_card(folder)
        self._config = read_config(folder, card, EtConfig)
        self._words = Vocabulary(card.vocabulary["words"])
        self._encoder = encoder_of(self._config.encoder, folder)
        path = weights_of(folder)
        net = EpisodicTransformer(self._config, len(self._words), self._encoder.shape)
        self._net = load_weights(net, read_tensors(path), path).eval()
        self._eyes = Eyes() if eyes else None

    def reset(self, brief: Brief) -> None:
        """Nothing has been read yet."""
        self._memory: Memory | None = None
        self._before = START

    @torch.no_grad()
    def act(self, percept: Percept) -> Act:
        """See, and do the likeliest thing."""
        memory = self._begun(percept.data) if self._memory is None else self._memory
        rgb = percept.pictures[VIEW]()
        seen = torch.from_numpy(self._encoder.encode(rgb[None]))
        unseen = torch.tensor([False])
        told, self._memory = self._net.step(memory, seen, unseen, torch.tensor([self._before]))
        scores = told.actions[0, 0]
        if percept.last is not None and not percept.last.success and self._before != START:
            scores[self._before] = -torch.inf
        self._before = int(scores.argmax())
        name = ACTIONS[self._before]
        return self._pointed(name, told.objects[0, 0].numpy(), percept, rgb) if name in TOUCHES else Act(name)

    def _begun(self, view: FollowerView) -> Memory:
        """Read the dialogue, and take in what was done before, without pictures."""
        memory = self._net.listen(torch.tensor([self._words.numbers(said(view.dialogue, self._config))]))
        nothing = torch.zeros(0, *self._encoder.shape)
        for number in acted(deed.act.name for deed in view.history if deed.act is not None):
            before = torch.tensor([self._before])
            _, memory = self._net.step(memory, nothing, torch.tensor([True]), before)
            self._before = int(number)
        return memory

    def _pointed(self, name: str, scores: Scores, percept: Percept, rgb: NDArray[np.uint8]) -> Act:
        """The action at the likeliest type that is seen or offered; without one, in the middle."""

        def liking(kind: str) -> float:
            return float(scores[TYPES.index(kind)]) if kind in TYPES else -np.inf

        if self._eyes is not None:
            return Act(name, {"point": pointed(self._eyes.look(rgb), liking)})
        arguments = [each for offer in percept.offers if offer.name == name for each in offer.arguments]
        things = [thing for each in arguments if each.name == "object" for thing in each.choices]
        if not things:
            return Act(name, {"point": MIDDLE})
        return Act(name, {"object": max(things, key=lambda thing: liking(type_in(thing)))})


def pointed(glimpse: Glimpse, liking: Callable[[str], float]) -> tuple[float, float]:
    """Somewhere on the thing of the type that is liked best, of those that are seen."""
    if not glimpse.things:
        return MIDDLE
    best = max(glimpse.things, key=lambda thing: liking(thing.type))
    rows, columns = np.nonzero(glimpse.numbers == best.number)
    height, width = glimpse.numbers.shape
    return float(columns[len(rows) // 2]) / width, float(rows[len(rows) // 2]) / height
