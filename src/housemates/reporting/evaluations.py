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
    notes += [f"isolated: {role} {told_isolation(kept)}" for role, kept in report["isolated"].items()]
    options = [f"{key} {value}" for key, value in report["options"].items()]
    run = [report["benchmark"], report["split"], f"seed {report['seed']}", *options]
    print(f"{', '.join(run)}: {'; '.join([agents, *notes])}")
    counted = f"{several(report['episodes'], 'episode')}, {several(report['errors'], 'error')}"
    if report["success"] is None:
        print(f"not scored, as the files of this split do not tell the goals: {counted}")
        _show_usage(report["usage"])
        return
    print(f"success {report['success']:.1f} % (95 % interval {span(report['interval'])}), {counted}")
    single = {title: rows["here"] for title, rows in report["tables"].items() if list(rows) == ["here"]}
    ours = {"here": with_interval(report["metrics"], report["interval"])}
    ours |= {f"here, {title}": row for title, row in single.items()}
    paper = papers_rows(report)
    rows = {**ours, **{f"paper: {name}": row for name, row in paper.items()}}
    show(rows)
    if left := len(report["paper"]) - len(paper):
        print(f"\n{several(left, 'row')} of the paper, of other agents or levels: see --json.")
    for title, table in report["tables"].items():
        if title not in single:
            show(table, title)
    _show_usage(report["usage"])
    print()
    show_meanings(meanings(columns([*rows.values()])))


def told_isolation(kept: Mapping[str, bool]) -> str:
    """From what an agent was kept away, and from what this system could not keep it."""
    lacking = [name for name, is_kept in kept.items() if not is_kept]
    kept_from = ", ".join(name for name, is_kept in kept.items() if is_kept) or "nothing"
    return f"(from {kept_from}; not from {', '.join(lacking)})" if lacking else f"(from {kept_from})"


def papers_rows(report: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The paper's rows that belong beside a run: those of its agents if the paper has them, else of all.

    Rows about a part of the run, such as `random, level 2`, are there only if they are of its agents.
    """
    parts = {row for table in report["tables"].values() for row in table}
    names = {name.casefold() for name in report["agents"].values()}
    own = [name for name in report["paper"] if name.partition(", ")[0].casefold() in names]
    whole = [name for name in report["paper"] if name.rpartition(", ")[2] not in parts]
    kept = {*own, *(set(whole) & set(own) or whole)}
    return {name: row for name, row in report["paper"].items() if name in kept}


def _show_usage(usage: Mapping[str, Mapping[str, float]]) -> None:
    """Print what the agents of a run used up, of all roles together too."""
    used = {role: each for role, each in usage.items() if each}
    if not used:
        return
    if len(used) > 1:
        names = columns([*used.values()])
        used["together"] = {name: sum(each.get(name, 0) for each in usage.values()) for name in names}
    show(
        {role: {name: _amount(name, value) for name, value in each.items()} for role, each in used.items()},
        "used",
    )


def _amount(name: str, value: float) -> int | float | str:
    """What was used up: money in cents and less, all else whole if it is."""
    if name == "dollars":
        return f"{value:,.4f}"
    return int(value) if value == int(value) else value
