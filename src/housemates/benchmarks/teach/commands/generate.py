"""`housemates generate teach`: new sessions in the official format."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
import tyro

from housemates.benchmarks.teach.generate import sampling, sessions
from housemates.benchmarks.teach.generate.sampling import Draw
from housemates.core import registry
from housemates.core.loading import make_alike
from housemates.core.options import pairs
from housemates.data.claims import claimed
from housemates.data.journal import Journal
from housemates.files import write_bytes
from housemates.parallel import Crew, map_ordered
from housemates.reporting.facts import show_facts

LOG = "log.jsonl"


class Kept(msgspec.Struct):
    """A line of the log: a session that was kept."""

    id: str
    task: str
    rejected: dict[str, int]
    cpu_s: float


@dataclass
class Generate:
    """Let a pair of agents play sampled tasks and store the successful sessions."""

    episodes: int = 120
    """Number of sessions; tasks take turns."""
    tasks: str = "all"
    """Task names, separated by commas, or all."""
    seed: int = 0
    """Random seed."""
    out: Path = Path("out/teach")
    """Folder for the games; repeat the command to resume."""
    pair: str = "rule"
    """The pair that plays: rule, talk, or people, a Commander who speaks as people do, with talk."""
    agent_option: Annotated[list[str], tyro.conf.arg(metavar="KEY=VALUE")] = field(default_factory=list)
    """Options of the pair, such as manner=terse of people."""
    rooms: str = "train"
    """Generated rooms of the split train, seen or unseen, or all of them."""
    plans: Path | None = None
    """Play in the floor plans of this store instead."""
    crew: Crew = field(default_factory=Crew)
    """Workers."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Generate what is not there yet, and say what was made and what was thrown away."""
        self._options = pairs(self.agent_option, "--agent-option")
        make_alike(registry.benchmark_class("teach-tatc"), self.pair, self._options)
        settings = {name: getattr(self, name) for name in ("tasks", "seed", "pair", "rooms", "plans")}
        settings |= {"agent_options": self._options} if self._options else {}
        journal = Journal(self.out / LOG, settings, Kept)
        with claimed(folders=[self.out]):
            kept = journal.finished()
            drawn = self._draws(min(len(kept), self.episodes))
            kept += journal.keep(self._make(drawn))
        show_facts(self._report(kept[: self.episodes]), self.json)

    def _draws(self, first: int) -> list[Draw]:
        """The starts that are to be played yet."""
        rooms, store = (self.rooms, None) if self.plans is None else (sampling.PLANS, str(self.plans))
        names = sampling.task_names(self.tasks)
        return sampling.draws(self.seed, self.episodes - first, names, rooms, store, first)

    def _make(self, drawn: list[Draw]) -> Iterator[Kept]:
        """Make sessions, each written as soon as it is there."""
        label = None if self.json else f"teach sessions ({self.pair})"
        for made in map_ordered(
            partial(sessions.make, pair=self.pair, options=self._options), drawn, self.crew, label
        ):
            write_bytes(self.out / f"{made.id}.game.json", made.game)
            yield Kept(made.id, made.task, dict(made.rejected), made.cpu_s)

    def _report(self, kept: list[Kept]) -> dict[str, Any]:
        rejected: Counter[str] = Counter()
        by_task: dict[str, int] = defaultdict(int)
        for each in kept:
            rejected.update(each.rejected)
            by_task[each.task] += 1
        cpu_s = sum(each.cpu_s for each in kept)
        return {
            "sessions": len(kept),
            "rejected": sum(rejected.values()),
            "reasons": dict(sorted(rejected.items())),
            "tasks": dict(by_task),
            "sessions_per_cpu_second": round(len(kept) / cpu_s, 2) if cpu_s else 0.0,
            "out": str(self.out),
        }
