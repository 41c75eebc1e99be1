"""ALFRED for the runner: whole tasks, and single sub-goals after the demonstration's beginning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from housemates.benchmarks.alfred import metrics
from housemates.benchmarks.alfred.files.episodes import read_texts
from housemates.benchmarks.alfred.files.recorded import recorded_episode
from housemates.benchmarks.alfred.generate.demonstration import Demonstration, draw_similar
from housemates.benchmarks.alfred.generate.sampling import FOLDS, Sample, balanced, rooms_of
from housemates.benchmarks.alfred.generate.speech import directives
from housemates.benchmarks.alfred.session import AlfredSession, Episode
from housemates.benchmarks.base import Agent, Instance, Limits, Session, Trace
from housemates.errors import HousematesError

DEFAULT_EPISODES = 70


class Drawn(NamedTuple):
    """A generated episode, by what it is made from."""

    sample: Sample
    seed: int
    number: int


class Alfred:
    """Turn a goal and instructions into low-level actions."""

    name = "alfred"
    id = "housemates/alfred-v1"
    roles = ("agent",)
    limits = Limits(steps=1000, failures=10)

    def __init__(
        self, data: str | None = None, store: str | None = None, by: str = "id", directive: int | str = 0
    ) -> None:
        """Choose where episodes come from and how planners point.

        Args:
            data: A file or folder of trajectories; needed for every split but `generated`.
            store: The store with the floor plans of official trajectories.
            by: How planners name a thing: `id` or `mask`.
            directive: Which person's words are given, counted from 0, or `all` for an episode each.
        """
        if by not in ("id", "mask"):
            raise HousematesError(f"by: expected id or mask, found {by!r}.")
        if str(directive) != "all" and not str(directive).isdigit():
            raise HousematesError(f"directive: expected a number or all, found {directive!r}.")
        self.data = data
        self.store = store
        self.by = by
        self.directive = None if str(directive) == "all" else int(directive)

    def instances(self, split: str, episodes: int | None, seed: int) -> Sequence[Instance]:
        """Generated tasks in the rooms of a fold, or the trajectories of a file."""
        if split == "generated":
            drawn = islice(balanced(rooms_of("train"), seed), episodes or DEFAULT_EPISODES)
            return [
                Instance(f"{seed}-{number}", sample.task.type, Drawn(sample, seed, number), seed)
                for number, sample in enumerate(drawn)
            ]
        if self.data is None:
            raise HousematesError(f"Split {split!r} needs trajectories: give --option data=FILE_OR_FOLDER.")
        found = list(islice(self._recorded(split, seed), episodes))
        if not found:
            raise HousematesError(f"{self.data}: has no trajectory.")
        return found

    def _recorded(self, split: str, seed: int) -> Iterator[Instance]:
        path = Path(str(self.data))
        path = path / split if split in FOLDS and (path / split).is_dir() else path
        for text in read_texts([path], []):
            trajectory = text.parse()
            task = str(trajectory.task_type or "unknown")
            count = len(trajectory.turk_annotations.anns)
            numbers = range(count) if self.directive is None else [self.directive]
            for number in numbers:
                yield Instance(f"{trajectory.task_id}/{number}", task, (text, number), seed)

    def session(self, instance: Instance) -> Session:
        """Begin an episode."""
        return AlfredSession(self.episode(instance))

    def episode(self, instance: Instance) -> Episode:
        """The episode of an instance, made or read anew."""
        if isinstance(instance.data, Drawn):
            return generated_episode(instance.id, drawn_demonstration(instance.data), instance.data.number)
        text, number = instance.data
        return recorded_episode(text.parse(), number, self.store)

    def agents(self, name: str) -> Mapping[str, Agent]:
        """`expert`, `seen`, `template` or `random`."""
        from housemates.benchmarks.alfred.agents.baselines import AGENTS

        if name not in AGENTS:
            raise HousematesError(f"Unknown agent {name!r}: expected one of {', '.join(AGENTS)}.")
        return {"agent": AGENTS[name](self.by)}

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Success and goal conditions, plain and weighted by the path; nothing where no goal is known."""
        assert isinstance(session, AlfredSession)
        if session.episode.task is None:
            return {}
        return metrics.of_episode(session.progress, session.episode.length, session.taken)

    def summarise(self, scores: Sequence[tuple[Instance, dict[str, float]]]) -> dict[str, Any]:
        """The paper's tables; says how many episodes could not be scored."""
        tables = metrics.tables([(instance.task, score) for instance, score in scores])
        unscored = sum(not score for _, score in scores)
        return {**tables, **({"not_scored": unscored} if unscored else {})}


@lru_cache(maxsize=4)
def drawn_demonstration(drawn: Drawn) -> Demonstration:
    """The demonstration of a generated episode."""
    found = draw_similar(drawn.sample, np.random.default_rng([drawn.seed, drawn.number, 11]))
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
