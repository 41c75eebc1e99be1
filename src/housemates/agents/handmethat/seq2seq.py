"""HandMeThat's robot played by a trained Seq2Seq."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance
from housemates.core.percepts import Brief, Percept
from housemates.core.session import Session
from housemates.errors import HousematesError
from housemates.models.checkpoints import CARD, read_card, read_config, shipped_weights
from housemates.models.handmethat_seq2seq.config import Seq2SeqConfig
from housemates.models.handmethat_seq2seq.data import END, START, TextEncoder, oracle_input, story, tokens
from housemates.models.networks import open_network
from housemates.models.vocabulary import Vocabulary

SHIPPED = shipped_weights("handmethat_seq2seq")
"""The shipped weights."""


class Seq2SeqAgent(Agent):
    """Decodes commands greedily until it succeeds or its forty moves are spent, as the paper has it."""

    def __init__(self, folder: Path, valid: bool = False) -> None:
        """Open a checkpoint.

        Args:
            folder: The checkpoint's folder.
            valid: Constrain decoding to commands that are valid now; the paper's is unconstrained.
        """
        card = read_card(folder)
        self.config = read_config(folder, card, Seq2SeqConfig)
        words = Vocabulary(card.vocabulary["words"])
        self._encoder = TextEncoder(words, self.config.encoder == "phrases")
        self._net = open_network(folder)
        self._folder, self._valid = folder, valid

    def reset(self, brief: Brief) -> None:
        """Begin an episode with its story."""
        self._goal, self._oracle = brief.goal, ""
        self._stream = self._encoder.units("")

    def act(self, percept: Percept) -> Act:
        """Encode the newest observation and decode the next command."""
        seen = percept.text.partition(self._goal)[0] if percept.last is None else percept.last.message
        since = len(self._stream)
        self._read(seen)
        command = self._decode(since, self._valid_commands(percept) if self._valid else None)
        self._read(command)
        return Act("Command", {"command": command})

    def _read(self, text: str) -> None:
        self._stream = np.concatenate([self._stream, self._encoder.units(text)])

    def _valid_commands(self, percept: Percept) -> list[list[int]]:
        """The valid commands as token indices, each with an end."""
        choices = percept.offers[0].arguments[0].choices
        return [[*self._encoder.vocabulary.numbers(tokens(str(each))), END] for each in choices]

    def _decode(self, since: int, valid: Sequence[Sequence[int]] | None) -> str:
        """A command decoded greedily, one of `valid` if given; the newest text begins at unit `since`."""
        words = self._encoder.vocabulary
        task = self._encoder.units(story(self._goal, self._oracle))
        encoded = self._net.run("encode", story=_batch(task), stream=_batch(self._stream))
        spans = np.array([[[since, len(self._stream)]]])
        decoded = [START]
        while len(decoded) <= self.config.longest and decoded[-1] != END:
            found = self._net.run("decode", **encoded, inputs=np.array([[decoded]]), spans=spans)
            logits = found["logits"]
            if len(logits) != len(words):
                sizes = f"{len(words)} names, and the weights know {len(logits)}"
                raise HousematesError(f"{self._folder / CARD}: vocabulary.words has {sizes}.")
            if valid is not None:
                length = len(decoded) - 1
                allowed = {each[length] for each in valid if each[:length] == decoded[1:]}
                logits = np.where(np.isin(np.arange(len(logits)), list(allowed)), logits, -np.inf)
            decoded.append(int(logits.argmax()))
        return " ".join(words.names[number] for number in decoded[1:] if number != END)


def _batch(units: NDArray[np.int16]) -> NDArray[np.int64]:
    return units[None].astype(np.int64)


class OracleSeq2SeqAgent(Seq2SeqAgent):
    """Also gets the human's goal or sub-goal, which its role may not know."""

    privileged = True

    def observe_privileged(self, instance: Instance, session: Session) -> None:
        """Read the goal or sub-goal that the checkpoint was trained with."""
        self._oracle = oracle_input(instance.data, self.config.told)


def seq2seq(folder: Path = SHIPPED / "plain", valid: bool = False) -> Agent:
    """The agent of a checkpoint; privileged if it was trained with an oracle input."""
    config = read_config(folder, read_card(folder), Seq2SeqConfig)
    return (Seq2SeqAgent if config.told == "nothing" else OracleSeq2SeqAgent)(folder, valid)


def told_seq2seq(valid: bool = False) -> Agent:
    """The shipped agent that gets the human's sub-goal."""
    return seq2seq(SHIPPED / "subgoal", valid)
