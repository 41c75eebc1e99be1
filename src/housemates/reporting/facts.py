"""What a command found out: one JSON object for programs, or a line a fact for people."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from housemates.errors import one_line

COUNTED = ("n", "agree", "satisfied", "share")
"""How a part of a whole is told: how many there are, how many of them hold, and the share."""


def show_facts(
    facts: Mapping[str, Any], as_json: bool = False, skipped: Iterable[tuple[str, str]] = ()
) -> None:
    """Print facts as one JSON object, or as lines, followed by what was skipped and why."""
    if as_json:
        print(json.dumps(facts))
        return
    for name, value in facts.items():
        print(f"{worded(name)}: {told(value)}")
    show_skipped(skipped)


def show_skipped(skipped: Iterable[tuple[str, str]]) -> None:
    """Say what could not be used, and why."""
    for name, reason in skipped:
        print(one_line(f"skipped {name}: {reason}"))


def worded(name: str) -> str:
    """The name of a number in words."""
    return str(name).replace("_", " ")


def told(value: Any) -> str:
    """A value in a sentence."""
    if isinstance(value, Mapping) and {"n", "share"} <= value.keys():
        more = {key: each for key, each in value.items() if key not in COUNTED}
        return ", ".join([f"{_percent(value['share'])} of {value['n']:,}", *([told(more)] if more else [])])
    if isinstance(value, Mapping):
        return ", ".join(f"{worded(key)} {told(each)}" for key, each in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(told, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return "-" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _percent(share: float | None) -> str:
    return "none" if share is None else f"{100 * share:.1f} %"
