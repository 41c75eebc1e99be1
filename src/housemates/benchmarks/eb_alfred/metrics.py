"""EmbodiedBench's numbers: task success, progress, skills tried and failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from housemates.benchmarks.alfred.tasks.goals import TYPES
from housemates.benchmarks.eb_alfred.session import EBAlfredSession
from housemates.core import scoring
from housemates.core.benchmark import Result, Summary
from housemates.core.trace import Trace
from housemates.files import shipped

SHARES = ("success", "goal_conditions")


def of_episode(session: EBAlfredSession, trace: Trace) -> dict[str, float]:
    """The numbers of one episode; progress is the share of goal conditions met at its end."""
    progress = session.progress
    return {
        "success": float(progress.success),
        "goal_conditions": progress.met / progress.total,
        "steps": float(len(trace.steps) - session.stopped),
        "failures": float(trace.failures),
    }


def summary(results: Sequence[Result], split: str) -> Summary:
    """Averages over all and by type of task, beside the published rows of the subset."""
    metrics = {
        **scoring.percent(results, *SHARES),
        "steps": round(scoring.mean(results, "steps"), 2),
        "failures": round(scoring.mean(results, "failures"), 2),
    }
    tables = {"by task": scoring.table(results, lambda each: each.task, SHARES, tuple(TYPES))}
    return Summary(metrics, tables, published(split))


def published(split: str) -> dict[str, Mapping[str, float]]:
    """The rows that were published for a subset."""
    rows = shipped(__package__, "published.toml")["results"]
    return {row["who"]: {"success": row[split]} for row in rows if split in row}
