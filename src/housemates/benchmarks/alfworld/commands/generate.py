"""`housemates generate alfworld`: make new games as files that the original plays as well."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from housemates.benchmarks.alfworld.benchmark import Alfworld, AlfworldOptions
from housemates.benchmarks.alfworld.formats.places import FILE
from housemates.core.options import AtLeastOne
from housemates.files import file_name, write_text
from housemates.reporting.facts import show_facts


@dataclass
class Generate:
    """Make new ALFWorld games, each a folder with a game.tw-pddl and a traj_data.json."""

    out: Path = Path("out/alfworld")
    """Folder for the games."""
    episodes: AtLeastOne = 100
    """Number of games."""
    seed: int = 0
    """Random seed."""
    goals: int = 1
    """Number of tasks per game."""
    hidden: bool = False
    """Put what the tasks need into closed receptacles where possible."""
    distractors: int = 0
    """Number of additional objects."""
    words: Literal["template", "people"] = "template"
    """Wording of tasks: as in the published games, or as people might put it."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Make the games and print how many there are of each type."""
        options = AlfworldOptions(
            goals=self.goals, hidden=self.hidden, distractors=self.distractors, words=self.words
        )
        benchmark = Alfworld(options)
        types: Counter[str] = Counter()
        for reference in islice(benchmark.references("generated", self.seed), self.episodes):
            for instance in benchmark.open(reference):
                folder = self.out / file_name(f"{instance.task}-{instance.id}")
                told = {"task_id": instance.id, "task_type": instance.task}
                write_text(folder / "traj_data.json", json.dumps(told) + "\n")
                write_text(folder / FILE, instance.data.text)
                types[instance.task] += 1
        show_facts({"out": str(self.out), "games": types.total(), "types": dict(types)}, self.json)
