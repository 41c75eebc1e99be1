"""A report on a replay: where it agrees with the recordings and where not, and what was refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from housemates.benchmarks.alfred.files.agreement import breakdown
from housemates.benchmarks.alfred.files.replay import Compared
from housemates.data.records import Skipped
from housemates.data.replays import Replayed
from housemates.files import write_json
from housemates.reporting.facts import told, worded
from housemates.reporting.pages import Page


def write_report(
    folder: Path,
    replays: Sequence[Replayed[Compared]],
    facts: Mapping[str, Any],
    by: str,
    skipped: Sequence[Skipped],
) -> Path:
    """Write `report.json` and `index.html`, and return the page's path."""
    tables, found = breakdown(replays), refused(replays)
    left_out = [each._asdict() for each in skipped]
    write_json(folder / "report.json", {**facts, **tables, "refused": found, "left_out": left_out})
    page = Page(f"ALFRED: a replay by {by}")
    page.table({worded(name): {"": told(value)} for name, value in facts.items()})
    titles = {"classes": "class of object", "actions": "action", "tasks": "task", "plans": "floor plan"}
    for name, title in titles.items():
        page.section(f"Interactions by {title}")
        page.table(tables[name])
    page.section("Refused here")
    page.rows(found)
    page.section("Skipped")
    page.rows(left_out)
    return page.write(folder / "index.html")


def refused(replays: Sequence[Replayed[Compared]]) -> list[dict[str, Any]]:
    """Every recorded action that does not work here, and why."""
    return [
        {"task_id": each.id, "index": case.index, "action": case.action, "message": case.message}
        for each in replays
        for case in each.compared
        if not case.success
    ]
