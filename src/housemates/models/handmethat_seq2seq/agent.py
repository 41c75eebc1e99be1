"""The robot that plays with what was trained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from housemates.benchmarks.base import Act, Agent, Brief, Instance, Percept, Session
from housemates.benchmarks.options import AtLeastOne
from housemates.models.checkpoints import load_weights, read_card, read_config, read_tensors, weights_of
from housemates.models.handmethat_seq2seq.config import Seq2SeqConfig
from housemates.models.handmethat_seq2seq.data import Coder, besides, story
from housemates.models.handmethat_seq2seq.model import END, START, Seq2Seq
from housemates.models.vocabulary import Vocabulary

SHIPPED = Path(__file__).parent / "weights"
"""Weights that come with the package."""


class Seq2SeqAgent(Agent):
    """Writes commands until it has given something, or so many; whatever it writes is what it does."""

    def __init__(self, folder: Path, steps: AtLeastOne = 6) -> None:
        """Read the checkpoint.

        Args:
            folder: Of the checkpoint.
            steps: Commands of an episode, as in the paper's evaluation.
        """
        torch.set_num_threads(1)
        card = read_card(folder)
        self.config = read_config(folder, card, Seq2SeqConfig)
        words = Vocabulary(card.vocabulary["words"])
        self._coder = Coder(words, self.config.encoder == "phrases")
        path = weights_of(folder)
        self._net = load_weights(Seq2Seq(self.config, len(words)), read_tensors(path), path).eval()
        self._steps = steps

    def reset(self, brief: Brief) -> None:
        """Read the story."""
        self._goal, self._besides = brief.goal, ""
        self._stream = self._coder.units("")
        self._given = 0

    def act(self, percept: Percept) -> Act:
        """Read what came of the last command and write the next."""
        if self._given >= self._steps:
            return Act("Stop")
        seen = percept.text.partition(self._goal)[0] if percept.last is None else percept.last.message
        since = len(self._stream)
        self._read(seen)
        command = self._written(since)
        self._read(command)
        self._given = self._steps if command.startswith("give") else self._given + 1
        return Act("Command", {"command": command})

    def _read(self, text: str) -> None:
        self._stream = np.concatenate([self._stream, self._coder.units(text)])

    @torch.no_grad()
    def _written(self, since: int) -> str:
        words = self._coder.vocabulary
        task = self._coder.units(story(self._goal, self._besides))
        read = self._net.read(
            torch.from_numpy(task[None].astype(np.int64)),
            torch.from_numpy(self._stream[None].astype(np.int64)),
        )
        spans = torch.tensor([[[since, len(self._stream)]]])
        written = [START]
        while len(written) <= self.config.longest and written[-1] != END:
            scores = self._net.write(read, torch.tensor([[written]]), spans)[0, 0, -1]
            written.append(int(scores.argmax()))
        return " ".join(words.names[number] for number in written[1:] if number != END)


class ToldSeq2SeqAgent(Seq2SeqAgent):
    """The same, told the human's goal or sub-goal, which its role may not know."""

    privileged = True

    def witness(self, instance: Instance, session: Session) -> None:
        """Take note of the goal or sub-goal."""
        self._besides = besides(instance.data, self.config.told)


def seq2seq(folder: Path = SHIPPED / "plain", steps: AtLeastOne = 6) -> Agent:
    """The agent of a checkpoint; one that was trained to be told something is privileged."""
    config = read_config(folder, read_card(folder), Seq2SeqConfig)
    return (Seq2SeqAgent if config.told == "nothing" else ToldSeq2SeqAgent)(folder, steps)


def told_seq2seq(steps: AtLeastOne = 6) -> Agent:
    """The one that comes with the package and is told the human's sub-goal."""
    return seq2seq(SHIPPED / "subgoal", steps)
