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
from housemates.benchmarks.alfworld.generate.trials import of_trial, trials
from housemates.benchmarks.alfworld.session import AGENT, STEPS, AlfworldSession, Record, game_of
from housemates.benchmarks.alfworld.tasks.types import TYPES, UNSUPPORTED, type_in
from housemates.core.benchmark import Benchmark, Instance, Reference, Result, Summary
from housemates.core.options import AtLeastOne
from housemates.core.percepts import Limits
from housemates.core.session import Session
from housemates.core.trace import Trace
from housemates.data import packs
from housemates.data.packs import read_place
from housemates.data.store import is_store
from housemates.errors import HousematesError, NothingDone, nearest
from housemates.render.camera import read_size

ALL, TRIALS = "all", "trials"
"""The splits of every game of the data, and of new games of ALFRED's trajectories."""
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
    """Options of the benchmark and its seats."""

    data: Path | None = None
    """Games: a game.tw-pddl, a folder of them, or a packed file; needed for every split but `generated`."""
    trials: Path | None = None
    """ALFRED's trajectories: a file, folder or store; needed for the split `trials`."""
    store: Path | None = None
    """The store with the plans of trials; `trials` if it is one, else that of the user's data folder."""
    task: TaskType | None = None
    """Only games of this type."""
    steps: AtLeastOne = STEPS
    """Maximum number of commands per episode."""
    size: str = "300"
    """Side of the picture in pixels, or width and height such as 160x120; published games have none."""
    goals: Annotated[int, msgspec.Meta(ge=1, le=5)] = 1
    """Number of tasks in a generated game."""
    hidden: bool = False
    """Put what generated tasks need into closed receptacles where possible."""
    distractors: Annotated[int, msgspec.Meta(ge=0, le=50)] = 0
    """Number of additional objects in a generated game."""
    words: Literal["template", "people"] = "template"
    """Wording of generated tasks: as in the published games, or as people might put it."""


class Trial(msgspec.Struct, frozen=True):
    """A trajectory of ALFRED, by where it stands."""

    place: packs.Place
    split: str


class Alfworld(Benchmark):
    """Do a household task by giving commands to a text world."""

    name = "alfworld"
    id = "housemates/alfworld-v1"
    roles = (AGENT,)
    limits = Limits(STEPS, STEPS)
    splits: ClassVar[Mapping[str, str]] = {
        "generated": "",
        **dict.fromkeys((*SPLITS, ALL), "data"),
        TRIALS: "trials",
    }
    Data = Record
    Options = AlfworldOptions
    seat_options = frozenset({"size", "steps"})
    options: AlfworldOptions

    def __init__(self, options: AlfworldOptions | None = None) -> None:
        super().__init__(options)
        self.size = read_size(self.options.size)

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
        if split == TRIALS:
            yield from self._trials(seed)
            return
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

    def _trials(self, seed: int) -> Iterator[Reference]:
        if self.options.trials is None:
            raise HousematesError(
                f"Split {TRIALS!r} needs trajectories: give --option trials=FILE_OR_FOLDER."
            )
        for name, split, place in trials(self.options.trials):
            if not any(mark in name for mark in UNSUPPORTED):
                yield Reference(name, msgspec.to_builtins(Trial(place, split)), seed)

    def text(self, reference: Reference) -> str | None:
        """The line of a packed file."""
        return read_place(*reference.data) if isinstance(reference.data, list) and reference.data[1] else None

    def open(self, reference: Reference) -> Sequence[Instance]:
        """Make or read the game."""
        if isinstance(reference.data, int):
            made = make(reference.id, reference.seed, reference.data, self._harder, self.options.task)
            record = Record(reference.id, made.text, made.scene)
            return [Instance(reference.id, made.type, record, reference.seed)]
        if isinstance(reference.data, dict):
            trial = msgspec.convert(reference.data, Trial)
            made = of_trial(reference.id, trial.split, trial.place, self._plans, self._harder, reference.seed)
            record = Record(reference.id, made.text, made.scene)
            return [Instance(reference.id, made.type, record, reference.seed)]
        place = Place(reference.id, *reference.data)
        record = Record(place.name, text_of(place))
        game_of(record)
        return [Instance(place.name, kind_of(place), record, reference.seed, {"split": place.split})]

    @property
    def _harder(self) -> Harder:
        chosen = self.options
        return Harder(chosen.goals, chosen.hidden, chosen.distractors, chosen.words)

    @property
    def _plans(self) -> Path | None:
        """The folder of the store with the floor plans; None for the user's own."""
        given = self.options
        return given.store or (given.trials if is_store(given.trials) else None)

    def session(self, instance: Instance) -> AlfworldSession:
        """Return a new session of the instance."""
        return AlfworldSession(instance, Limits(self.options.steps, self.options.steps), self.size)

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Success, and the number of commands."""
        assert isinstance(session, AlfworldSession)
        return metrics.of_episode(session, trace)

    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        """Success over all and by type of task, beside what was published."""
        return metrics.summary(results, split)

    def files(self) -> Sequence[Path]:
        """The games, the trajectories, and the store of floor plans."""
        given = self.options
        return [path for path in (given.data, given.trials, given.store) if path is not None]
