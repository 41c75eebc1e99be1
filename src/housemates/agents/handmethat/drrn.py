"""The robot that gives the command of the highest value."""

from __future__ import annotations

from pathlib import Path

import torch

from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept
from housemates.models.checkpoints import load_weights, read_card, read_config, read_tensors, weights_of
from housemates.models.handmethat_drrn.config import DrrnConfig
from housemates.models.handmethat_drrn.data import Coder, valid_commands
from housemates.models.handmethat_drrn.model import Drrn
from housemates.models.vocabulary import Vocabulary

LOOKS = ("examine", "inventory")
"""What it does before each command; they are free."""


class DrrnAgent(Agent):
    """Looks around and at what it holds, then gives the command that it values most."""

    def __init__(self, folder: Path) -> None:
        torch.set_num_threads(1)
        card = read_card(folder)
        self._config = read_config(folder, card, DrrnConfig)
        self._coder = Coder(Vocabulary(card.vocabulary["words"]), self._config.longest)
        path = weights_of(folder)
        self._net = load_weights(Drrn(self._config, len(self._coder.words)), read_tensors(path), path).eval()

    def reset(self, brief: Brief) -> None:
        """Nothing has been read yet."""
        self._goal = brief.goal
        self._read: list[str] = []
        self._given = 0

    def act(self, percept: Percept) -> Act:
        """Look, look at what it holds, and give a command, in turn."""
        told = percept.text.partition(self._goal)[0] if percept.last is None else percept.last.message
        self._read.append(told)
        if self._given >= self._config.steps:
            return Act("Stop")
        if len(self._read) <= len(LOOKS):
            return Act("Command", {"command": LOOKS[len(self._read) - 1]})
        command = self._best(valid_commands(percept))
        self._read = []
        self._given += 1
        return Act("Command", {"command": command})

    @torch.no_grad()
    def _best(self, commands: tuple[str, ...]) -> str:
        observation, look, inventory = self._read
        situation = self._coder.situation(observation, look, inventory, commands)
        return commands[int(self._net([situation.texts], [situation.commands])[0].argmax())]
