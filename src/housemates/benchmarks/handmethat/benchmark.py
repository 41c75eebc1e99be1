"""HandMeThat for the runner: instances, sessions, agents and scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from housemates.benchmarks.base import Agent, Instance, Limits, Outcome, Session, Trace
from housemates.benchmarks.handmethat import metrics
from housemates.benchmarks.handmethat.env import COMMANDS, MOVES, HandMeThatEnv
from housemates.benchmarks.handmethat.files.episodes import Episode, from_record, raw_records
from housemates.benchmarks.handmethat.world.memory import Deed, Memory
from housemates.errors import HousematesError

STOP = "stop"
"""What an agent answers when it is done."""


@dataclass
class Observation:
    """What the robot perceives: a text, the commands it may give, and the same knowledge as records."""

    text: str
    valid: list[str]
    memory: Memory
    instruction: str
    questions: float | None
    """What a question costs; None if none is allowed."""


class HandMeThatSession:
    """One running episode."""

    def __init__(self, episode: Episode, fully: bool, question_cost: float | None, style: str) -> None:
        """Begin the episode."""
        self.env = HandMeThatEnv([episode], fully, style, question_cost)
        self.text, info = self.env.reset(options={"episode": episode})
        self.valid: list[str] = info["valid_actions"]
        names = episode.initial.scene.names
        self.memory = Memory(
            [Deed(name, tuple(names[number] for number in args)) for name, args in episode.actions]
        )
        if fully:
            self.memory.see_everything(self.env.world)
        self.memory.see(self.env.world)
        self.over = False

    @property
    def role(self) -> str | None:
        """The robot, until the episode ends."""
        return None if self.over else "robot"

    def observe(self) -> Observation:
        """What the robot knows now."""
        env = self.env
        return Observation(self.text, self.valid, self.memory, env.episode.instruction, env.question_cost)

    def act(self, action: Any) -> Outcome:
        """Carry out a command; `stop` ends the episode."""
        if action == STOP:
            self.over = True
            return Outcome(True, "The robot stops.")
        command = action if isinstance(action, str) else ""
        self.text, _, done, cut, info = self.env.step(command)
        self.valid = info["valid_actions"]
        self.memory.see(self.env.world)
        self.over = done or cut
        understood = self.text not in (self.env.style.refusal, self.env.style.puzzled)
        return Outcome(understood, self.text)


class HandMeThat:
    """Fulfil what the human meant by "hand me that"."""

    name = "handmethat"
    id = "housemates/handmethat-v1"
    roles = ("robot",)
    limits = Limits(steps=COMMANDS, failures=MOVES)

    def __init__(
        self,
        version: int | str = 2,
        observability: str = "full",
        questions: float | str | None = None,
        style: str = "standard",
        data: str | None = None,
        level: int | str | None = None,
        understood: str = "drawn",
    ) -> None:
        """Choose the version, what the robot sees, what a question costs, and where episodes come from.

        Args:
            version: 1 or 2.
            observability: `full` or `partial`.
            questions: What a question costs; none may be asked if not given.
            style: `standard` or `reference` texts.
            data: A file or folder of episodes; needed for every split but `generated`.
            level: Take only episodes of this hardness level.
            understood: What decides the levels of generated episodes: `drawn` or `likeliest`.
        """
        if str(version) not in ("1", "2"):
            raise HousematesError(f"version: expected 1 or 2, found {version!r}.")
        if observability not in ("full", "partial"):
            raise HousematesError(f"observability: expected full or partial, found {observability!r}.")
        try:
            self.questions = None if questions in (None, "", "none") else float(str(questions))
        except ValueError:
            raise HousematesError(f"questions: expected a number, found {questions!r}.") from None
        self.version = int(version)
        self.fully = observability == "full"
        self.style = style
        self.data = data
        if str(level) not in ("None", "1", "2", "3", "4"):
            raise HousematesError(f"level: expected 1, 2, 3 or 4, found {level!r}.")
        self.level = None if level is None else int(level)
        if understood not in ("drawn", "likeliest"):
            raise HousematesError(f"understood: expected drawn or likeliest, found {understood!r}.")
        self.understood = understood

    def instances(self, split: str, episodes: int | None, seed: int) -> Sequence[Instance]:
        """Generated episodes, or those of a split of the data; `all` takes every one."""
        if split == "generated":
            from housemates.benchmarks.handmethat.generate.making import Settings

            settings = Settings(
                self.version,
                understood=self.understood,
                balanced=self.version == 1 and not self.level,
                level=self.level,
            )
            count = 100 if episodes is None else episodes
            return [
                Instance(f"{seed}-{number}", "generated", (seed, number, settings), seed)
                for number in range(count)
            ]
        if self.data is None:
            raise HousematesError(f"Split {split!r} needs episodes: give --option data=FILE_OR_FOLDER.")
        found = list(islice(self._recorded(Path(self.data), split, seed), episodes))
        if not found:
            raise HousematesError(f"{self.data}: has no episodes of split {split!r}.")
        return found

    def _recorded(self, path: Path, split: str, seed: int) -> Iterator[Instance]:
        """The episodes of a split in a file or folder, each checked."""
        for record, source in raw_records(path):
            plain = record if isinstance(record, dict) else {}
            chosen = split in ("all", plain.get("split", "test")) and self.level in (None, plain.get("level"))
            if chosen or not plain:
                episode = from_record(record, source)
                yield Instance(episode.name, f"level {episode.level}", record, seed)

    def session(self, instance: Instance) -> Session:
        """Begin an episode."""
        return HandMeThatSession(episode_of(instance), self.fully, self.questions, self.style)

    def agents(self, name: str) -> Mapping[str, Agent]:
        """`random`, `heuristic`, `expert`, `listener`, or `told`, a listener who knows the human's goal."""
        from housemates.benchmarks.handmethat.agents.baselines import AGENTS

        if name not in AGENTS:
            raise HousematesError(f"Unknown agent {name!r}: expected one of {', '.join(AGENTS)}.")
        return {"robot": AGENTS[name](self.version)}

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Success, score, moves and questions, with the level and the quest type to sort them by."""
        assert isinstance(session, HandMeThatSession)
        return metrics.of_episode(session.env)

    def summarise(self, scores: Sequence[tuple[Instance, dict[str, float]]]) -> dict[str, Any]:
        """The tables of a run: by level and by quest type."""
        return metrics.tables([score for _, score in scores if score])


def episode_of(instance: Instance) -> Episode:
    """The episode of an instance, made or read anew."""
    if isinstance(instance.data, dict):
        return from_record(instance.data, instance.id)
    return _generated(*instance.data)


@lru_cache(maxsize=2)
def _generated(seed: int, number: int, settings: Any) -> Episode:
    from housemates.benchmarks.handmethat.generate.making import generate_one

    return generate_one(seed, number, settings=settings)
