"""How long a fork of an episode takes, in microseconds of CPU: at random moments of every benchmark.

python perf/fork.py --json
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import tyro

from housemates.core.episode import Episode

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from fixtures.branching import SEATS, acts_of, instances

LIMITS_US = {"text": 100.0, "home": 300.0}
"""What a fork may take in the median."""
TEXT = ("alfworld", "handmethat", "cerealbar")
AGAIN = 5
"""How often each moment is forked; the fastest counts, as other programs only slow it down."""


@dataclass
class Fork:
    """Measure forks on one core."""

    moments: int = 100
    """Of each benchmark."""
    json: bool = False
    """Print one line of JSON."""

    def run(self) -> None:
        """Measure and print."""
        found: dict[str, Any] = {}
        for name, options in SEATS:
            told = ", ".join(f"{key}={value}" for key, value in options.items() if key != "size")
            times = list(self.times(name, options))
            worst = float(np.quantile([each for each, *_ in times], 0.9))
            limit = LIMITS_US["text" if name.startswith(TEXT) else "home"]
            found[f"{name} ({told})" if told else name] = {
                "fork_us": round(median(each for each, *_ in times), 1),
                "fork_us_90th_percentile": round(worst, 1),
                "restore_us": round(median(each for _, each, _ in times), 1),
                "acts_before": round(median(each for *_, each in times)),
                "limit_us": limit,
                "within": median(each for each, *_ in times) <= limit,
            }
        if self.json:
            print(json.dumps(found))
            return
        for name, row in found.items():
            print(f"{name}: {row['fork_us']:g} us (at most {row['limit_us']:g})")

    def times(self, name: str, options: dict[str, Any]) -> Iterator[tuple[float, float, int]]:
        """Of each moment: a fork, a return to a snapshot, and how many acts there were."""
        rng, count = np.random.default_rng(0), 0
        for benchmark, instance in instances(name, options):
            episode = Episode(benchmark, instance)
            while count < self.moments:
                acts_of(episode, rng, int(rng.integers(12)))
                if episode.over:
                    break
                moment = episode.snapshot()
                restored = fastest(lambda: episode.restore(moment))  # noqa: B023 - called at once
                yield fastest(episode.fork), restored, len(episode.trace.steps)
                count += 1
            if count >= self.moments:
                return


def fastest(function: Any) -> float:
    """Microseconds of CPU of one call."""
    found = []
    for _ in range(AGAIN):
        start = time.thread_time_ns()
        function()
        found.append(time.thread_time_ns() - start)
    return min(found) / 1000


if __name__ == "__main__":
    tyro.cli(Fork).run()
