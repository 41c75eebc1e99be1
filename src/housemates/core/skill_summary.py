"""What is told of runs in skills."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from statistics import median

from housemates.core.benchmark import Result, Summary


def in_skills(summary: Summary, results: Sequence[Result]) -> Summary:
    """A summary with the median number of skills; papers' rows, which are of small steps, are left out."""
    counts = [each.score("skills") for each in results if each.scored and not each.error]
    told = {"skills_median": float(median(counts))} if counts else {}
    return replace(summary, metrics={**summary.metrics, **told}, paper={})
