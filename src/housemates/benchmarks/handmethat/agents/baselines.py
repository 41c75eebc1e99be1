"""Scripted agents: random, the paper's heuristic, the expert, and listeners who reason about the human."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from housemates.benchmarks.base import Agent, Instance
from housemates.benchmarks.handmethat.agents.listening import ListenerAgent
from housemates.benchmarks.handmethat.benchmark import STOP, Observation, episode_of
from housemates.benchmarks.handmethat.files.episodes import Episode
from housemates.benchmarks.handmethat.generate.demonstrate import robot_plan
from housemates.benchmarks.handmethat.tasks.meanings import Grounded, Lexicon, bits
from housemates.benchmarks.handmethat.world.wording import Commands


class RandomAgent:
    """Gives a random valid command until the episode ends."""

    def reset(self, instance: Instance) -> None:
        """Begin anew, with randomness of the instance's own."""
        self.rng = np.random.default_rng([instance.seed, *instance.id.encode()])

    def act(self, observation: Observation) -> str:
        """Any valid command that is not free and no question."""
        commands = [word for word in observation.valid if " " in word and not word.endswith("?")]
        return commands[int(self.rng.integers(len(commands)))]


class OneGuess:
    """Chooses one grounded subgoal from the whole episode, carries it out, and stops."""

    def reset(self, instance: Instance) -> None:
        """Choose and plan."""
        episode = episode_of(instance)
        rng = np.random.default_rng([instance.seed, *instance.id.encode()])
        guess = self.guess(episode, rng)
        actions = robot_plan(episode.current, episode.meaning.quest, guess) if guess else None
        commands = Commands(episode.current)
        self.rest: Iterator[str] = iter([commands.write(action) for action in actions or []])

    def guess(self, episode: Episode, rng: np.random.Generator) -> Grounded | None:
        """The subgoal to carry out."""
        raise NotImplementedError

    def act(self, observation: Observation) -> str:
        """The next command of the plan."""
        return next(self.rest, STOP)


class HeuristicAgent(OneGuess):
    """The paper's Heuristic: an object that fits the words, of a category that the human has picked up.

    It reads the symbolic state and utterance, guesses once, and stops.
    """

    def guess(self, episode: Episode, rng: np.random.Generator) -> Grounded | None:
        """Any unused object of a used category that fits; otherwise any that fits."""
        world = episode.current
        fits = list(bits(Lexicon(world).extension(episode.utterance.spec)))
        used = {action.args[0] for action in episode.actions if action.name.startswith("pick-up")}
        kinds = {world.scene.kinds[number].name for number in used}
        alike = [number for number in fits if world.scene.kinds[number].name in kinds and number not in used]
        chosen = alike or fits
        if not chosen:
            return None
        return Grounded(chosen[int(rng.integers(len(chosen)))], self._target(episode, rng))

    def _target(self, episode: Episode, rng: np.random.Generator) -> str | None:
        """The target that was said, or the last place where the human put something."""
        said = episode.utterance.arg
        if episode.utterance.quest != "move_to" or said is not None:
            return said
        places = [action.args[1] for action in episode.actions if action.name.startswith("put")]
        names = episode.current.scene.names
        return names[places[-1]] if places else names[int(rng.integers(16))]


class ExpertAgent:
    """Replays the episode's demonstration."""

    def reset(self, instance: Instance) -> None:
        """Take the demonstration."""
        self.rest = iter(episode_of(instance).demo)

    def act(self, observation: Observation) -> str:
        """The next command."""
        return next(self.rest, STOP)


AGENTS: dict[str, Callable[[int], Agent]] = {
    "random": lambda version: RandomAgent(),
    "heuristic": lambda version: HeuristicAgent(),
    "expert": lambda version: ExpertAgent(),
    "listener": lambda version: ListenerAgent(version),
    "told": lambda version: ListenerAgent(version, knows_goal=True),
}
