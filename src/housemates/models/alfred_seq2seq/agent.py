"""The agent that plays with what was trained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.alfred.session import VIEW, View
from housemates.benchmarks.alfred.world.dynamics import ACTIONS, INTERACTIONS
from housemates.benchmarks.base import Act, Agent, Brief, Percept
from housemates.models.alfred_seq2seq.config import Seq2SeqConfig
from housemates.models.alfred_seq2seq.data import SIDE, START, grown, said
from housemates.models.checkpoints import read_card, read_config
from housemates.models.networks import Arrays, open_network
from housemates.models.seeing import encoder_of
from housemates.models.vocabulary import Vocabulary


class Seq2SeqAgent(Agent):
    """Goes on one step at a time; what failed is not tried again at once, as in the paper."""

    def __init__(self, folder: Path) -> None:
        card = read_card(folder)
        self._config = read_config(folder, card, Seq2SeqConfig)
        self._words = Vocabulary(card.vocabulary["words"])
        self._encoder = encoder_of(self._config.encoder, folder)
        self._net = open_network(folder)

    def reset(self, brief: Brief) -> None:
        """Nothing has been read yet."""
        self._size = (brief.data["height"], brief.data["width"])
        self._before = START
        self._state: Arrays = {}

    def act(self, percept: Percept) -> Act:
        """See, and do the likeliest thing."""
        state = self._state or self._listen(percept.data)
        seen = self._encoder.encode(percept.pictures[VIEW]()[None])
        found = self._net.run("step", **state, seen=seen, before=np.array([self._before]))
        self._state = {**state, "state": found["state"], "cell": found["cell"]}
        scores = found["action"].copy()
        if percept.last is not None and not percept.last.success and self._before != START:
            scores[self._before] = -np.inf
        self._before = int(scores.argmax())
        name = ACTIONS[self._before]
        return Act(name, {"mask": self._mask(found["mask"])} if name in INTERACTIONS else {})

    def _listen(self, view: View) -> Arrays:
        tokens = said(view.goal, view.instructions, self._config)
        return self._net.run("listen", tokens=np.array([self._words.numbers(tokens)]))

    def _mask(self, scores: NDArray[np.float32]) -> NDArray[np.bool_]:
        """The cells that are likelier than not, or else the likeliest."""
        side = SIDE << self._config.deconvolutions
        return grown(scores.reshape(side, side) >= min(0.0, float(scores.max())), *self._size)
