"""The numbers of an attempt and of a run: success, goal conditions, length weighting, tables by task."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

from housemates.benchmarks.base import Instance
from housemates.benchmarks.teach.tasks.catalogue import Progress, dataset_tasks
from housemates.files import read_json

Scores = Mapping[str, float]
AVERAGED = ("success", "goal_condition", "success_length_weighted", "goal_condition_length_weighted")


@dataclass(frozen=True)
class Attempt:
    """What came of one instance."""

    success: bool
    wanted: int
    """Goal conditions that did not hold at the start."""
    left: int
    """Goal conditions that do not hold at the end."""
    reference: int
    """Actions that people took."""
    taken: int
    """Actions that the agent took."""


def attempt(start: Progress, end: Progress, reference: int, taken: int) -> Attempt:
    """The attempt that led from one progress check to another."""
    return Attempt(end.success, unmet(start), unmet(end), reference, taken)


def unmet(progress: Progress) -> int:
    """Goal conditions that do not hold; never negative, though more can be counted as met than there are."""
    return max(0, progress.total - progress.satisfied)


def length_weighted(value: float, reference: int, taken: int) -> float:
    """Weigh a metric by how much longer than the reference the agent took (section 4.1)."""
    return value * reference / max(reference, taken) if reference else value


def scores(made: Attempt) -> dict[str, float]:
    """The numbers of one attempt; whatever a run's table needs is among them."""
    reached = made.wanted - made.left
    share = reached / made.wanted if made.wanted else float(made.success)
    goal_condition = min(1.0, max(0.0, share))
    return {
        "success": float(made.success),
        "goal_condition": goal_condition,
        "success_length_weighted": length_weighted(float(made.success), made.reference, made.taken),
        "goal_condition_length_weighted": length_weighted(goal_condition, made.reference, made.taken),
        "conditions_reached": float(reached),
        "conditions_wanted": float(made.wanted),
        "reference": float(made.reference),
    }


def summarise(results: Sequence[tuple[Instance, Scores]]) -> dict[str, Any]:
    """The table of a run; an instance without scores counts as a failure.

    The main numbers are averages over instances, as the paper defines them. Under `reference_code` are
    those of the published code: goal conditions pooled over all instances, and length-weighted metrics
    weighted by the reference's length once more.
    """
    by_task: dict[str, list[Scores]] = defaultdict(list)
    for instance, found in results:
        by_task[instance.task].append(found)
    everything = [found for _, found in results]
    tasks = [name for name in dataset_tasks().values() if name in by_task]
    tasks += sorted(set(by_task) - set(tasks))
    return {
        "episodes": len(results),
        **{name: _mean(everything, name) for name in AVERAGED},
        "reference_code": _as_published_code(everything),
        "per_task": {task: _mean(by_task[task], "success") for task in tasks},
        "per_task_goal_condition": {task: _mean(by_task[task], "goal_condition") for task in tasks},
    }


@cache
def published() -> Mapping[str, Any]:
    """The paper's numbers: tables 2 to 6 and the averages in its text."""
    found: dict[str, Any] = read_json(Path(__file__).with_name("published.json"))
    return found


def report(results: Sequence[tuple[Instance, Scores]], benchmark: str, split: str) -> dict[str, Any]:
    """The table of a run, with the paper's numbers beside ours where it has some; see `beside_paper`."""
    summary = summarise(results)
    known = benchmark == "tatc" or split in published()[f"{benchmark}_table4"]
    return summary | ({"beside_paper": beside_paper(summary, benchmark, split)} if known else {})


def beside_paper(summary: Mapping[str, Any], benchmark: str, split: str) -> dict[str, dict[str, float]]:
    """A run's percentages and the paper's for the same benchmark and split, one row for each agent.

    Args:
        summary: What `summarise` returned.
        benchmark: `edh`, `tfd` or `tatc`.
        split: `valid_seen` or `valid_unseen`; TATC has no splits.
    """
    if benchmark == "tatc":
        theirs = published()["tatc_table5"]
        ours = {**summary["per_task"], "overall": summary["success"]}
        return {
            task: {"here": round(100 * value, 2), "paper": theirs[task]}
            for task, value in ours.items()
            if task in theirs
        }
    rows: dict[str, dict[str, float]] = dict(published()[f"{benchmark}_table4"].get(split, {}))
    return {"here": {name: round(100 * summary[name], 2) for name in AVERAGED}, **rows}


def _as_published_code(found: Sequence[Scores]) -> dict[str, float]:
    wanted = sum(each.get("conditions_wanted", 0.0) for each in found)
    length = sum(each.get("reference", 0.0) for each in found)
    reached = sum(each.get("conditions_reached", 0.0) for each in found)
    weighted = {
        name: sum(each.get(name, 0.0) * each.get("reference", 0.0) for each in found) / length
        if length
        else 0.0
        for name in ("success_length_weighted", "goal_condition_length_weighted")
    }
    return {"goal_condition": reached / wanted if wanted else 0.0, **weighted}


def _mean(found: Sequence[Scores], name: str) -> float:
    return fmean(each.get(name, 0.0) for each in found) if found else 0.0
