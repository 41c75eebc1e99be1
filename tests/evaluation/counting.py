"""A benchmark so small that everything about a run can be told beforehand: count down to zero.

As a program it evaluates itself, so that its processes know the benchmark too:
`python counting.py AGENTS WORKERS OUT`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from housemates.agents.random import RandomAgent
from housemates.benchmarks import registry
from housemates.benchmarks.base import Agent, Instance, Limits, Outcome, Trace
from housemates.errors import HousematesError
from housemates.evaluation import runner


class Countdown:
    """The number has to come down to zero in steps of 1."""

    def __init__(self, start: int) -> None:
        self.number = start

    @property
    def role(self) -> str | None:
        return "counter" if self.number > 0 else None

    def observe(self) -> int:
        return self.number

    def act(self, action: Any) -> Outcome:
        if action != 1:
            return Outcome(False, f"{action!r} is not 1.")
        self.number -= 1
        return Outcome(True)


class Always:
    """Always does the same."""

    def __init__(self, action: Any) -> None:
        self.action = action

    def reset(self, instance: Instance) -> None:
        pass

    def act(self, observation: int) -> Any:
        if isinstance(self.action, Exception):
            raise self.action
        return self.action


class Interrupter(Always):
    """Counts well until the fifth instance, where somebody presses Ctrl-C."""

    def reset(self, instance: Instance) -> None:
        if instance.id == "count-5" and "INTERRUPT" in os.environ:
            signal.raise_signal(signal.SIGINT)


class Counting:
    """Instances count-0, count-1, ...: count down from that number."""

    name = "counting"
    id = "housemates/counting-v1"
    roles = ("counter",)
    limits = Limits(steps=20, failures=5)

    def __init__(self, start: int | str = 0) -> None:
        self.start = int(start)

    def instances(self, split: str, episodes: int | None, seed: int) -> Sequence[Instance]:
        if split != "generated":
            raise HousematesError(f"Unknown split {split!r}: expected generated.")
        return [
            Instance(f"count-{number}", "odd" if number % 2 else "even", self.start + number, seed)
            for number in range(episodes or 10)
        ]

    def session(self, instance: Instance) -> Countdown:
        if instance.data < 0:
            raise HousematesError(f"{instance.id}: expected a number from 0, found {instance.data}.")
        return Countdown(instance.data)

    def agents(self, name: str) -> dict[str, Agent]:
        made: dict[str, Agent] = {
            "good": Always(1),
            "bad": Always(2),
            "raising": Always(RuntimeError("no idea")),
            "interrupted": Interrupter(1),
            "random": RandomAgent(lambda observation, rng: int(rng.integers(3))),
        }
        return {"counter": made[name]}

    def score(self, instance: Instance, session: Countdown, trace: Trace) -> dict[str, float]:
        return {"success": float(session.number == 0), "steps": float(len(trace.steps))}

    def summarise(self, scores: Sequence[tuple[Instance, dict[str, float]]]) -> dict[str, Any]:
        finished = [score for _, score in scores if score]
        return {
            "episodes": len(scores),
            "success": float(np.mean([score["success"] for score in finished])) if finished else 0.0,
            "steps": [score.get("steps") for _, score in scores],
        }


class LocalSpec(registry.Spec):
    """A spec whose classes are in this file."""

    def load(self, where: str) -> Any:
        return globals()[where]


def specs() -> dict[str, registry.Spec]:
    """What the registry finds."""
    return {"counting": LocalSpec("counting", "Count to zero.", {"counting": "Counting"})}


if __name__ in ("__main__", "__mp_main__"):
    registry.specs = specs  # type: ignore[assignment]

if __name__ == "__main__":
    agents, workers, out = sys.argv[1:]
    run = runner.Run("counting", agents, "generated")
    print(json.dumps(runner.evaluate(run, int(workers), Path(out), progress=False)))
