"""Who does the work: how many at once, and where."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal

from housemates.errors import HousematesError

THREADS = 32
"""How many threads there are if nobody says how many."""


@dataclass(frozen=True)
class Crew:
    """Workers; results do not depend on them."""

    workers: int | None = None
    """Number of workers; by default one per processor, or 32 threads."""
    executor: Literal["processes", "threads", "ray"] = "processes"
    """Worker backend: processes, threads (for agents that wait for replies) or a Ray cluster."""
    address: str | None = None
    """Address of the Ray cluster, such as HOST:6379; by default a local one is started."""

    def check(self) -> None:
        """Refuse what cannot be meant."""
        if self.workers is not None and self.workers < 1:
            raise HousematesError(f"--workers: expected 1 or more, found {self.workers}.")
        if self.address is not None and self.executor != "ray":
            raise HousematesError("--address: is for --executor ray alone.")

    @property
    def count(self) -> int:
        """How many pieces are worked on at once; on a cluster, 0 stands for as many as it has processors."""
        if self.workers is not None:
            return self.workers
        return {"processes": workers_available(), "threads": THREADS, "ray": 0}[self.executor]


Workers = int | Crew | None
"""A crew, or the number of processes of one; None is one process a processor."""


def crew_of(workers: Workers) -> Crew:
    """The crew that is meant."""
    found = workers if isinstance(workers, Crew) else Crew(workers)
    found.check()
    return found


def crew_for(workers: Workers, few: bool) -> Crew:
    """The crew that is meant; where there is little to do and nobody says who works, this process alone."""
    found = crew_of(workers)
    return Crew(1) if few and found == Crew() else found


def workers_available() -> int:
    """How many processes this machine can run side by side."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
