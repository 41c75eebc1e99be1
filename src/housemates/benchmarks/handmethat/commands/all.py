"""The benchmark's commands: generate, verify, stats and play."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import tyro


def _show(result: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(result))
        return
    for key, value in result.items():
        if isinstance(value, list):
            print(f"{key}:", *(f"\n  {line}" for line in value))
        else:
            print(f"{key}: {value}")


@dataclass
class Generate:
    """Make new HandMeThat episodes; an interrupted run goes on where it was."""

    out: Path = Path("out/handmethat")
    """Folder for the episodes."""
    version: Literal[1, 2] = 2
    """1: all goals and quests, levels balanced; 2: 25 goals, bring-me, levels as they come."""
    n: int = 1000
    """Number of episodes."""
    seed: int = 0
    """Where all randomness comes from."""
    planner: Literal["exact", "ff"] = "exact"
    """How the human plans: cheapest plans, or one conjunct at a time with the FF heuristic."""
    understood: Literal["drawn", "likeliest"] = "drawn"
    """What the listener who decides a level of version 2 understands: a drawn meaning, or the likeliest."""
    expert: Literal["exact", "ff"] = "exact"
    """How the expert plans: shortest demonstrations, or greedy best-first search with the FF heuristic."""
    format: Literal["lines", "official"] = "lines"
    """Short JSON lines, or the official file for each episode."""
    workers: int | None = None
    """Processes; all processors by default."""
    json: bool = False
    """Print one line of JSON."""

    def run(self) -> None:
        """Generate and print the counts."""
        from housemates.benchmarks.handmethat.generate.dataset import generate
        from housemates.benchmarks.handmethat.generate.making import Settings
        from housemates.errors import HousematesError

        if self.n < 1:
            raise HousematesError(f"--n: expected at least 1, found {self.n}.")
        settings = Settings(
            self.version, self.planner, self.expert, self.understood, balanced=self.version == 1
        )
        official = self.format == "official"
        counts = generate(self.out, self.n, self.seed, settings, official, self.workers, not self.json)
        _show({"folder": str(self.out), **counts}, self.json)


@dataclass
class Verify:
    """Compare with official HandMeThat episodes: demonstrations, objects, levels and texts."""

    path: tyro.conf.Positional[Path]
    """Official episodes: a .json file, a .jsonl or .jsonl.zst file, or a folder."""
    json: bool = False
    """Print one line of JSON."""

    def run(self) -> None:
        """Compare and print."""
        from housemates.benchmarks.handmethat.files.agreement import verify

        _show(asdict(verify(self.path)), self.json)


@dataclass
class Statistics:
    """Statistics and plots of a set of episodes (Figures 4 to 7, Tables 4 and 20)."""

    path: tyro.conf.Positional[Path | None] = None
    """Episodes; new ones of version 2 are made if none are given."""
    n: int = 200
    """How many episodes to make, or to read at most."""
    plots: Path | None = None
    """Folder for the plots."""
    json: bool = False
    """Print one line of JSON."""

    def run(self) -> None:
        """Count, plot and print."""
        from housemates.benchmarks.handmethat.files.statistics import collect, plot, summary

        found = collect(self.path, self.n)
        if self.plots is not None:
            plot(found, self.plots)
        _show(summary(found), self.json)


@dataclass
class Play:
    """Be the robot: read what the human did and said, and give commands."""

    path: tyro.conf.Positional[Path | None] = None
    """Episodes to play; new ones are made if none are given."""
    seed: int = 0
    """Which episode."""
    observability: Literal["full", "partial"] = "partial"
    """See everything at first, or only where you are."""
    style: Literal["standard", "reference"] = "standard"
    """The wording of the texts."""
    questions: float = 1.0
    """What a question to the human costs."""

    def run(self) -> None:
        """Play one episode in the terminal."""
        from housemates.benchmarks.handmethat.commands.play import play

        play(self.path, self.seed, self.observability == "full", self.style, self.questions)
