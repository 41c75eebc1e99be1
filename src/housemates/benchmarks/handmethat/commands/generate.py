"""`housemates generate handmethat`: make new episodes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from housemates.benchmarks.handmethat.generate.dataset import generate
from housemates.benchmarks.handmethat.generate.synthesis import Settings
from housemates.errors import HousematesError
from housemates.parallel import Crew
from housemates.reporting.tables import show


@dataclass
class Generate:
    """Generate HandMeThat episodes; repeat the command to resume."""

    out: Path = Path("out/handmethat")
    """Folder for the episodes."""
    version: Literal[1, 2] = 2
    """1: all goals and quests, levels balanced; 2: 25 goals, bring-me, levels as sampled."""
    episodes: int = 1000
    """Number of episodes."""
    seed: int = 0
    """Random seed."""
    balanced: bool | None = None
    """Generate equally many episodes of each level; the version decides by default."""
    level: Literal[1, 2, 3, 4] | None = None
    """Only episodes of this level, as sampled; excludes balanced levels."""
    planner: Literal["exact", "ff"] = "exact"
    """How the human plans: cheapest plans, or one conjunct at a time with the FF heuristic."""
    understood: Literal["drawn", "likeliest"] = "drawn"
    """How the listener that determines version 2's levels interprets: a sampled meaning, or the likeliest."""
    expert: Literal["exact", "ff"] = "exact"
    """How the expert plans: shortest demonstrations, or greedy best-first search with the FF heuristic."""
    format: Literal["lines", "official"] = "lines"
    """Short JSON lines, or the official file for each episode."""
    crew: Crew = field(default_factory=Crew)
    """Workers."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> None:
        """Generate and print the counts."""
        balanced = self.version == 1 and self.level is None if self.balanced is None else self.balanced
        if balanced and self.level is not None:
            raise HousematesError("Levels cannot be balanced where only one is wanted.")
        settings = Settings(self.version, self.planner, self.expert, self.understood, balanced, self.level)
        official = self.format == "official"
        counts = generate(self.out, self.episodes, self.seed, settings, official, self.crew, not self.json)
        if self.json:
            print(json.dumps({"out": str(self.out), **counts}))
            return
        show(counts["by_level"], f"{counts['episodes']} episodes of {counts['goals']} goals in {self.out}")
