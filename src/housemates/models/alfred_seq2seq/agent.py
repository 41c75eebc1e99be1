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

SMALL = ("PickupObject", "SliceObject")
"""Actions at things that cover little of the picture."""
SURE = 0.5
"""How much worse than the best of its cells those of a small thing may score."""


class Seq2SeqAgent(Agent):
    """Goes on one step at a time; what failed is not tried again before something else works."""

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
        self._failed: list[int] = []
        self._state: Arrays = {}

    def act(self, percept: Percept) -> Act:
        """See, and do the likeliest thing."""
        state = self._state or self._listen(percept.data)
        seen = self._encoder.encode(percept.pictures[VIEW]()[None])
        found = self._net.run("step", **state, seen=seen, before=np.array([self._before]))
        self._state = {**state, "state": found["state"], "cell": found["cell"]}
        failed = self._before != START and percept.last is not None and not percept.last.success
        self._failed = [*self._failed, self._before] if failed else []
        scores = found["action"].copy()
        scores[self._failed] = -np.inf
        self._before = int(scores.argmax())
        name = ACTIONS[self._before]
        return Act(name, {"mask": self._mask(name, found["mask"])} if name in INTERACTIONS else {})

    def _listen(self, view: View) -> Arrays:
        tokens = said(view.goal, view.instructions, self._config)
        return self._net.run("listen", tokens=np.array([self._words.numbers(tokens)]))

    def _mask(self, action: str, scores: NDArray[np.float32]) -> NDArray[np.bool_]:
        """The cells that are likelier than not, or else the likeliest; of what is small only the likeliest.

        Cells of a thing and of the rest count the same in learning, so masks of small things come out too
        large, and would mean what lies under them.
        """
        best = float(scores.max())
        least = best - SURE if action in SMALL else min(0.0, best)
        side = SIDE << self._config.deconvolutions
        return grown(scores.reshape(side, side) >= least, *self._size)
