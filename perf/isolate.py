"""What `--isolate` costs: milliseconds a step beside the same agent in this process, and the same digests.

python perf/isolate.py --json
"""

from __future__ import annotations

import json
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import tyro

from housemates.core import registry
from housemates.core.benchmark import Benchmark, Instance
from housemates.core.episode import Episode
from housemates.core.isolation.agent import Isolation
from housemates.core.loading import make_agents, seat_all

AGENTS = str(Path(__file__).with_name("isolated_agents.py"))


class Case(NamedTuple):
    """What is measured, and what it may cost."""

    benchmark: str
    agent: str
    options: dict[str, str]
    allowed_ms: float


CASES = {
    "no pictures, nothing read": Case("home", f"{AGENTS}:Blind", {}, 1.0),
    "text and offers read, HandMeThat": Case("handmethat", f"{AGENTS}:Reader", {}, 1.0),
    "text and offers read, ALFRED": Case("alfred", f"{AGENTS}:Reader", {}, 1.0),
    "typed data read, CerealBar": Case("cerealbar", f"{AGENTS}:Watcher", {}, 1.0),
    "a view of 300 x 300, ALFRED": Case("alfred", f"{AGENTS}:Looker", {}, 3.0),
}


@dataclass
class Isolate:
    """Measure what it costs to keep an agent apart."""

    steps: int = 200
    """Of an episode."""
    rounds: int = 5
    """Episodes of each kind; the median of all steps counts."""
    json: bool = False
    """Print one line of JSON."""

    def run(self) -> None:
        """Measure and print."""
        found: dict[str, Any] = {name: self._measured(case) for name, case in CASES.items()}
        names = sorted(name for spec in registry.specs().values() for name in spec.benchmarks)
        found["the same digests"] = {name: self._same(name) for name in names}
        if self.json:
            print(json.dumps(found))
            return
        for name, row in found.items():
            told = ", ".join(f"{key} {value}" for key, value in row.items())
            print(f"{name}: {told}")

    def _same(self, name: str) -> bool:
        """Whether an episode of random acts ends in the same world, after the same acts, here and apart."""
        benchmark = registry.benchmark(name)
        instance = _first(benchmark)
        ends = set()
        for isolation in (None, Isolation()):
            agents = make_agents(type(benchmark), seat_all(type(benchmark), ["random"], {}, isolation))
            episode = Episode(benchmark, instance, agents)
            while not episode.over and len(episode.trace.steps) < self.steps:
                episode.step()
            assert not episode.trace.error, episode.trace.error
            ends.add(f"{episode.session.digest()} {[step.act for step in episode.trace.steps]}")
            for agent in agents.values():
                getattr(agent, "close", lambda: None)()
        return len(ends) == 1

    def _measured(self, case: Case) -> dict[str, Any]:
        benchmark = registry.benchmark(case.benchmark, **case.options)
        instance = _first(benchmark)
        took: dict[str, list[float]] = {"here": [], "apart": []}
        ends = set()
        started = time.perf_counter()
        for name, isolation in (("here", None), ("apart", Isolation())):
            seats = seat_all(type(benchmark), [case.agent], {}, isolation)
            agents = make_agents(type(benchmark), seats)
            made = time.perf_counter() - started
            for _ in range(self.rounds):
                episode = Episode(benchmark, instance, agents)
                for _ in range(self.steps):
                    if episode.over:
                        break
                    began = time.perf_counter()
                    episode.step()
                    took[name].append(1e3 * (time.perf_counter() - began))
                assert not episode.trace.error, episode.trace.error
                ends.add(episode.session.digest())
            for agent in agents.values():
                getattr(agent, "close", lambda: None)()
            started = time.perf_counter()
        here, apart = map(statistics.median, took.values())
        return {
            "here_ms": round(here, 3),
            "apart_ms": round(apart, 3),
            "cost_ms": round(apart - here, 3),
            "allowed_ms": case.allowed_ms,
            "starting_s": round(made, 3),
            "same_digests": len(ends) == 1,
        }


def _first(benchmark: Benchmark) -> Instance:
    return next(each for ref in benchmark.references("generated", 0) for each in benchmark.open(ref))


if __name__ == "__main__":
    tyro.cli(Isolate).run()
