"""`housemates verify alfred`: compare our plans' lengths with the shortest that Fast Downward finds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from housemates.benchmarks.alfred.generate.arrangement import draw_start
from housemates.benchmarks.alfred.generate.sampling import balanced, rooms_of
from housemates.benchmarks.alfred.tasks.planning import Problem, problem_of, solve
from housemates.benchmarks.alfred.tasks.planning.downward import command, optimal_length
from housemates.benchmarks.alfred.world.dynamics import AlfredWorld
from housemates.errors import HousematesError
from housemates.parallel import track
from housemates.reporting.facts import show_facts


class Compared(NamedTuple):
    """Two plans for one problem."""

    name: str
    ours: int
    optimal: int | None
    seconds: float
    """Of CPU, for ours."""


@dataclass
class Verify:
    """Plan sampled tasks with our planner and with Fast Downward (extra `plan`), and compare the lengths."""

    episodes: int = 50
    """Number of tasks."""
    seed: int = 0
    """Random seed."""
    seconds: int = 120
    """Time limit of Fast Downward per task."""
    json: bool = False
    """Print one line of JSON instead of a summary."""

    def run(self) -> None:
        """Compare and print what was found, as lines or as one JSON object."""
        if command() is None:
            raise HousematesError("Fast Downward is not installed: pip install 'housemates[plan]'.")
        label = None if self.json else "verify alfred"
        found = list(track(compare(self.episodes, self.seed, self.seconds), self.episodes, label))
        show_facts(summarise(found), self.json)


def problems(seed: int) -> Iterator[tuple[str, Problem]]:
    """Problems of balanced tasks without end, each with a name."""
    for number, sample in enumerate(balanced(rooms_of("train"), seed)):
        start = draw_start(sample, np.random.default_rng([seed, number, 19]))
        if start is not None:
            yield sample.name, problem_of(AlfredWorld(start), sample.task)


def compare(count: int, seed: int, seconds: int) -> Iterator[Compared]:
    """Plan `count` problems twice."""
    for _, (name, problem) in zip(range(count), problems(seed), strict=False):
        before = time.process_time()
        plan = solve(problem)
        taken = time.process_time() - before
        yield Compared(name, len(plan.steps) if plan else 0, optimal_length(problem, seconds), taken)


def summarise(found: list[Compared]) -> dict[str, Any]:
    """How many plans are as short as can be, and how long planning took."""
    longer = [each.name for each in found if each.ours != (each.optimal or 0)]
    return {
        "problems": len(found),
        "as_short": len(found) - len(longer),
        "differ": longer,
        "mean_length": round(sum(each.ours for each in found) / max(len(found), 1), 2),
        "planning_ms_median": round(1000 * median(each.seconds for each in found), 3) if found else None,
    }
