"""CerealBar's follower played by the trained Seq2Seq baseline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from housemates.agents.cerealbar.plan import InstructionFollower
from housemates.models.cerealbar_seq2seq.config import Seq2SeqConfig
from housemates.models.checkpoints import read_card, read_config
from housemates.models.networks import Arrays


class Seq2SeqFollower(InstructionFollower):
    """Encodes instruction and map once when an instruction begins, then decodes an action per step."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, read_config(folder, read_card(folder), Seq2SeqConfig).reach)

    def encode(self, scene: Arrays) -> None:
        """Encode the instruction and the map, and reset the decoder."""
        self._state = self._net.run("encode", **scene)

    def logits(self) -> NDArray[np.float32]:
        """One step of the decoder after the last action."""
        found = self._net.run("step", **self._state, previous_action=np.array([self._previous]))
        self._state = {name: found.get(name, each) for name, each in self._state.items()}
        return found["logits"]
