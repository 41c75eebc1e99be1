"""Collecting language as benchmarks, so that whoever can sit in a seat can describe and compare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Any, ClassVar

import msgspec

from housemates.benchmarks.alfred.benchmark import Alfred, Recorded
from housemates.benchmarks.alfred.files import splits
from housemates.benchmarks.alfred.tasks.describing import (
    ANNOTATOR,
    JUDGE,
    Compared,
    Comparing,
    Demonstrated,
    Describing,
    Directive,
    demonstrated,
)
from housemates.benchmarks.base import Instance, Limits, Reference, Result, Session, Summary, Trace
from housemates.errors import HousematesError

TOGETHER = 3
"""Directives that are compared at a time."""
LIMITS = Limits(steps=300, failures=50)


class Annotation(Alfred):
    """Describe a demonstration in words."""

    name = "alfred-annotation"
    id = "housemates/alfred-annotation-v1"
    roles = (ANNOTATOR,)
    limits = LIMITS
    agents: ClassVar[Mapping[str, Mapping[str, str]]] = {ANNOTATOR: {}}
    Data: ClassVar[Any] = Demonstrated

    def open(self, reference: Reference) -> Sequence[Instance]:
        """The demonstration, whoever described it before."""
        whole = next(iter(self.wholes(reference)))
        shown = demonstrated(reference.id, whole.episode.start, whole.parts)
        return [Instance(reference.id, whole.episode.task.type if whole.episode.task else "unknown", shown)]

    def session(self, instance: Instance) -> Session:  # type: ignore[override]
        """Show it."""
        return Describing(instance, self.limits)

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Whether a description was handed in, and how many words it has."""
        assert isinstance(session, Describing)
        words = len(" ".join([session.directive.goal, *session.directive.steps]).split())
        return {"success": float(session.submitted), "words": float(words)}

    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        """Means."""
        return Summary(handed_in(results))


class Validation(Annotation):
    """Compare what three people wrote about a demonstration, without seeing it."""

    name = "alfred-validation"
    id = "housemates/alfred-validation-v1"
    roles = (JUDGE,)
    agents: ClassVar[Mapping[str, Mapping[str, str]]] = {JUDGE: {}}
    Data = Compared

    def references(self, split: str, seed: int) -> Iterator[Reference]:
        """Demonstrations that people have described."""
        if split == "generated":
            raise HousematesError(
                f"{self.name}: split: expected one with directives that people wrote (data=DIR)."
            )
        return super().references(split, seed)

    def open(self, reference: Reference) -> Sequence[Instance]:
        """The first three directives of a trajectory; none if it has fewer."""
        source = msgspec.convert(reference.data, Recorded)
        said = splits.read(source.place, source.split).turk_annotations.anns[:TOGETHER]
        if len(said) < TOGETHER:
            return []
        shown = Compared(
            reference.id, tuple(Directive(each.task_desc, tuple(each.high_descs)) for each in said)
        )
        return [Instance(reference.id, "comparison", shown)]

    def session(self, instance: Instance) -> Session:  # type: ignore[override]
        """Show the directives."""
        return Comparing(instance, self.limits)

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Whether there is a verdict, and whether it is that all are the same."""
        assert isinstance(session, Comparing)
        return {"success": float(bool(session.verdict)), "same": float(session.verdict == "same")}


def handed_in(results: Sequence[Result]) -> dict[str, float]:
    """How many were finished, in percent."""
    scored = [each.score("success") for each in results if each.scored]
    return {"success": 100.0 * fmean(scored) if scored else 0.0}
