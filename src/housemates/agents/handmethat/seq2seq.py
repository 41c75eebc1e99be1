"""The robot that plays with what was trained."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance
from housemates.core.options import AtLeastOne
from housemates.core.percepts import Brief, Percept
from housemates.core.session import Session
from housemates.errors import HousematesError
from housemates.models.checkpoints import CARD, read_card, read_config, shipped_weights
from housemates.models.handmethat_seq2seq.config import Seq2SeqConfig
from housemates.models.handmethat_seq2seq.data import END, START, Coder, besides, story, tokens
from housemates.models.networks import open_network
from housemates.models.vocabulary import Vocabulary

SHIPPED = shipped_weights("handmethat_seq2seq")
"""Weights that come with the package."""


class Seq2SeqAgent(Agent):
    """Writes commands until it has given something, or so many; whatever it writes is what it does."""

    def __init__(self, folder: Path, steps: AtLeastOne = 6, valid: bool = False) -> None:
        """Read the checkpoint.

        Args:
            folder: Of the checkpoint.
            steps: Commands of an episode, as in the paper's evaluation.
            valid: Write only commands that would work now; the paper's writes whatever it likes.
        """
        card = read_card(folder)
        self.config = read_config(folder, card, Seq2SeqConfig)
        words = Vocabulary(card.vocabulary["words"])
        self._coder = Coder(words, self.config.encoder == "phrases")
        self._net = open_network(folder)
        self._folder, self._steps, self._valid = folder, steps, valid

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
        command = self._written(since, self._possible(percept) if self._valid else None)
        self._read(command)
        self._given = self._steps if command.startswith("give") else self._given + 1
        return Act("Command", {"command": command})

    def _read(self, text: str) -> None:
        self._stream = np.concatenate([self._stream, self._coder.units(text)])

    def _possible(self, percept: Percept) -> list[list[int]]:
        """The commands that would work now, as numbers."""
        choices = percept.offers[0].arguments[0].choices
        return [[*self._coder.vocabulary.numbers(tokens(str(each))), END] for each in choices]

    def _written(self, since: int, possible: Sequence[Sequence[int]] | None) -> str:
        words = self._coder.vocabulary
        task = self._coder.units(story(self._goal, self._besides))
        read = self._net.run("read", task=_one(task), stream=_one(self._stream))
        spans = np.array([[[since, len(self._stream)]]])
        written = [START]
        while len(written) <= self.config.longest and written[-1] != END:
            found = self._net.run("write", **read, inputs=np.array([[written]]), spans=spans)
            scores = found["scores"]
            if len(scores) != len(words):
                told = f"{len(words)} names, and the weights know {len(scores)}"
                raise HousematesError(f"{self._folder / CARD}: vocabulary.words has {told}.")
            if possible is not None:
                begun = len(written) - 1
                going_on = {each[begun] for each in possible if each[:begun] == written[1:]}
                scores = np.where(np.isin(np.arange(len(scores)), list(going_on)), scores, -np.inf)
            written.append(int(scores.argmax()))
        return " ".join(words.names[number] for number in written[1:] if number != END)


def _one(units: NDArray[np.int16]) -> NDArray[np.int64]:
    return units[None].astype(np.int64)


class ToldSeq2SeqAgent(Seq2SeqAgent):
    """The same, told the human's goal or sub-goal, which its role may not know."""

    privileged = True

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Take note of the goal or sub-goal."""
        self._besides = besides(instance.data, self.config.told)


def seq2seq(folder: Path = SHIPPED / "plain", steps: AtLeastOne = 6, valid: bool = False) -> Agent:
    """The agent of a checkpoint; one that was trained to be told something is privileged."""
    config = read_config(folder, read_card(folder), Seq2SeqConfig)
    return (Seq2SeqAgent if config.told == "nothing" else ToldSeq2SeqAgent)(folder, steps, valid)


def told_seq2seq(steps: AtLeastOne = 6, valid: bool = False) -> Agent:
    """The one that comes with the package and is told the human's sub-goal."""
    return seq2seq(SHIPPED / "subgoal", steps, valid)
