"""ALFRED's language: a demonstration to be described, and three descriptions to be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from housemates.benchmarks.alfred.formats.episodes import FILE, Annotation, Annotations, Trajectory
from housemates.benchmarks.alfred.tasks.language_collection import TOGETHER
from housemates.benchmarks.alfred.tasks.language_collection import Annotation as AnnotationBenchmark
from housemates.benchmarks.alfred.tasks.language_tasks import LONGEST, Comparing, Describing
from housemates.core import registry
from housemates.core.session import Session
from housemates.files import file_name
from housemates.studio.pages import Drawing, Page

KINDS = {
    "GotoLocation": "go somewhere",
    "PickupObject": "pick something up",
    "PutObject": "put something down",
    "CoolObject": "cool something",
    "HeatObject": "heat something",
    "CleanObject": "rinse something",
    "SliceObject": "slice something",
    "ToggleObject": "switch something on or off",
}
"""The kinds of parts, in words."""


class AnnotationPage(Page):
    """A demonstration as a film with its sub-goals, and a text box for each."""

    name = "alfred-annotation"
    benchmarks = ("alfred-annotation",)
    module = "annotation.js"
    title = "Describe what the robot does"
    parts = ()
    repeats = TOGETHER

    def views(self, session: Session, role: str) -> dict[str, Any]:
        """The time line, and what was written."""
        assert isinstance(session, Describing)
        return {
            "segments": [
                {"kind": KINDS[each.kind], "first": each.first, "last": each.last}
                for each in session.segments
            ],
            "written": session.written,
            "missing": session.missing,
            "longest": LONGEST,
        }

    def official(self, session: Session, name: str) -> dict[str, bytes]:
        """The demonstration's file with these words; the play stands for who wrote them."""
        assert isinstance(session, Describing)
        benchmark = registry.benchmark(self.name)
        assert isinstance(benchmark, AnnotationBenchmark)
        bare, words = benchmark.trajectory(session.shown.source), session.directive
        said = Annotations([Annotation(words.goal, list(words.steps), name)])
        made = msgspec.structs.replace(bare, turk_annotations=said)
        return {f"{file_name(bare.task_id)}/{FILE}": made.to_json()}

    def joined(
        self, files: Sequence[tuple[str, bytes]], votes: Mapping[str, Sequence[int]]
    ) -> Sequence[tuple[str, bytes]]:
        """One file for each demonstration, with everybody's words and what was said of them."""
        found: dict[str, list[Trajectory]] = {}
        for name, content in files:
            found.setdefault(name, []).append(msgspec.json.decode(content, type=Trajectory))
        return [(name, _together(each, votes).to_json()) for name, each in found.items()]

    def drawings(self, session: Session, role: str) -> Mapping[str, Drawing]:
        """Every picture of the film; they are sent once."""
        assert isinstance(session, Describing)
        return {name: session.handle("drawn", role, name) for name in session.pictures(role)}


class ValidationPage(Page):
    """Three directives side by side."""

    name = "alfred-validation"
    benchmarks = ("alfred-validation",)
    module = "validation.js"
    compares = "alfred-annotation"
    title = "Do they describe the same?"
    parts = ()

    def views(self, session: Session, role: str) -> dict[str, Any]:
        """The directives that are compared, in words."""
        assert isinstance(session, Comparing)
        return {
            "directives": [
                {"goal": each.goal, "steps": list(each.steps)} for each in session.shown.directives
            ]
        }


def _together(written: Sequence[Trajectory], votes: Mapping[str, Sequence[int]]) -> Trajectory:
    said = [
        msgspec.structs.replace(each, votes=list(votes.get(str(each.assignment_id), ())))
        for trajectory in written
        for each in trajectory.turk_annotations.anns
    ]
    return msgspec.structs.replace(written[0], turk_annotations=Annotations(said))


PAGES = (AnnotationPage(), ValidationPage())
