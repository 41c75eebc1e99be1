"""The follower that plays with what was trained."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor

from housemates.models.cerealbar_plan.agent import InstructionFollower
from housemates.models.cerealbar_plan.model import World
from housemates.models.cerealbar_seq2seq.config import Seq2SeqConfig
from housemates.models.cerealbar_seq2seq.model import Seq2Seq
from housemates.models.checkpoints import load_weights, read_card, read_config, read_tensors, weights_of
from housemates.models.vocabulary import Vocabulary


class Seq2SeqFollower(InstructionFollower):
    """Reads the instruction and the map when an instruction begins."""

    def __init__(self, folder: Path) -> None:
        card = read_card(folder)
        config = read_config(folder, card, Seq2SeqConfig)
        super().__init__(Vocabulary(card.vocabulary["words"]), config.reach)
        path = weights_of(folder)
        self._net = load_weights(Seq2Seq(config, len(self._words)), read_tensors(path), path).eval()

    def begin(self, world: World) -> None:
        """Read."""
        self._memory = self._net.read(world)

    def scores(self) -> Tensor:
        """Go on from the last action."""
        found, self._memory = self._net.step(self._memory, torch.tensor([self._before]))
        return found[0]
