"""ALFRED's language: a demonstration to be described, and three descriptions to be compared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from housemates.benchmarks.alfred.tasks.describing import LONGEST, Comparing, Describing
from housemates.benchmarks.base import Session
from housemates.home.outcome import spoken
from housemates.studio.pages import Drawing, Page


class AnnotationPage(Page):
    """A demonstration as a film with its sub-goals, and a text box for each."""

    name = "alfred-annotation"
    benchmarks = ("alfred-annotation",)
    module = "annotation.js"
    title = "Describe what the robot does"
    parts = ()

    def views(self, session: Session, role: str) -> dict[str, Any]:
        """The time line, and what was written."""
        assert isinstance(session, Describing)
        return {
            "segments": [
                {"kind": spoken(each.kind), "first": each.first, "last": each.last}
                for each in session.segments
            ],
            "written": session.written,
            "missing": session.missing,
            "longest": LONGEST,
        }

    def drawings(self, session: Session, role: str) -> Mapping[str, Drawing]:
        """Every picture of the film; they are sent once."""
        assert isinstance(session, Describing)
        return {name: session.handle("drawn", role, name) for name in session.pictures(role)}


class ValidationPage(Page):
    """Three directives side by side."""

    name = "alfred-validation"
    benchmarks = ("alfred-validation",)
    module = "validation.js"
    title = "Do they describe the same?"
    parts = ()

    def views(self, session: Session, role: str) -> dict[str, Any]:
        """The directives."""
        assert isinstance(session, Comparing)
        return {
            "directives": [
                {"goal": each.goal, "steps": list(each.steps)} for each in session.shown.directives
            ]
        }


PAGES = (AnnotationPage(), ValidationPage())
