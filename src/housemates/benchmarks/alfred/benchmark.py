"""ALFRED for the runner: whole tasks, and single sub-goals after the demonstration's beginning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import msgspec
import numpy as np

from housemates.benchmarks.alfred import metrics
from housemates.benchmarks.alfred.formats import splits
from housemates.benchmarks.alfred.formats.loader import known_as, recorded_episode, recorded_parts
from housemates.benchmarks.alfred.generate.demonstration import Demonstration, draw_similar
from housemates.benchmarks.alfred.generate.sampling import Sample, balanced
from housemates.benchmarks.alfred.generate.speech import directives
from housemates.benchmarks.alfred.session import AGENT, AlfredSession
from housemates.benchmarks.alfred.tasks.episode import Episode, Part, cut
from housemates.benchmarks.alfred.tasks.goals import TYPES
from housemates.benchmarks.alfred.tasks.subgoals import CHECKS
from housemates.core import scoring
from housemates.core.benchmark import Benchmark, Instance, Reference, Result, Summary
from housemates.core.percepts import Limits
from housemates.core.scoring import in_skills
from housemates.core.session import Session
from housemates.core.trace import Trace
from housemates.data.packs import Place, read_place
from housemates.data.store import is_store
from housemates.errors import HousematesError, nearest
from housemates.home import skills
from housemates.home.naming import NamesOption
from housemates.home.scenes import scene_ids
from housemates.render.camera import read_size
from housemates.render.looks import LooksName

ALL = "all"
"""The option that asks for an episode with each person's words."""


@dataclass(frozen=True)
class AlfredOptions:
    """Options of the benchmark and its seats."""

    data: Path | None = None
    """Trajectories: a file, a folder or a store; needed for every split but `generated`."""
    store: Path | None = None
    """The store with the floor plans; `data` if it is one, else that of the user's data folder."""
    pointing: Literal["any", "object", "point", "mask"] = "any"
    """How objects are selected: by id, by a point in the picture, by a mask, or by any of them."""
    directive: str = "0"
    """Which annotator's directive to use, counted from 0, or `all` for one episode each."""
    rooms: Literal["train", "unseen"] = "train"
    """Rooms of the split `generated`: those of train, or others."""
    size: str = "300"
    """Side of the picture and of masks in pixels, or width and height such as 160x120."""
    acts: Literal["low", "skills"] = "low"
    """The action space: the thirteen actions, or skills, which form a separate track."""
    looks: LooksName = "plain"
    """Appearance of homes: plain, or varied, with materials and light drawn for each episode and object,
    which forms a separate track."""
    names: NamesOption = "ids"
    """Names of objects in texts and choices: AI2-THOR's ids, or short names that last for the episode, such
    as `mug 2`. Both are accepted."""


class Drawn(msgspec.Struct, frozen=True, tag=True):
    """A generated episode, by what it is made from."""

    sample: Sample
    number: int


class Recorded(msgspec.Struct, frozen=True, tag=True):
    """A recorded episode, by where it stands."""

    place: Place
    split: str


class Whole(msgspec.Struct, frozen=True):
    """An episode, and the demonstration of it."""

    episode: Episode
    parts: Sequence[Part]


class Alfred(Benchmark):
    """Turn a goal and instructions into low-level actions."""

    name = "alfred"
    id = "housemates/alfred-v3"
    splits: ClassVar[Mapping[str, str]] = {"generated": "", **dict.fromkeys(splits.SPLITS, "data")}
    roles = (AGENT,)
    limits = Limits(steps=1000, failures=10)
    episodes = 70
    Data: ClassVar[Any] = Episode
    Options = AlfredOptions
    seat_options = frozenset({"size", "pointing", "acts", "looks", "names"})
    options: AlfredOptions

    def __init__(self, options: AlfredOptions | None = None) -> None:
        super().__init__(options)
        self.size = read_size(self.options.size)
        if self.options.directive != ALL and not self.options.directive.isdecimal():
            raise HousematesError(f"directive: expected a number or {ALL}, found {self.options.directive!r}.")

    @classmethod
    def tasks(cls) -> tuple[str, ...]:
        """The names of the seven task types."""
        return tuple(TYPES)

    def references(self, split: str, seed: int) -> Iterator[Reference]:
        """Generated tasks without end, or the trajectories of a file or folder."""
        if split == "generated":
            if self.options.directive not in ("0", ALL):
                raise HousematesError(
                    f"directive: a generated episode has only number 0, found {self.options.directive}."
                )
            for number, sample in enumerate(balanced(scene_ids(split=self.options.rooms), seed)):
                yield Reference(f"{seed}-{number}", msgspec.to_builtins(Drawn(sample, number)), seed)
        if split not in splits.SPLITS:
            raise HousematesError(
                f"Unknown split {split!r}: {nearest(split, ('generated', *splits.SPLITS))}."
            )
        if self.options.data is None:
            raise HousematesError(f"Split {split!r} needs trajectories: give --option data=FILE_OR_FOLDER.")
        for name, place in splits.places(self.options.data, split):
            yield Reference(name, msgspec.to_builtins(Recorded(place, split)), seed)

    def open(self, reference: Reference) -> Sequence[Instance]:
        """The episodes of a demonstration, one for each directive that is asked for."""
        found = (whole.episode for whole in self.wholes(reference))
        return [
            Instance(each.id, each.task.type if each.task else scoring.UNKNOWN, each, reference.seed)
            for each in found
        ]

    @property
    def plans(self) -> Path | None:
        """The folder of the store with the floor plans; None for the user's own."""
        given = self.options
        return given.store or (given.data if is_store(given.data) else None)

    def text(self, reference: Reference) -> str | None:
        """The trajectory, if it stands in a packed file."""
        source = msgspec.convert(reference.data, Drawn | Recorded)
        if isinstance(source, Drawn) or not source.place.line:
            return None
        return read_place(*source.place)

    def wholes(self, reference: Reference) -> Iterator[Whole]:
        """The episodes of a reference, with their demonstrations."""
        source = msgspec.convert(reference.data, Drawn | Recorded)
        if isinstance(source, Drawn):
            demonstration = drawn_demonstration(source, reference.seed)
            episode = generated_episode(reference.id, demonstration, source.number)
            yield Whole(episode, demonstration.parts())
            return
        trajectory = splits.read(source.place, source.split, reference.text)
        parts = recorded_parts(trajectory)
        count = max(1, len(trajectory.turk_annotations.anns))
        for number in range(count) if self.options.directive == ALL else [int(self.options.directive)]:
            yield Whole(recorded_episode(trajectory, number, self.plans), parts)

    def session(self, instance: Instance) -> AlfredSession:
        """Return a new session of the instance."""
        skilled = self.options.acts == "skills"
        limits = skills.LIMITS if skilled else self.limits
        given = self.options
        return AlfredSession(instance, limits, given.pointing, self.size, skilled, given.looks, given.names)

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Success and goal conditions, plain and weighted by the path; nothing where no goal is known."""
        assert isinstance(session, AlfredSession)
        if session.episode.task is None:
            return {}
        made = metrics.of_episode(session.progress, session.episode.length, session.taken)
        return made if session.hands is None else {**made, "skills": float(session.hands.skills)}

    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        """The paper's tables; says how many episodes could not be scored."""
        if self.options.acts == "skills":
            return in_skills(metrics.summary(results, split, beside=False), results)
        return metrics.summary(results, split)

    def files(self) -> Sequence[Path]:
        """The trajectories, and the store."""
        return [path for path in (self.options.data, self.options.store) if path is not None]


class SubGoals(Alfred):
    """Reach one sub-goal after the beginning of a demonstration."""

    name = "alfred-subgoals"
    id = "housemates/alfred-subgoals-v3"
    episodes = 400

    @classmethod
    def tasks(cls) -> tuple[str, ...]:
        """The kinds of sub-goals."""
        return tuple(CHECKS)

    def open(self, reference: Reference) -> Sequence[Instance]:
        """Every sub-goal of a demonstration."""
        return [
            Instance(part.id, part.target.kind, part, reference.seed)
            for whole in self.wholes(reference)
            for part in cut(whole.episode, whole.parts, known_as)
            if part.target is not None
        ]

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Whether the sub-goal was reached, plain and weighted by the path."""
        assert isinstance(session, AlfredSession)
        return metrics.of_subgoal(session.reached, session.episode.length, session.taken)

    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        """Summarise as the paper's Table 4: success by sub-goal."""
        return metrics.subgoal_summary(results, split)


def drawn_demonstration(drawn: Drawn, seed: int) -> Demonstration:
    """The demonstration of a generated episode."""
    found = draw_similar(drawn.sample, np.random.default_rng([seed, drawn.number, 11]))
    if found is None:
        raise HousematesError(f"No start of {drawn.sample.name} could be solved.")
    return found


def generated_episode(name: str, demonstration: Demonstration, seed: int) -> Episode:
    """The episode of a demonstration, with one directive."""
    said = directives(demonstration, np.random.default_rng([seed, 13]), 1)[0]
    return Episode(
        id=name,
        start=demonstration.start,
        length=len(demonstration.deeds),
        task=demonstration.task,
        goal=said.goal,
        instructions=said.steps,
    )
