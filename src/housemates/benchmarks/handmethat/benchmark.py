"""HandMeThat for the runner: where episodes come from, sessions, agents and scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import msgspec

from housemates.benchmarks.handmethat import metrics
from housemates.benchmarks.handmethat.formats.places import UNKNOWN, Place, places, read_episode
from housemates.benchmarks.handmethat.generate.synthesis import SPLIT_NAMES, Settings, generate_one
from housemates.benchmarks.handmethat.session import LIMITS, ROBOT_ROLE, HandMeThatSession
from housemates.benchmarks.handmethat.tasks.episodes import Episode
from housemates.core.benchmark import Benchmark, Instance, Reference, Result, Summary
from housemates.core.session import Session
from housemates.core.trace import Trace
from housemates.errors import HousematesError, NothingDone

Price = Annotated[float, msgspec.Meta(ge=0, le=1000)]


@dataclass(frozen=True)
class HandMeThatOptions:
    """Options of the benchmark and its seats."""

    version: Literal[1, 2] = 2
    """Version of generated episodes: 1 has all goals and quests, 2 has 25 goals and bring-me."""
    observability: Literal["full", "partial"] = "full"
    """`full`: the first text describes everything; `partial`: the robot sees what is at its place."""
    questions: Price | None = None
    """Price of a question to the human; without it, questions are not allowed."""
    style: Literal["standard", "reference"] = "standard"
    """Wording of texts: ours, or the reference environment's."""
    objects: Literal["any", "one"] = "any"
    """`one`: the episode ends with what is done with one object, as for the paper's people."""
    data: Path | None = None
    """A file or folder of episodes; needed for every split but `generated`."""
    level: Literal[1, 2, 3, 4] | None = None
    """Only episodes of this hardness level."""
    understood: Literal["drawn", "likeliest"] = "drawn"
    """The listener that determines the levels of generated episodes."""


class HandMeThat(Benchmark):
    """Fulfil what the human meant by "hand me that"."""

    name = "handmethat"
    id = "housemates/handmethat-v1"
    roles = (ROBOT_ROLE,)
    limits = LIMITS
    splits: ClassVar[Mapping[str, str]] = {
        "generated": "",
        **dict.fromkeys((*SPLIT_NAMES, "all"), "data"),
    }
    Data = Episode
    Options = HandMeThatOptions
    options: HandMeThatOptions

    @classmethod
    def tasks(cls) -> tuple[str, ...]:
        """The names of the four hardness levels."""
        return tuple(f"level {level}" for level in range(1, 5))

    def references(self, split: str, seed: int) -> Iterator[Reference]:
        """New episodes without end, or those of a split of the data; `all` takes every one."""
        if split == "generated":
            number = 0
            while True:
                yield Reference(f"{seed}-{number}", number, seed)
                number += 1
        if self.options.data is None:
            raise HousematesError(
                f"Split {split!r} needs episodes: give --option data=FILE_OR_FOLDER, or take split generated."
            )
        yield from self._recorded(self.options.data, split, seed)

    def _recorded(self, path: Path, split: str, seed: int) -> Iterator[Reference]:
        """Where the episodes of a split are; those whose heading cannot be read are of every split."""
        names: Counter[str] = Counter()
        there: Counter[str] = Counter()
        for place in places(path):
            there[place.split] += 1
            if self._asked_for(place, split):
                names[place.name] += 1
                again = names[place.name]
                name = place.name if again == 1 else f"{place.name} ({again})"
                yield Reference(name, [place.path, place.line], seed)
        if not names:
            raise self._missing(path, split, there)

    def _asked_for(self, place: Place, split: str) -> bool:
        if place.split == UNKNOWN:
            return True
        return split in ("all", place.split) and self.options.level in (None, place.level)

    def _missing(self, path: Path, split: str, there: Counter[str]) -> HousematesError:
        found = there.total() if split == "all" else there[split]
        if found:
            level = self.options.level
            return NothingDone(
                f"{path}: none of the {found} episodes of split {split!r} is of level {level}."
            )
        if not there:
            return NothingDone(f"{path}: holds no episodes.")
        listed = ", ".join(f"{name} ({count})" for name, count in sorted(there.items()))
        return HousematesError(f"{path}: has no split {split!r}: there are {listed}.")

    def open(self, reference: Reference) -> Sequence[Instance]:
        """Make or read the episode."""
        if isinstance(reference.data, int):
            chosen = self.options
            balanced = chosen.version == 1 and not chosen.level
            settings = Settings(
                chosen.version, understood=chosen.understood, balanced=balanced, level=chosen.level
            )
            return [instance_of(generate_one(reference.seed, reference.data, settings), reference)]
        path, line = reference.data
        return [instance_of(read_episode(path, line), reference)]

    def session(self, instance: Instance) -> HandMeThatSession:
        """Return a new session of the instance."""
        chosen = self.options
        fully = chosen.observability == "full"
        one = chosen.objects == "one"
        return HandMeThatSession(instance, self.limits, fully, chosen.questions, chosen.style, one)

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Success, score, moves and questions."""
        assert isinstance(session, HandMeThatSession)
        return metrics.of_episode(session)

    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        """Averages over all, by level and by quest type, and the paper's by level."""
        return metrics.summary(results, self.options.observability)

    def files(self) -> Sequence[Path]:
        """The episodes, if they are recorded ones."""
        return () if self.options.data is None else (self.options.data,)


def instance_of(episode: Episode, reference: Reference) -> Instance:
    """An episode as an instance, with what tables group by."""
    tags = {"quest": episode.meaning.quest, "version": str(episode.version), "split": episode.split}
    return Instance(reference.id, f"level {episode.level}", episode, reference.seed, tags)
