"""HandMeThat's robot played by a trained DRRN."""

from __future__ import annotations

from pathlib import Path

import torch

from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept
from housemates.models.checkpoints import load_weights, read_card, read_config, read_tensors, weights_of
from housemates.models.handmethat_drrn.config import DrrnConfig
from housemates.models.handmethat_drrn.data import TextEncoder, valid_commands
from housemates.models.handmethat_drrn.model import Drrn
from housemates.models.vocabulary import Vocabulary

LOOKS = ("examine", "inventory")
"""Free commands that it gives before each other one, to read the texts of a state."""


class DrrnAgent(Agent):
    """Gives the valid command with the highest Q-value, after two free ones that read its state."""

    def __init__(self, folder: Path) -> None:
        torch.set_num_threads(1)
        card = read_card(folder)
        self._config = read_config(folder, card, DrrnConfig)
        self._encoder = TextEncoder(Vocabulary(card.vocabulary["words"]), self._config.longest)
        path = weights_of(folder)
        self._net = load_weights(
            Drrn(self._config, len(self._encoder.words)), read_tensors(path), path
        ).eval()

    def reset(self, brief: Brief) -> None:
        """Forget the episode before."""
        self._goal = brief.goal
        self._read: list[str] = []

    def act(self, percept: Percept) -> Act:
        """`examine`, `inventory` and the best command, in turn."""
        text = percept.text.partition(self._goal)[0] if percept.last is None else percept.last.message
        self._read.append(text)
        if len(self._read) <= len(LOOKS):
            return Act("Command", {"command": LOOKS[len(self._read) - 1]})
        command = self._best(valid_commands(percept))
        self._read = []
        return Act("Command", {"command": command})

    @torch.no_grad()
    def _best(self, commands: tuple[str, ...]) -> str:
        observation, look, inventory = self._read
        state = self._encoder.state(observation, look, inventory, commands)
        return commands[int(self._net([state.texts], [state.commands])[0].argmax())]
