"""ALFWorld for the runner: published games, and new ones without end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import msgspec

from housemates.benchmarks.alfworld import metrics
from housemates.benchmarks.alfworld.formats.places import SPLITS, Place, kind_of, places, text_of
from housemates.benchmarks.alfworld.generate.games import Harder, make
from housemates.benchmarks.alfworld.session import AGENT, STEPS, AlfworldSession, Record, game_of
from housemates.benchmarks.alfworld.tasks.types import TYPES, type_in
from housemates.core.benchmark import Benchmark, Instance, Reference, Result, Summary
from housemates.core.options import AtLeastOne
from housemates.core.percepts import Limits
from housemates.core.session import Session
from housemates.core.trace import Trace
from housemates.data.packs import read_place
from housemates.errors import HousematesError, NothingDone, nearest

ALL = "all"
TaskType = Literal[
    "pick_and_place_simple",
    "look_at_obj_in_light",
    "pick_clean_then_place_in_recep",
    "pick_heat_then_place_in_recep",
    "pick_cool_then_place_in_recep",
    "pick_two_obj_and_place",
]


@dataclass(frozen=True)
class AlfworldOptions:
    """What can be chosen."""

    data: Path | None = None
    """Games: a game.tw-pddl, a folder of them, or a packed file; needed for every split but `generated`."""
    task: TaskType | None = None
    """Take only games of this type."""
    steps: AtLeastOne = STEPS
    """How many commands an episode has at most."""
    goals: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1
    """How many tasks a generated game asks for at once."""
    hidden: bool = False
    """Whether what the tasks of a generated game need is in closed receptacles, where some take it."""
    distractors: Annotated[int, msgspec.Meta(ge=0, le=50)] = 0
    """How many more things lie about in a generated game."""
    words: Literal["template", "people"] = "template"
    """Whether a generated task is worded as in the published games or as people might."""


class Alfworld(Benchmark):
    """Do a household task by giving commands to a text world."""

    name = "alfworld"
    id = "housemates/alfworld-v1"
    roles = (AGENT,)
    limits = Limits(STEPS, STEPS)
    splits: ClassVar[Mapping[str, str]] = {"generated": "", **dict.fromkeys((*SPLITS, ALL), "data")}
    Data = Record
    Options = AlfworldOptions
    seat_options = frozenset({"steps"})
    options: AlfworldOptions

    @classmethod
    def tasks(cls) -> tuple[str, ...]:
        """The six types of task."""
        return TYPES

    def references(self, split: str, seed: int) -> Iterator[Reference]:
        """New games without end, or those of a split of the data, found one at a time; `all` has all."""
        if split not in self.splits:
            raise HousematesError(f"Unknown split {split!r}: {nearest(split, self.splits)}.")
        if split == "generated":
            for number in count():
                yield Reference(f"{seed}-{number}", number, seed)
        if self.options.data is None:
            raise HousematesError(f"Split {split!r} needs games: give --option data=FILE_OR_FOLDER.")
        found = 0
        for place in places(self.options.data):
            if split in (ALL, place.split) and self.options.task in (None, type_in(place.name)):
                found += 1
                yield Reference(place.name, [place.path, place.line], seed)
        if not found:
            of = f" of type {self.options.task}" if self.options.task else ""
            raise NothingDone(f"{self.options.data}: holds no games of split {split!r}{of}.")

    def text(self, reference: Reference) -> str | None:
        """The line of a packed file."""
        return read_place(*reference.data) if isinstance(reference.data, list) and reference.data[1] else None

    def open(self, reference: Reference) -> Sequence[Instance]:
        """Make or read the game."""
        if isinstance(reference.data, int):
            chosen = self.options
            harder = Harder(chosen.goals, chosen.hidden, chosen.distractors, chosen.words)
            made = make(reference.id, reference.seed, reference.data, harder, chosen.task)
            record = Record(reference.id, made.text, made.scene)
            return [Instance(reference.id, made.type, record, reference.seed)]
        place = Place(reference.id, *reference.data)
        record = Record(place.name, text_of(place))
        game_of(record)
        return [Instance(place.name, kind_of(place), record, reference.seed, {"split": place.split})]

    def session(self, instance: Instance) -> AlfworldSession:
        """Return a new session of the instance."""
        return AlfworldSession(instance, Limits(self.options.steps, self.options.steps))

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Success, and the number of commands."""
        assert isinstance(session, AlfworldSession)
        return metrics.of_episode(session, trace)

    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        """Success over all and by type of task, beside what was published."""
        return metrics.summary(results, split)

    def files(self) -> Sequence[Path]:
        """The file or folder of games."""
        return () if self.options.data is None else (self.options.data,)
