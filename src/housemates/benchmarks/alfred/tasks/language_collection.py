"""Collecting language as benchmarks, so that whoever can sit in a seat can describe and compare."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any, ClassVar

import msgspec
import numpy as np

from housemates.benchmarks.alfred.benchmark import Alfred, Drawn, Recorded, drawn_demonstration
from housemates.benchmarks.alfred.formats import splits
from housemates.benchmarks.alfred.formats.episodes import Annotations, Trajectory
from housemates.benchmarks.alfred.formats.writer import trajectory_of
from housemates.benchmarks.alfred.generate.speech import directives
from housemates.benchmarks.alfred.tasks.language_tasks import (
    ANNOTATOR,
    JUDGE,
    Compared,
    Comparing,
    Demonstrated,
    Describing,
    Directive,
    demonstrated,
)
from housemates.core.benchmark import Instance, Reference, Result, Summary
from housemates.core.percepts import Limits
from housemates.core.session import Session
from housemates.core.trace import Trace

TOGETHER = 3
"""Directives that are compared at a time."""
COMPARISON = "comparison"
LIMITS = Limits(steps=300, failures=50)


class Gathered(msgspec.Struct, frozen=True, tag=True):
    """Directives of one demonstration as they were handed in, and by which plays."""

    directives: tuple[Directive, ...]
    plays: tuple[str, ...]


class Annotation(Alfred):
    """Describe a demonstration in words."""

    name = "alfred-annotation"
    id = "housemates/alfred-annotation-v2"
    roles = (ANNOTATOR,)
    limits = LIMITS
    Data: ClassVar[Any] = Demonstrated

    def open(self, reference: Reference) -> Sequence[Instance]:
        """The demonstration, whoever described it before."""
        whole = next(iter(self.wholes(reference)))
        shown = demonstrated(reference, whole.episode.start, whole.parts)
        return [Instance(reference.id, whole.episode.task.type if whole.episode.task else "unknown", shown)]

    def trajectory(self, reference: Reference) -> Trajectory:
        """The demonstration as an official file, without anybody's words."""
        source = msgspec.convert(reference.data, Drawn | Recorded)
        if isinstance(source, Recorded):
            found = splits.read(source.place, source.split)
        else:
            made = drawn_demonstration(source, reference.seed)
            found = trajectory_of(made, [], f"trial_{reference.id}", source.number)
        return msgspec.structs.replace(found, turk_annotations=Annotations())

    def session(self, instance: Instance) -> Session:  # type: ignore[override]
        """Return a session that shows the demonstration."""
        return Describing(instance, self.limits)

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Whether a description was handed in, and how many words it has."""
        assert isinstance(session, Describing)
        words = len(" ".join([session.directive.goal, *session.directive.steps]).split())
        return {"success": float(session.submitted), "words": float(words)}

    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        """Averages of the scores over all results."""
        return Summary(handed_in(results))


class Validation(Annotation):
    """Compare what three people wrote about a demonstration, without seeing it."""

    name = "alfred-validation"
    id = "housemates/alfred-validation-v1"
    roles = (JUDGE,)
    Data = Compared

    @classmethod
    def tasks(cls) -> tuple[str, ...]:
        """There is one kind of comparison."""
        return (COMPARISON,)

    def open(self, reference: Reference) -> Sequence[Instance]:
        """What the reference holds, or three directives about its demonstration; none if it has fewer."""
        source = msgspec.convert(reference.data, Drawn | Recorded | Gathered)
        if isinstance(source, Gathered):
            said = source.directives
        elif isinstance(source, Recorded):
            found = splits.read(source.place, source.split).turk_annotations.anns
            said = tuple(Directive(each.task_desc, tuple(each.high_descs)) for each in found)
        else:
            rng = np.random.default_rng([source.number, 17])
            made = directives(drawn_demonstration(source, reference.seed), rng, TOGETHER)
            said = tuple(Directive(each.goal, each.steps) for each in made)
        if len(said) < TOGETHER:
            return []
        return [Instance(reference.id, COMPARISON, Compared(reference.id, said[:TOGETHER]))]

    def session(self, instance: Instance) -> Session:  # type: ignore[override]
        """Return a session that shows the directives to compare."""
        return Comparing(instance, self.limits)

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Whether there is a verdict, and whether it is that all are the same."""
        assert isinstance(session, Comparing)
        return {"success": float(bool(session.verdict)), "same": float(session.verdict == "same")}


def handed_in(results: Sequence[Result]) -> dict[str, float]:
    """How many were finished, in percent."""
    scored = [each.score("success") for each in results if each.scored]
    return {"success": 100.0 * fmean(scored) if scored else 0.0}
