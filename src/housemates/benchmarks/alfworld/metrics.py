"""Success by type of task, beside what was published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from housemates.benchmarks.alfworld.session import AlfworldSession
from housemates.benchmarks.alfworld.tasks.types import TYPES
from housemates.core import scoring
from housemates.core.benchmark import Result, Summary
from housemates.core.trace import Trace
from housemates.files import shipped


def of_episode(session: AlfworldSession, trace: Trace) -> dict[str, float]:
    """Whether the game was won, and how many commands were given."""
    return {"success": float(session.won), "steps": float(len(trace.steps))}


def summary(results: Sequence[Result], split: str) -> Summary:
    """Success and steps of the run, by type of task, and the published rows of the split."""
    metrics = {**scoring.percent(results, "success"), "steps": round(scoring.mean(results, "steps"), 2)}
    tables = {"by task": scoring.table(results, lambda each: each.task, ("success",), TYPES)}
    return Summary(metrics, tables, published(split))


def published(split: str) -> dict[str, Mapping[str, float]]:
    """The rows that were published for a split."""
    rows = shipped(__package__, "published.toml")["results"]
    return {row["who"]: {"success": row["success"]} for row in rows if row["split"] == split}
