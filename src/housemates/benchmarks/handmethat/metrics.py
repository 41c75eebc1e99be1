"""The paper's numbers: success, score, moves (also where solved) and questions, by level and quest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from housemates.benchmarks.handmethat.session import HandMeThatSession
from housemates.benchmarks.handmethat.tasks.meanings import QUESTS
from housemates.core import scoring
from housemates.core.benchmark import Result, Summary
from housemates.files import shipped

LEVELS = tuple(f"level {level}" for level in range(1, 5))
NOT_OPENED = "not opened"
"""The row of episodes that could not be read or made."""


def of_episode(session: HandMeThatSession) -> dict[str, float]:
    """The numbers of one finished episode."""
    return {
        "success": float(session.success),
        "score": session.score,
        "moves": float(session.moves),
        "questions": float(session.asked),
    }


def summary(results: Sequence[Result], observability: str) -> Summary:
    """Averages over all, by level and by quest type, with the paper's numbers for the levels there are."""
    levels = _rows(scoring.grouped(results, lambda each: each.task), LEVELS)
    quests = _rows(scoring.grouped(results, lambda each: each.tags.get("quest", "")), QUESTS)
    versions = {each.tags["version"] for each in results if "version" in each.tags}
    paper = published(versions.pop(), observability, levels) if len(versions) == 1 else {}
    return Summary(row(results), {"by level": levels, "by quest": quests}, paper)


def row(results: Sequence[Result]) -> dict[str, float]:
    """Averages over episodes; `moves_where_solved`, the paper's, is missing where none was a success."""
    won = [each.score("moves") for each in results if each.score("success")]
    return {
        **scoring.percent(results, "success"),
        "score": round(scoring.mean(results, "score"), 2),
        "moves": round(scoring.mean(results, "moves"), 2),
        **({"moves_where_solved": round(fmean(won), 2)} if won else {}),
        "questions": round(scoring.mean(results, "questions"), 2),
    }


def _rows(groups: Mapping[str, Sequence[Result]], order: Sequence[str]) -> dict[str, dict[str, Any]]:
    """A row for each group, in this order, and one for episodes that are in none."""
    known = {name: groups[name] for name in order if name in groups}
    rest = [each for name, results in groups.items() if name not in known for each in results]
    if rest:
        known[NOT_OPENED] = rest
    return {
        name: {"episodes": len(found), **scoring.interval_after(row(found), found)}
        for name, found in known.items()
    }


def published(version: str, observability: str, levels: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """The paper's rows for a version and what can be seen, at the levels that are asked for."""
    rows = next(
        table["rows"]
        for table in shipped(__package__, "published.toml").values()
        if (str(table.get("version")), table.get("observability")) == (version, observability)
    )
    return {
        f"{who}, {level}": numbers
        for who, found in rows.items()
        for level, numbers in found.items()
        if level in levels
    }
