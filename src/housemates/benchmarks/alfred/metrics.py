"""The numbers of ALFRED: task success, goal-condition success, and both weighted by the path."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from housemates.benchmarks.alfred.tasks import subgoals
from housemates.benchmarks.alfred.tasks.goals import TITLES, Progress
from housemates.core import scoring
from housemates.core.benchmark import Result, Summary
from housemates.files import shipped

SHARES = ("success", "success_weighted", "goal_conditions", "goal_conditions_weighted")
AVERAGE = "average of kinds"


def of_episode(progress: Progress, reference: int, taken: int) -> dict[str, float]:
    """The numbers of one episode that took so many actions, where the expert took `reference`."""
    success, share = float(progress.success), progress.met / progress.total
    return {
        "success": success,
        "goal_conditions": share,
        "success_weighted": scoring.length_weighted(success, reference, taken),
        "goal_conditions_weighted": scoring.length_weighted(share, reference, taken),
        "steps": float(taken),
        "demonstration_steps": float(reference),
    }


def of_subgoal(reached: bool, reference: int, taken: int) -> dict[str, float]:
    """The numbers of one sub-goal."""
    success = float(reached)
    return {
        "success": success,
        "success_weighted": scoring.length_weighted(success, reference, taken),
        "steps": float(taken),
    }


def summary(results: Sequence[Result], split: str, beside: bool = True) -> Summary:
    """Table 3's numbers over all episodes and Table A1's by type of task, the paper's beside them if wanted.

    What has neither scores nor an error was not scored, as its file does not tell the goal.
    """
    scored = [each for each in results if each.scored]
    if not scored:
        return Summary({"not_scored": len(results)})
    solved = [each for each in scored if each.score("success") == 1.0]
    metrics: dict[str, float] = {
        **scoring.percent(scored, *SHARES),
        "steps": round(scoring.mean(scored, "steps"), 2),
    }
    if solved:
        metrics["steps_where_solved"] = round(scoring.mean(solved, "steps"), 2)
        metrics["demonstration_steps_where_solved"] = round(scoring.mean(solved, "demonstration_steps"), 2)
    if len(scored) < len(results):
        metrics["not_scored"] = len(results) - len(scored)
    titles = [*TITLES.values(), scoring.UNKNOWN]
    rows: dict[str, dict[str, Any]] = {
        title: dict(row) for title, row in scoring.table(scored, _title, SHARES, titles).items()
    }
    for title, group in scoring.grouped(scored, _title).items():
        rows[title]["steps"] = round(scoring.mean(group, "steps"), 2)
    if not beside:
        return Summary(metrics, {"by type": rows})
    _put_beside(rows, published()["by_type"], split)
    paper = published()["whole"]
    return Summary(
        metrics,
        {"by type": rows},
        {name: row for name, row in paper.items() if name.endswith(f", {split}")} or paper,
    )


def subgoal_summary(results: Sequence[Result], split: str) -> Summary:
    """Table 4: success by kind of sub-goal, plain and weighted by the path, the paper's beside them."""
    shares = ("success", "success_weighted")
    titles = [*subgoals.TITLES.values(), scoring.UNKNOWN]
    rows: dict[str, dict[str, Any]] = {
        title: dict(row) for title, row in scoring.table(results, _kind, shares, titles).items()
    }
    columns = {name: round(fmean(row[name] for row in rows.values()), 2) for name in shares}
    rows[AVERAGE] = {"episodes": len(results), **columns}
    _put_beside(rows, published()["subgoals"], split)
    metrics = scoring.percent(results, *shares) | {"steps": round(scoring.mean(results, "steps"), 2)}
    return Summary(metrics, {"by kind": rows})


def published() -> dict[str, Any]:
    """The contents of `published.toml`: the paper's numbers."""
    return shipped(__package__, "published.toml")


def _title(result: Result) -> str:
    return TITLES.get(result.task, scoring.UNKNOWN)


def _kind(result: Result) -> str:
    return subgoals.TITLES.get(result.task, scoring.UNKNOWN)


def _put_beside(rows: dict[str, dict[str, Any]], paper: dict[str, dict[str, float]], split: str) -> None:
    """Give rows the paper's columns, those of unseen rooms if the split is of such."""
    fold = "unseen" if split.endswith("unseen") else "seen"
    for model, numbers in paper.items():
        if model.endswith(f", {fold}"):
            for row in rows:
                if row in numbers:
                    rows[row][model] = numbers[row]
