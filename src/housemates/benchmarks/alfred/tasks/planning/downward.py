"""Fast Downward, run as a program of its own, as an outside check of how short plans can be."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from housemates.benchmarks.alfred.tasks.planning.pddl import domain, problem_text
from housemates.benchmarks.alfred.tasks.planning.problem import Problem
from housemates.errors import HousematesError

SEARCH = "astar(blind())"
LENGTH = re.compile(r"Plan length: (\d+) step")
NONE = ("unsolvable", "no solution", "Search stopped without finding a solution")
VARIABLE = "HOUSEMATES_DOWNWARD"


def command() -> list[str] | None:
    """How Fast Downward is started here; None if it is not installed.

    Taken are the driver named by HOUSEMATES_DOWNWARD, that of the package `up-fast-downward` (the extra
    `plan`), and a `fast-downward` on the path.
    """
    named = os.environ.get(VARIABLE)
    if named:
        return [sys.executable, named] if named.endswith(".py") else [named]
    found = importlib.util.find_spec("up_fast_downward")
    if found is not None and found.submodule_search_locations:
        for folder in found.submodule_search_locations:
            driver = Path(folder) / "downward" / "fast-downward.py"
            if driver.is_file():
                return [sys.executable, str(driver)]
    on_path = shutil.which("fast-downward") or shutil.which("fast-downward.py")
    return [on_path] if on_path else None


def optimal_length(problem: Problem, seconds: int = 120) -> int | None:
    """The length of the shortest plan by Fast Downward; None if there is no plan.

    Raises:
        HousematesError: if it is not installed, or gives no answer in time.
    """
    start = command()
    if start is None:
        raise HousematesError("Fast Downward is not installed: pip install 'housemates[plan]'.")
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / "domain.pddl", Path(folder) / "problem.pddl"]
        files[0].write_text(domain(), encoding="utf-8")
        files[1].write_text(problem_text(problem), encoding="utf-8")
        try:
            done = subprocess.run(
                [*start, *map(str, files), "--search", SEARCH],
                cwd=folder, capture_output=True, text=True, timeout=seconds, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise HousematesError(f"Fast Downward gave no answer in {seconds} s.") from None
    told = LENGTH.search(done.stdout)
    if told:
        return int(told[1])
    if any(word in done.stdout for word in NONE):
        return None
    raise HousematesError(f"Fast Downward failed: {(done.stderr or done.stdout)[-300:].strip()}")
