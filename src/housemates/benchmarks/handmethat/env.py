"""The text environment: commands in, sentences out, forty moves to fulfil what the human meant."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
from gymnasium.spaces import Text

from housemates.benchmarks.handmethat.files import episodes
from housemates.benchmarks.handmethat.files.episodes import Episode, is_wanted
from housemates.benchmarks.handmethat.tasks import questions
from housemates.benchmarks.handmethat.world.dynamics import ROBOT
from housemates.benchmarks.handmethat.world.narration import REFERENCE, STYLES, Narrator
from housemates.benchmarks.handmethat.world.operators import Action, perform
from housemates.benchmarks.handmethat.world.wording import FREE, SYNONYMS, Commands
from housemates.errors import HousematesError

MOVES = 40
COMMANDS = 400
"""Commands of any kind, free ones included, after which an episode is cut off."""
REWARD = 100.0
CHARACTERS = "".join(map(chr, range(32, 127))) + "\n"


class HandMeThatEnv(gymnasium.Env[str, str]):
    """Help a human who said "hand me that".

    Description:
        The first observation tells what the human did and said. Commands are those of Table 19, for example
        `move to table`, `pick up apple 0`, `give apple 0 to human`; `examine` and `inventory` are free.

    Action space: text, at most 200 characters.

    Observation space: text. With `fully=True` the first observation lists every object; otherwise the
        robot sees what is where it stands, and must open what is shut.

    Rewards: -1 a command, +100 when some object that the human meant is where she wants it.

    Termination: success. Truncation: 40 commands that are not free.

    Version history: v1, first release.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012

    def __init__(
        self,
        data: str | Path | Sequence[Episode] | None = None,
        fully: bool = True,
        style: str = "standard",
        question_cost: float | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Make an environment.

        Args:
            data: A file or folder of episodes, or episodes themselves; new ones are generated if None.
            fully: Whether the first observation tells everything.
            style: `standard`, or `reference` for the wording of the reference environment.
            question_cost: What a question to the human costs; None allows no questions.
            render_mode: `ansi`, or None.
        """
        if style not in STYLES:
            raise HousematesError(f"style: expected one of {', '.join(STYLES)}, found {style!r:.40}.")
        self.fully = fully
        self.style = STYLES[style]
        self.question_cost = question_cost
        self.render_mode = render_mode
        self.action_space = Text(200, charset=CHARACTERS)
        self.observation_space = Text(100_000, min_length=0, charset=CHARACTERS)
        self._data = data
        self._loaded: Sequence[Episode] | None = None
        self.last = ""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Begin the episode in `options["episode"]`, or a random one of the data."""
        super().reset(seed=seed)
        self.begin((options or {}).get("episode") or self._pick())
        self.last = self.narrator.welcome(self.fully) + self.episode.story
        return self.last, self._info(self.question_cost is not None)

    def begin(self, episode: Episode) -> None:
        """Begin an episode without writing the first observation."""
        self.episode = episode
        self.world = episode.current.copy()
        self.wanted = episode.wanted
        self.narrator = Narrator(self.world, self.style)
        self.commands = Commands(self.world, short_names=self.style is REFERENCE)
        self.moves = self.asked = self.count = 0
        self.score = 0.0
        self.success = False

    def _pick(self) -> Episode:
        if self._data is None:
            from housemates.benchmarks.handmethat.generate.making import generate_one

            return generate_one(int(self.np_random.integers(2**31)), version=2)
        if self._loaded is None:
            self._loaded = (
                list(episodes.read(self._data)) if isinstance(self._data, str | Path) else self._data
            )
            if not self._loaded:
                raise HousematesError(f"{self._data}: holds no episodes.")
        return self._loaded[int(self.np_random.integers(len(self._loaded)))]

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Carry out a command. One that makes no sense or cannot be done costs a move and changes nothing."""
        text, price = self.respond(action)
        self.count += 1
        reward = -price
        if self.success:
            reward += REWARD
        self.score += reward
        over = not self.success and (self.moves >= MOVES or self.count >= COMMANDS)
        self.last = text
        return text, reward, self.success, over, self._info(self.question_cost is not None)

    def respond(self, command: str) -> tuple[str, float]:
        """Carry out a command; return what the robot perceives and what it cost."""
        command = SYNONYMS.get(command, command)
        if command in FREE:
            text = self.narrator.surroundings() if command == "examine" else self._inventory()
            return text, 0.0
        if self.question_cost is not None and len(command) <= 200:
            topic = questions.topic_of(command)
            if topic is not None:
                self.asked += 1
                reply = questions.answer(self.episode.meaning, topic)
                return f'Human answers, "{reply}"', questions.price(topic, self.question_cost)
        self.moves += 1
        done = self.commands.parse(command)
        if done is None:
            return self.style.puzzled, 1.0
        if not perform(self.world, ROBOT, done):
            return self.style.refusal, 1.0
        self.success = is_wanted(self.world, self.wanted, self.episode.meaning.quest)
        return self._perceived(done), 1.0

    def _perceived(self, done: Action) -> str:
        result = self.narrator.result(done)
        return result if self.fully else f"{result}\n{self.narrator.surroundings()}"

    def _inventory(self) -> str:
        return f"{self.narrator.inventory()} Recall your task: {self.episode.story}"

    def _info(self, ask: bool) -> dict[str, Any]:
        valid = self.commands.possible()
        if ask:
            valid = [*valid, *questions.TOPICS.values()]
        return {
            "valid_actions": valid,
            "success": self.success,
            "moves": self.moves,
            "questions": self.asked,
            "score": self.score,
        }

    def render(self) -> str | None:
        """The last observation, in `ansi` mode."""
        return self.last if self.render_mode == "ansi" else None
