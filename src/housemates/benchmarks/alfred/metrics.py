"""The numbers of ALFRED: task success, goal-condition success, and both weighted by the path."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from housemates.benchmarks.alfred.tasks.goals import TITLES, Progress

Scores = dict[str, float]


def length_weighted(value: float, reference: int, taken: int) -> float:
    """Weigh a metric by how much longer than the expert the agent took (the paper's equation 6)."""
    return value * reference / max(reference, taken, 1)


def of_episode(progress: Progress, reference: int, taken: int) -> Scores:
    """The numbers of one episode that took so many actions, where the expert took `reference`."""
    success, share = float(progress.success), progress.met / progress.total
    return {
        "success": success,
        "goal_conditions": share,
        "success_weighted": length_weighted(success, reference, taken),
        "goal_conditions_weighted": length_weighted(share, reference, taken),
        "actions": float(taken),
        "demonstration_actions": float(reference),
    }


def mean(scores: Sequence[Scores], key: str) -> float:
    """The mean of one number; 0 of none."""
    return sum(score[key] for score in scores) / len(scores) if scores else 0.0


def tables(scores: Sequence[tuple[str, Scores]]) -> dict[str, Any]:
    """The tables of a run: Table 3's numbers over all episodes, Table A1's by type, beside the paper's."""
    every = [score for _, score in scores if score]
    solved = [score for score in every if score["success"] == 1.0]
    percent = ("success", "success_weighted", "goal_conditions", "goal_conditions_weighted")
    by_type = {}
    for kind, title in TITLES.items():
        mine = [score for task, score in scores if task == kind and score]
        if mine:
            row: dict[str, Any] = {name: round(100 * mean(mine, name), 1) for name in percent}
            by_type[title] = {"episodes": len(mine), **row, "actions": round(mean(mine, "actions"), 1)}
    return {
        "episodes": len(every),
        **{name: round(100 * mean(every, name), 1) for name in percent},
        "actions_where_solved": round(mean(solved, "actions"), 2),
        "demonstration_actions_there": round(mean(solved, "demonstration_actions"), 2),
        "by_type": by_type,
        "published": published()["table_3"],
        "published_by_type": _columns_as_rows(published()["table_a1"]),
    }


def _columns_as_rows(table: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    names = list(dict.fromkeys(name for row in table.values() for name in row))
    return {name: {model: row[name] for model, row in table.items()} for name in names}


def subgoal_tables(scores: Sequence[tuple[str, Scores]]) -> dict[str, Any]:
    """Table 4: success by kind of sub-goal, plain and weighted by the path, beside the paper's."""
    kinds = list(published()["subgoals"])
    rows = {}
    for kind in kinds:
        mine = [score for task, score in scores if task == kind and score]
        if mine:
            rows[kind.removesuffix("Object").removesuffix("Location")] = {
                "sub-goals": len(mine),
                "success": round(100 * mean(mine, "success"), 1),
                "success_weighted": round(100 * mean(mine, "success_weighted"), 1),
            }
    every = [score for _, score in scores if score]
    return {
        "episodes": len(every),
        "success": round(100 * mean(every, "success"), 1),
        "success_weighted": round(100 * mean(every, "success_weighted"), 1),
        "by_subgoal": rows,
        "published": _columns_as_rows(published()["table_4"]),
    }


@cache
def published() -> dict[str, Any]:
    """The paper's numbers."""
    text = resources.files(__package__).joinpath("published.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
