"""What a command found out: one JSON object for programs, or a line a fact for people."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from housemates.core.scoring import wilson
from housemates.errors import one_line
from housemates.reporting.numbers import count, percent, span
from housemates.reporting.tables import width
from housemates.reporting.words import word, worded

WIDEST = 50
"""Letters of a name up to which the facts stand in line."""


def show_facts(
    facts: Mapping[str, Any], as_json: bool = False, skipped: Iterable[tuple[str, str]] = ()
) -> None:
    """Print facts as one JSON object, or as lines, followed by what was skipped and why."""
    if as_json:
        print(json.dumps(facts))
        return
    names = {name: worded(name) for name in facts}
    indent = 2 + min(WIDEST, max(map(len, names.values()), default=0))
    for name, value in facts.items():
        _print(names[name], told(value, word(name).unit), indent)
    show_skipped(skipped)


def show_meanings(meanings: Iterable[tuple[str, str]]) -> None:
    """Explain words, a line each."""
    for said, means in meanings:
        print(textwrap.fill(f"{said}: {means}", width(), subsequent_indent="  "))


def show_skipped(skipped: Iterable[tuple[str, str]]) -> None:
    """Say what could not be used, and why."""
    for name, reason in skipped:
        print(one_line(f"skipped {name}: {reason}"))


def told(value: Any, unit: str = "") -> str:
    """A value in a sentence."""
    if isinstance(value, Mapping) and {"n", "share"} <= value.keys():
        return _counted(value)
    if isinstance(value, Mapping):
        parts = [f"{worded(key)} {told(each, unit)}" for key, each in value.items()]
        return ", ".join(parts) or "none"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(told, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float) and unit:
        return percent(100 * value if unit == "share" else value)
    return count(value) if isinstance(value, int | float) else "-" if value is None else str(value)


def _counted(part: Mapping[str, Any]) -> str:
    """A part of a whole: how many there are, how many of them hold, and the share with its interval."""
    n, share = part["n"], part["share"]
    if not n:
        return "there are none"
    verb = next((key for key in ("agree", "satisfied") if key in part), "")
    held = part[verb] if verb else round(share * n)
    more = [f"{count(each)} {worded(key)}" for key, each in part.items() if key not in ("n", "share", verb)]
    sure = f"95 %: {span(wilson(share, n))}"
    return "; ".join([f"{percent(100 * share)} ({count(held)} of {count(n)}; {sure})", *more])


def _print(name: str, value: str, indent: int) -> None:
    room = max(20, width() - indent)
    lines = textwrap.wrap(value, room, break_long_words=False, break_on_hyphens=False) or [""]
    print(f"{name:<{indent - 1}} {lines[0]}")
    for line in lines[1:]:
        print(" " * indent + line)
