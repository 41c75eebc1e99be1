"""EB-ALFRED for the runner: the subsets of EmbodiedBench on ALFRED's trials, and ALFRED's generated tasks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from housemates.benchmarks.alfred.benchmark import Alfred, AlfredOptions
from housemates.benchmarks.alfred.formats import splits
from housemates.benchmarks.alfred.formats.loader import recorded_episode
from housemates.benchmarks.alfred.tasks.episode import Episode
from housemates.benchmarks.alfred.tasks.goals import TYPES
from housemates.benchmarks.eb_alfred import metrics
from housemates.benchmarks.eb_alfred.formats.tasks import SPLIT, SUBSETS, Asked, read_tasks, trial_place
from housemates.benchmarks.eb_alfred.session import AGENT, LIMITS, SIDE_PX, EBAlfredSession
from housemates.core import scoring
from housemates.core.benchmark import Benchmark, Instance, Reference, Result, Summary
from housemates.core.session import Session
from housemates.core.trace import Trace
from housemates.errors import HousematesError, NothingDone, nearest
from housemates.render.camera import read_size


@dataclass(frozen=True)
class EBAlfredOptions:
    """Options of the benchmark and its seats."""

    tasks: Path | None = None
    """EmbodiedBench's splits.json; needed for every split but `generated`."""
    data: Path | None = None
    """ALFRED's trajectories: a file, a folder or a store that has those of valid_seen."""
    store: Path | None = None
    """The store with the floor plans; `data` if it is one, else that of the user's data folder."""
    size: str = str(SIDE_PX)
    """Side of the picture in pixels."""


class EBAlfred(Benchmark):
    """Plan a household task in skills."""

    name = "eb-alfred"
    id = "housemates/eb-alfred-v1"
    roles = (AGENT,)
    limits = LIMITS
    splits: ClassVar[Mapping[str, str]] = {"generated": "", **dict.fromkeys(SUBSETS, "tasks")}
    episodes = 50
    Data: ClassVar[Any] = Episode
    Options = EBAlfredOptions
    seat_options = frozenset({"size"})
    options: EBAlfredOptions

    def __init__(self, options: EBAlfredOptions | None = None) -> None:
        super().__init__(options)
        self.side = read_size(self.options.size)[0]
        self._alfred = Alfred(AlfredOptions(data=self.options.data, store=self.options.store))

    @classmethod
    def tasks(cls) -> tuple[str, ...]:
        """The names of ALFRED's seven task types."""
        return tuple(TYPES)

    def references(self, split: str, seed: int) -> Iterator[Reference]:
        """The tasks of a subset in their order, or ALFRED's generated ones without end."""
        if split == "generated":
            yield from self._alfred.references(split, seed)
        if split not in SUBSETS:
            raise HousematesError(f"Unknown split {split!r}: {nearest(split, ('generated', *SUBSETS))}.")
        if self.options.tasks is None or self.options.data is None:
            raise HousematesError(
                f"Split {split!r} needs tasks and trajectories: give --option tasks=SPLITS_JSON data=ALFRED."
            )
        asked = read_tasks(self.options.tasks).get(split, [])
        if not asked:
            raise NothingDone(f"{self.options.tasks}: has no tasks of the subset {split!r}.")
        for number, each in enumerate(asked):
            yield Reference(f"{split}-{number}", msgspec.to_builtins(each), seed)

    def open(self, reference: Reference) -> Sequence[Instance]:
        """The trial of a task with its instruction; that a trial is not there is said by name."""
        if "instruction" not in reference.data:
            return self._alfred.open(reference)
        asked = msgspec.convert(reference.data, Asked)
        assert self.options.data is not None
        trajectory = splits.read(trial_place(self.options.data, asked.trial), SPLIT)
        episode = recorded_episode(trajectory, 0, self._alfred.plans)
        episode = msgspec.structs.replace(episode, id=reference.id, goal=asked.instruction, instructions=())
        kind = episode.task.type if episode.task else scoring.UNKNOWN
        return [Instance(reference.id, kind, episode, reference.seed, {"trial": asked.trial})]

    def session(self, instance: Instance) -> EBAlfredSession:
        """Return a new session of the instance."""
        return EBAlfredSession(instance, self.limits, self.side)

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Success, the share of goal conditions met, and how many skills were tried and failed."""
        assert isinstance(session, EBAlfredSession)
        return metrics.of_episode(session, trace)

    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        """Success over all and by type of task, with what was published of the subset."""
        return metrics.summary(results, split)

    def files(self) -> Sequence[Path]:
        """The list of tasks, the trajectories and the store."""
        given = self.options
        return [path for path in (given.tasks, given.data, given.store) if path is not None]
