"""Where more workers stop helping: a small simulation of one runner that writes down what many workers play.

The two numbers that decide it are measured first: the seconds that a worker takes for an episode, and the
seconds that the runner takes to receive and write one. `python perf/scale.py --json` prints one object.
"""

from __future__ import annotations

import heapq
import json
import pickle
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from housemates.core import registry
from housemates.core.loading import seat_all
from housemates.data.journal import Lines
from housemates.evaluation.episodes import Job, Played, Run, work
from housemates.evaluation.results import EPISODES, TRANSCRIPTS

EPISODES_MEASURED, SIMULATED = 20, 20_000
WORKERS = (1, 10, 100, 1_000, 10_000)


def measured(name: str, agent: str) -> dict[str, float]:
    """CPU seconds of an episode in a worker and in the runner, and bytes on disk."""
    made = registry.benchmark_class(name)
    run = Run(name, seat_all(made, [agent], {}))
    references = registry.benchmark(name).references("generated", 0)
    played: list[Played] = []
    work(run, Job(next(references)))
    start = time.process_time()
    while len(played) < EPISODES_MEASURED:
        found = work(run, Job(next(references)))
        assert isinstance(found, list)
        played += found
    playing = (time.process_time() - start) / len(played)
    with tempfile.TemporaryDirectory() as folder:
        files = [Lines(Path(folder) / EPISODES, object), Lines(Path(folder) / TRANSCRIPTS, object)]
        packed = [pickle.dumps(each) for each in played]
        start = time.process_time()
        for each in packed:
            result, told = pickle.loads(each)
            files[0].append(result)
            files[1].append(told)
        writing = (time.process_time() - start) / len(played)
        size = sum(path.stat().st_size for path in Path(folder).iterdir()) / len(played)
    return {"playing_s": playing, "writing_s": writing, "bytes": size}


def rate(workers: int, playing_s: float, writing_s: float) -> float:
    """Episodes a second when each takes a random time (exponential) and one runner writes them in turn."""
    random = np.random.default_rng(0)
    count = max(SIMULATED, 5 * workers)
    times = random.exponential(playing_s, count)
    ends = list(times[:workers])
    heapq.heapify(ends)
    free = 0.0
    for number in range(count):
        done = heapq.heappop(ends)
        free = max(free, done) + writing_s
        if number + workers < count:
            heapq.heappush(ends, free + times[number + workers])
    return count / free


def main() -> None:
    """Measure two benchmarks, simulate, and print."""
    report = {}
    for name, agent in (("handmethat", "heuristic"), ("cerealbar", "first")):
        cost = measured(name, agent)
        rates = {str(each): round(rate(each, cost["playing_s"], cost["writing_s"]), 1) for each in WORKERS}
        most = cost["playing_s"] / cost["writing_s"]
        report[name] = {**cost, "episodes_a_second": rates, "workers_until_the_runner_is_full": round(most)}
    if "--json" in sys.argv:
        print(json.dumps(report))
        return
    for name, facts in report.items():
        print(name, json.dumps(facts))


if __name__ == "__main__":
    main()
