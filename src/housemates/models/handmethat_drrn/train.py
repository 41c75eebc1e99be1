"""Q-learning with a replay buffer and a target network, from its own games or from demonstrations."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from housemates.benchmarks.handmethat.formats.places import Place, places, read_episode
from housemates.benchmarks.handmethat.session import ROBOT_ROLE, HandMeThatSession
from housemates.core.benchmark import Instance
from housemates.errors import HousematesError
from housemates.models.handmethat_drrn.config import DrrnConfig
from housemates.models.handmethat_drrn.data import (
    ReplayBuffer,
    State,
    TextEncoder,
    Transition,
    valid_commands,
)
from housemates.models.handmethat_drrn.model import Drrn
from housemates.models.handmethat_seq2seq.data import vocabulary_of
from housemates.models.learner import Learner

VALIDATION_GAMES = 40
SHAPED_REWARD = 10.0
LOST = -40.0
"""Score of a game that was not won."""


class Game:
    """An episode as a sequence of states, with shaped rewards if the config wants them."""

    def __init__(self, place: Place, encoder: TextEncoder, config: DrrnConfig) -> None:
        episode = read_episode(place.path, place.line)
        fully = config.observability == "full"
        self.session = HandMeThatSession(Instance(episode.name, "", episode), fully=fully)
        self.expert = list(episode.demo)
        self._encoder, self._config = encoder, config
        self._followed = True
        self._steps = 0
        self._observation = self.session.narrator.welcome(fully)
        self.state = self._read_state()

    def step(self, command: str) -> Transition:
        """Give a valid command."""
        before, session = self.state, self.session
        outcome = session.act(command)
        reward = session.reward(ROBOT_ROLE)
        self._followed &= self._steps < len(self.expert) and command == self.expert[self._steps]
        self._steps += 1
        if self._config.shaped and self._followed:
            reward += SHAPED_REWARD * self._steps
        self._observation = outcome.message
        self.state = self._read_state()
        return Transition(before.texts, self._encoder.text(command), reward, self.state)

    @property
    def over(self) -> bool:
        """Whether it is won or out of commands."""
        return self.session.role is None or self._steps >= self._config.steps

    def _read_state(self) -> State:
        session = self.session
        if session.role is None:
            return self._encoder.state(self._observation, "", "", ())
        self.commands = valid_commands(session.observe())
        look, inventory = (session.act(command).message for command in ("examine", "inventory"))
        return self._encoder.state(self._observation, look, inventory, self.commands)


class DrrnLearner(Learner[DrrnConfig]):
    """Plays games with the current policy before each epoch, then learns from the replay buffer."""

    monitor = "score"
    net: Drrn

    def __init__(self, config: DrrnConfig, data: Path) -> None:
        super().__init__(config, data)
        self._places: dict[str, list[Place]] = {}
        for place in places(data):
            self._places.setdefault(place.split, []).append(place)
        for split in ("train", "validation"):
            if split not in self._places:
                raise HousematesError(f"{data}: has no episodes of split {split!r}.")
        self.encoder = TextEncoder(vocabulary_of(self._places["train"]), config.longest)
        self.net = Drrn(config, len(self.encoder.words))
        self.target = copy.deepcopy(self.net).requires_grad_(False)
        self.replay = ReplayBuffer(config.replay)
        self._played = -1

    @property
    def count(self) -> int:
        """Transitions sampled in an epoch."""
        return self.config.updates * self.config.batch

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """The words of the training split."""
        return {"words": self.encoder.words.names}

    def begin_epoch(self, epoch: int) -> None:
        """Play the epoch's games, once."""
        if epoch <= self._played:
            return
        rng = np.random.default_rng((self.config.seed, epoch))
        train = self._places["train"]
        for number in rng.integers(0, len(train), self.config.games):
            self.replay.add(self._game(train[number], rng))
        self._played = epoch

    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """Huber loss of Q-values to the reward plus the discounted best Q-value of the target network."""
        drawn = self.replay.sample(len(examples), self.config.rewarded)
        values = torch.cat(self.net([each.texts for each in drawn], [[each.command] for each in drawn]))
        target = torch.tensor([each.reward for each in drawn], device=values.device)
        going = [number for number, each in enumerate(drawn) if each.next.commands]
        if going:
            after = [drawn[number].next for number in going]
            with torch.no_grad():
                best = self.target([each.texts for each in after], [each.commands for each in after])
            target[going] += self.config.discount * torch.stack([each.max() for each in best])
        return functional.smooth_l1_loss(values, target), {"value": values.mean().item()}

    def after_step(self, step: int) -> None:
        """Copy the network to the target network every `renewed` steps."""
        if step % self.config.renewed == 0:
            self.target.load_state_dict(self.net.state_dict())

    def validate(self) -> Mapping[str, float]:
        """Mean score and success rate of the greedy policy on validation games."""
        won = score = 0.0
        chosen = self._places["validation"][:VALIDATION_GAMES]
        for place in chosen:
            game = Game(place, self.encoder, self.config)
            while not game.over:
                game.step(game.commands[int(self._values(game.state).argmax())])
            won += game.session.success
            score += game.session.score if game.session.success else LOST
        return {"success": won / len(chosen), "score": score / len(chosen)}

    def state(self) -> Mapping[str, Tensor]:
        """The target network, the replay buffer and the number of epochs played."""
        target = {f"target.{name}": each for name, each in self.target.state_dict().items()}
        return {**target, **self.replay.tensors(), "played": torch.tensor([self._played])}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Take up what `state` returned."""
        prefix = "target."
        target = {name.removeprefix(prefix): each for name, each in state.items() if name.startswith(prefix)}
        self.target.load_state_dict(target)
        self.replay.restore(state)
        self._played = int(state["played"])

    def _game(self, place: Place, rng: np.random.Generator) -> list[Transition]:
        game = Game(place, self.encoder, self.config)
        found: list[Transition] = []
        while not game.over and (not self.config.offline or len(found) < len(game.expert)):
            command = game.expert[len(found)] if self.config.offline else self._sampled(game, rng)
            found.append(game.step(command))
        return found

    def _sampled(self, game: Game, rng: np.random.Generator) -> str:
        with torch.no_grad():
            values = self._values(game.state)
        if self.config.epsilon:
            drawn = rng.random() < self.config.epsilon
            return game.commands[int(rng.integers(len(values)) if drawn else values.argmax())]
        values = values / self.config.temperature
        shares = torch.softmax(values, 0).double().cpu().numpy()
        return game.commands[int(rng.choice(len(shares), p=shares / shares.sum()))]

    def _values(self, state: State) -> Tensor:
        (values,) = self.net([state.texts], [state.commands])
        found: Tensor = values
        return found
