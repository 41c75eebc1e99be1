"""ALFRED: milliseconds of CPU to plan a task, and demonstrations generated and verified per CPU-second.

The FF planner takes 250 ms of CPU in the median for problems of this kind.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import islice
from statistics import median

from housemates.benchmarks.alfred.commands.verify import problems
from housemates.benchmarks.alfred.generate.sampling import balanced, rooms_of
from housemates.benchmarks.alfred.generate.trajectories import Settings, Work, demonstrations
from housemates.benchmarks.alfred.tasks.planning import solve
from housemates.benchmarks.alfred.tasks.planning.search import shortest

REFERENCE = {"planning_ms_median": 250}


def planning_ms(count: int) -> list[float]:
    """CPU time of each of `count` plans; what an earlier search has found is forgotten before each."""
    found = []
    for _, problem in islice(problems(0), count):
        shortest.cache_clear()
        start = time.process_time()
        solve(problem)
        found.append(1000 * (time.process_time() - start))
    return found


def demonstrations_per_cpu_s(samples: int) -> float:
    """Verified demonstrations with three directives each, as `housemates generate alfred` makes them."""
    works = [
        Work("train", number, sample)
        for number, sample in enumerate(islice(balanced(rooms_of("train"), 1), samples + 3))
    ]
    for work in works[:3]:
        demonstrations(Settings(), work)
    start = time.process_time()
    made = sum(len(demonstrations(Settings(), work).trajectories) for work in works[3:])
    return made / (time.process_time() - start)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    parser.add_argument("--plans", type=int, default=200)
    parser.add_argument("--samples", type=int, default=70)
    args = parser.parse_args()
    spent = planning_ms(args.plans)
    result = {
        "planning_ms_median": round(median(spent), 2),
        "planning_ms_max": round(max(spent), 2),
        "demonstrations_per_cpu_s": round(demonstrations_per_cpu_s(args.samples), 1),
        "reference": REFERENCE,
    }
    print(json.dumps(result) if args.json else "\n".join(f"{key}: {value}" for key, value in result.items()))


if __name__ == "__main__":
    main()
