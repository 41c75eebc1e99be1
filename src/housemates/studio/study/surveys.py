"""Surveys: what was answered is what was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from housemates.studio.storage.tables import Refused


def read(questions: Sequence[Mapping[str, Any]], given: Mapping[str, Any], longest: int) -> dict[str, str]:
    """The answers to the questions; what was not asked, and what cannot be answered so, is refused."""
    known = {each["name"]: each for each in questions}
    answers = {}
    for name, value in given.items():
        if name not in known:
            raise Refused(f"{name[:40]!r} was not asked.")
        if not isinstance(value, str) or len(value) > longest:
            raise Refused(f"{name}: expected a text of at most {longest} characters.")
        choices = known[name].get("choices")
        if choices and value not in choices:
            raise Refused(f"{name}: expected one of {', '.join(choices)}.")
        answers[name] = value
    missing = [name for name, each in known.items() if each.get("kind") != "text" and not answers.get(name)]
    if missing:
        raise Refused(f"Please answer: {known[missing[0]]['label']}")
    return answers
