"""The follower that plays with what was trained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from housemates.agents.cerealbar.plan import InstructionFollower
from housemates.models.cerealbar_seq2seq.config import Seq2SeqConfig
from housemates.models.checkpoints import read_card, read_config
from housemates.models.networks import Arrays


class Seq2SeqFollower(InstructionFollower):
    """Reads the instruction and the map when an instruction begins."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, read_config(folder, read_card(folder), Seq2SeqConfig).reach)

    def begin(self, scene: Arrays) -> None:
        """Read."""
        self._memory = self._net.run("read", **scene)

    def scores(self) -> NDArray[np.float32]:
        """Go on from the last action."""
        found = self._net.run("step", **self._memory, before=np.array([self._before]))
        self._memory = {**self._memory, **{name: found[name] for name in found if name in self._memory}}
        return found["scores"]
