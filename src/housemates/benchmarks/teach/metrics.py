"""The numbers of an attempt and of a run: success, goal conditions, weighted by length, by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, pstdev
from typing import Any

from housemates.benchmarks.teach.tasks.catalogue import Progress, dataset_tasks
from housemates.core import scoring
from housemates.core.benchmark import Result, Summary
from housemates.files import shipped

PAIR = "Rule-based pair"
REACHED = ("success", "goal_conditions")
WEIGHTED = ("success_weighted", "goal_conditions_weighted")
"""The same, weighted by length; only where it is known how many actions people took."""
POOLED = "_pooled"
"""How the names of numbers end that are counted as the released code counts them, which the paper prints."""
VERSIONS = {"aaai": "AAAI", "arxiv": "arXiv"}
"""The two versions of the paper, whose Table 4 differs."""


def scores(start: Progress, end: Progress, reference: int, taken: int) -> dict[str, float]:
    """The numbers of an attempt that led from one progress check to another.

    Args:
        start: What holds at the start.
        end: What holds at the end.
        reference: How many actions people took; 0 if nobody did it, and nothing is weighted then.
        taken: How many the agent took.
    """
    wanted, left = unmet(start), unmet(end)
    share = (wanted - left) / wanted if wanted else float(end.success)
    reached = dict(zip(REACHED, (float(end.success), min(1.0, max(0.0, share))), strict=True))
    lengths = {
        name: scoring.length_weighted(value, reference, taken)
        for name, value in zip(WEIGHTED, reached.values(), strict=True)
    }
    return {
        **reached,
        **(lengths if reference else {}),
        "steps": float(taken),
        "conditions_reached": float(wanted - left),
        "conditions_wanted": float(wanted),
        "reference": float(reference),
    }


def unmet(progress: Progress) -> int:
    """Goal conditions that do not hold; never negative, though more can be counted as met than there are."""
    return max(0, progress.total - progress.satisfied)


def published() -> Mapping[str, Any]:
    """The paper's numbers: tables 2 to 6 and the averages in its text."""
    return shipped(__package__, "published.toml")


def summary(results: Sequence[Result], paper: Mapping[str, Mapping[str, float]]) -> Summary:
    """The numbers of a run, averages over episodes as the paper defines them, beside rows of the paper.

    Those that end in `_pooled` are as the released code counts and the paper prints them: goal conditions
    pooled over all episodes, and what is weighted by length weighted by the reference's length once more.
    """
    return Summary(_averages(results) | _as_released(results), {"by task": by_task(results)}, paper)


def rows_beside(name: str, split: str) -> dict[str, Mapping[str, float]]:
    """The rows of the paper's Table 4 for a benchmark's split, of both versions where they differ."""
    found = published()
    alike = found.get(f"{name}_table4", {}).get(split, {})
    return dict(alike) | {
        f"{row} ({label})": numbers
        for version, label in VERSIONS.items()
        for row, numbers in found.get(f"{name}_table4_{version}", {}).get(split, {}).items()
    }


def pair_summary(results: Sequence[Result], beside: bool = True) -> Summary:
    """The same for pairs, and how many utterances leak; beside success by task, if wanted, the paper's."""
    theirs = published()["tatc_table5"][PAIR] if beside else {}
    made = summary(results, {PAIR: theirs["overall"]} if beside else {})
    rows = {task: row | _beside(theirs.get(task, {})) for task, row in made.tables["by task"].items()}
    won = [each.score("steps") for each in results if each.score("success")]
    talk = {
        "utterances": round(scoring.mean(results, "utterances"), 2),
        "leaks": round(scoring.mean(results, "leaks"), 2),
        **({"actions": round(fmean(won), 2), "actions_sd": round(pstdev(won), 2)} if won else {}),
    }
    return Summary({**made.metrics, **talk}, {**made.tables, "by task": rows}, made.paper)


def by_task(results: Sequence[Result]) -> dict[str, dict[str, float]]:
    """Success and goal conditions of each task, in the paper's order."""
    order = list(dataset_tasks().values())
    return scoring.table(results, lambda each: each.task, REACHED, order)


def _averages(results: Sequence[Result]) -> dict[str, float]:
    names = (*REACHED, *(WEIGHTED if _lengths(results) else ()))
    return {**scoring.percent(results, *names), "steps": round(scoring.mean(results, "steps"), 1)}


def _lengths(results: Sequence[Result]) -> float:
    """How many actions people took, in all episodes together."""
    return sum(each.score("reference") for each in results)


def _beside(paper: Mapping[str, float]) -> dict[str, float]:
    return {f"paper {name}": value for name, value in paper.items() if name in ("success", "actions")}


def _as_released(results: Sequence[Result]) -> dict[str, float]:
    wanted = sum(each.score("conditions_wanted") for each in results)
    reached = sum(each.score("conditions_reached") for each in results)
    length = _lengths(results)
    pooled = {f"goal_conditions{POOLED}": _percent(reached, wanted)}
    if not length:
        return pooled
    return pooled | {
        f"{name}{POOLED}": _percent(
            sum(each.score(name) * each.score("reference") for each in results), length
        )
        for name in WEIGHTED
    }


def _percent(part: float, whole: float) -> float:
    return round(100 * part / whole, 2) if whole else 0.0
