"""What an evaluation came to, for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from housemates.core.scoring import with_interval
from housemates.reporting.facts import show_meanings
from housemates.reporting.numbers import span
from housemates.reporting.tables import columns, show
from housemates.reporting.words import meanings, several


def show_report(report: Mapping[str, Any]) -> None:
    """Print what `evaluation.runner.evaluate` returned."""
    agents = ", ".join(f"{role} {name}" for role, name in report["agents"].items())
    notes = [f"{name}: {', '.join(report[name])}" for name in ("privileged", "pointing") if report[name]]
    options = [f"{key} {value}" for key, value in report["options"].items()]
    run = [report["benchmark"], report["split"], f"seed {report['seed']}", *options]
    print(f"{', '.join(run)}: {'; '.join([agents, *notes])}")
    counted = f"{several(report['episodes'], 'episode')}, {several(report['errors'], 'error')}"
    if report["success"] is None:
        print(f"not scored, as the files of this split do not tell the goals: {counted}")
        return
    print(f"success {report['success']:.1f} % (95 % interval {span(report['interval'])}), {counted}")
    single = {title: rows["here"] for title, rows in report["tables"].items() if list(rows) == ["here"]}
    ours = {"here": with_interval(report["metrics"], report["interval"])}
    ours |= {f"here, {title}": row for title, row in single.items()}
    rows = {**ours, **{f"paper: {name}": row for name, row in report["paper"].items()}}
    show(rows)
    for title, table in report["tables"].items():
        if title not in single:
            show(table, title)
    print()
    show_meanings(meanings(columns([*rows.values()])))
