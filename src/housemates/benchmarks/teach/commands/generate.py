"""`housemates generate teach`: new sessions in the official format."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from housemates.benchmarks.teach.agents import baselines
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.generate import sessions as generate
from housemates.benchmarks.teach.generate.sampling import Draw
from housemates.errors import HousematesError
from housemates.files import read_json, read_text, write_bytes, write_json, write_text
from housemates.parallel import map_ordered
from housemates.reporting.facts import show_facts

SETTINGS, LOG = "settings.json", "log.jsonl"


class Kept(msgspec.Struct):
    """A line of the log: a session that was kept."""

    id: str
    task: str
    rejected: dict[str, int]
    cpu_s: float


@dataclass
class Generate:
    """Let a pair of agents play sampled tasks and keep the sessions that succeed."""

    n: int = 120
    """How many sessions; the tasks follow one another in turn."""
    tasks: str = "all"
    """Names of tasks, parted by commas, or all."""
    seed: int = 0
    """Where all randomness comes from."""
    out: Path = Path("out/teach")
    """Folder for the games; an interrupted run goes on from it."""
    pair: str = "rule"
    """Who plays: rule or talk."""
    rooms: str = "train"
    """Generated rooms of the split train, seen or unseen, or all of them."""
    plans: Path | None = None
    """Play in the floor plans of this store instead."""
    workers: int | None = None
    """Processes; all processors by default."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Generate what is not there yet, and say what was made and what was thrown away."""
        if self.n < 1:
            raise HousematesError(f"--n: expected at least 1 session, found {self.n}.")
        baselines.pair(self.pair)
        kept = self._kept()
        drawn = self._draws(min(len(kept), self.n))
        self._check_settings()
        kept += self._make(drawn)
        show_facts(self._report(kept[: self.n]), self.json)

    def _draws(self, first: int) -> list[Draw]:
        """The starts that are to be played yet."""
        rooms, store = (self.rooms, None) if self.plans is None else (sampling.PLANS, str(self.plans))
        names = sampling.task_names(self.tasks)
        return sampling.draws(self.seed, self.n - first, names, rooms, store, first)

    def _make(self, drawn: list[Draw]) -> Iterator[Kept]:
        """Make sessions, each kept as soon as it is there."""
        label = None if self.json else f"teach sessions ({self.pair})"
        with (self.out / LOG).open("a", encoding="utf-8") as log:
            for made in map_ordered(partial(generate.make, pair=self.pair), drawn, self.workers, label):
                write_bytes(self.out / f"{made.id}.game.json", made.game)
                line = Kept(made.id, made.task, dict(made.rejected), made.cpu_s)
                log.write(msgspec.json.encode(line).decode() + "\n")
                log.flush()
                yield line

    def _check_settings(self) -> None:
        """Refuse a folder that holds the sessions of another run."""
        fields = asdict(self)
        settings = {name: str(fields[name]) for name in ("tasks", "seed", "pair", "rooms", "plans")}
        path = self.out / SETTINGS
        if path.exists() and read_json(path) != settings:
            raise HousematesError(f"{self.out}: holds the sessions of another run; name another folder.")
        write_json(path, settings)

    def _kept(self) -> list[Kept]:
        """The sessions that are there already; a last line that was cut off is taken away."""
        path = self.out / LOG
        if not path.exists():
            return []
        whole, _, rest = read_text(path).rpartition("\n")
        if rest:
            write_text(path, whole + "\n" if whole else "")
        try:
            return [msgspec.json.decode(line, type=Kept) for line in whole.splitlines()]
        except msgspec.MsgspecError as error:
            raise HousematesError(f"{path}: expected a log of sessions ({error}).") from None

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
