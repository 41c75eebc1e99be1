"""The agent that plays with what was trained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from housemates.benchmarks.alfred.session import VIEW, View
from housemates.benchmarks.alfred.world.dynamics import ACTIONS, INTERACTIONS
from housemates.benchmarks.base import Act, Agent, Brief, Percept
from housemates.models.alfred_seq2seq.config import Seq2SeqConfig
from housemates.models.alfred_seq2seq.data import SIDE, grown, said
from housemates.models.alfred_seq2seq.model import START, Seq2Seq, State, Told
from housemates.models.checkpoints import load_weights, read_card, read_config, read_tensors, weights_of
from housemates.models.seeing import encoder_of
from housemates.models.vocabulary import Vocabulary


class Seq2SeqAgent(Agent):
    """Goes on one step at a time; what failed is not tried again at once, as in the paper."""

    def __init__(self, folder: Path) -> None:
        torch.set_num_threads(1)
        card = read_card(folder)
        self._config = read_config(folder, card, Seq2SeqConfig)
        self._words = Vocabulary(card.vocabulary["words"])
        self._encoder = encoder_of(self._config.encoder, folder)
        path = weights_of(folder)
        net = Seq2Seq(self._config, len(self._words), self._encoder.shape)
        self._net = load_weights(net, read_tensors(path), path).eval()

    def reset(self, brief: Brief) -> None:
        """Nothing has been read yet."""
        self._size = (brief.data["height"], brief.data["width"])
        self._before = START
        self._state: State | None = None

    @torch.no_grad()
    def act(self, percept: Percept) -> Act:
        """See, and do the likeliest thing."""
        state = self._listen(percept.data) if self._state is None else self._state
        seen = torch.from_numpy(self._encoder.encode(percept.pictures[VIEW]()[None]))
        told, self._state = self._net.step(state, self._net.look(seen), torch.tensor([self._before]))
        scores = told.action[0]
        if percept.last is not None and not percept.last.success and self._before != START:
            scores[self._before] = -torch.inf
        self._before = int(scores.argmax())
        name = ACTIONS[self._before]
        return Act(name, {"mask": self._mask(told)} if name in INTERACTIONS else {})

    def _listen(self, view: View) -> State:
        tokens = said(view.goal, view.instructions, self._config)
        return self._net.listen(torch.tensor([self._words.numbers(tokens)]))

    def _mask(self, told: Told) -> np.ndarray:
        """The cells that are likelier than not, or else the likeliest."""
        side = SIDE << self._config.deconvolutions
        scores = self._net.masks(told.inner)[0].view(side, side).numpy()
        return grown(scores >= min(0.0, float(scores.max())), *self._size)
