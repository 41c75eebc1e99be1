"""Learning values: from games of its own, or from demonstrations."""

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
from housemates.models.handmethat_drrn.data import Coder, Replay, Situation, Transition, valid_commands
from housemates.models.handmethat_drrn.model import Drrn
from housemates.models.handmethat_seq2seq.data import vocabulary_of
from housemates.models.learner import Learner

VALIDATED = 40
SHAPED = 10.0


class Game:
    """An episode that is being played for learning."""

    def __init__(self, place: Place, coder: Coder, config: DrrnConfig) -> None:
        episode = read_episode(place.path, place.line)
        fully = config.observability == "full"
        self.session = HandMeThatSession(Instance(episode.name, "", episode), fully=fully)
        self.expert = list(episode.demo)
        self._coder, self._config = coder, config
        self._followed = True
        self._steps = 0
        self._told = self.session.narrator.welcome(fully)
        self.situation = self._situation()

    def step(self, command: str) -> Transition:
        """Give a command."""
        before, session = self.situation, self.session
        outcome = session.act(command)
        reward = session.reward(ROBOT_ROLE)
        self._followed &= self._steps < len(self.expert) and command == self.expert[self._steps]
        self._steps += 1
        if self._config.shaped and self._followed:
            reward += SHAPED * self._steps
        self._told = outcome.message
        self.situation = self._situation()
        return Transition(before.texts, self._coder.text(command), reward, self.situation)

    @property
    def over(self) -> bool:
        """Whether it is won or has had all its commands."""
        return self.session.role is None or self._steps >= self._config.steps

    def _situation(self) -> Situation:
        session = self.session
        if session.role is None:
            return self._coder.situation(self._told, "", "", ())
        self.commands = valid_commands(session.observe())
        look, inventory = (session.act(command).message for command in ("examine", "inventory"))
        return self._coder.situation(self._told, look, inventory, self.commands)


class DrrnLearner(Learner[DrrnConfig]):
    """Plays games with the policy so far at the beginning of each epoch, and learns from all that is kept."""

    watched = "score"
    net: Drrn

    def __init__(self, config: DrrnConfig, data: Path) -> None:
        super().__init__(config, data)
        self._places: dict[str, list[Place]] = {}
        for place in places(data):
            self._places.setdefault(place.split, []).append(place)
        for split in ("train", "validation"):
            if split not in self._places:
                raise HousematesError(f"{data}: has no episodes of split {split!r}.")
        self.coder = Coder(vocabulary_of(self._places["train"]), config.longest)
        self.net = Drrn(config, len(self.coder.words))
        self.later = copy.deepcopy(self.net).requires_grad_(False)
        self.replay = Replay(config.replay)
        self._played = -1

    @property
    def count(self) -> int:
        """Transitions that are drawn in an epoch."""
        return self.config.updates * self.config.batch

    def vocabulary(self) -> Mapping[str, Sequence[str]]:
        """The words."""
        return {"words": self.coder.words.names}

    def begin(self, epoch: int) -> None:
        """Play the epoch's games; one that has begun already has been played."""
        if epoch <= self._played:
            return
        rng = np.random.default_rng((self.config.seed, epoch))
        train = self._places["train"]
        for number in rng.integers(0, len(train), self.config.games):
            self.replay.add(self._game(train[number], rng))
        self._played = epoch

    def loss(self, examples: NDArray[np.int64]) -> tuple[Tensor, Mapping[str, float]]:
        """Huber's, of what a command is worth and what it paid with what the next is worth."""
        drawn = self.replay.draw(len(examples), self.config.rewarded)
        values = torch.cat(self.net([each.texts for each in drawn], [[each.command] for each in drawn]))
        target = torch.tensor([each.reward for each in drawn], device=values.device)
        going = [number for number, each in enumerate(drawn) if each.after.commands]
        if going:
            after = [drawn[number].after for number in going]
            with torch.no_grad():
                best = self.later([each.texts for each in after], [each.commands for each in after])
            target[going] += self.config.discount * torch.stack([each.max() for each in best])
        return functional.smooth_l1_loss(values, target), {"value": values.mean().item()}

    def stepped(self, step: int) -> None:
        """Renew the network that future values are taken from."""
        if step % self.config.renewed == 0:
            self.later.load_state_dict(self.net.state_dict())

    def validate(self) -> Mapping[str, float]:
        """The score and the share of games that are won, always with the best command."""
        won = score = 0.0
        chosen = self._places["validation"][:VALIDATED]
        for place in chosen:
            game = Game(place, self.coder, self.config)
            while not game.over:
                game.step(game.commands[int(self._values(game.situation).argmax())])
            won += game.session.success
            score += game.session.score if game.session.success else -40.0
        return {"success": won / len(chosen), "score": score / len(chosen)}

    def state(self) -> Mapping[str, Tensor]:
        """The second network, the transitions and how many epochs were played."""
        later = {f"later.{name}": each for name, each in self.later.state_dict().items()}
        return {**later, **self.replay.tensors(), "played": torch.tensor([self._played])}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Take them up again."""
        prefix = "later."
        later = {name.removeprefix(prefix): each for name, each in state.items() if name.startswith(prefix)}
        self.later.load_state_dict(later)
        self.replay.restore(state)
        self._played = int(state["played"])

    def _game(self, place: Place, rng: np.random.Generator) -> list[Transition]:
        game = Game(place, self.coder, self.config)
        found: list[Transition] = []
        while not game.over and (not self.config.offline or len(found) < len(game.expert)):
            command = game.expert[len(found)] if self.config.offline else self._drawn(game, rng)
            found.append(game.step(command))
        return found

    def _drawn(self, game: Game, rng: np.random.Generator) -> str:
        with torch.no_grad():
            values = self._values(game.situation) / self.config.temperature
        shares = torch.softmax(values, 0).double().cpu().numpy()
        return game.commands[int(rng.choice(len(shares), p=shares / shares.sum()))]

    def _values(self, situation: Situation) -> Tensor:
        (values,) = self.net([situation.texts], [situation.commands])
        found: Tensor = values
        return found
