"""`housemates verify reading`: how much of what people say the reader reads without any mistake."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tyro


@dataclass
class VerifyReading:
    """Measure how many directives and dialogues the reader interprets exactly."""

    data: tyro.conf.Positional[Path]
    """A folder with alfred/ and teach/, each with the split as a folder or as a packed file."""
    split: str = "valid_seen"
    """Split."""
    weights: Path | None = None
    """A folder written by `housemates export model`; by default the package's weights."""
    json: bool = False
    """Print one JSON object."""

    def run(self) -> None:
        """Read, and print how much was right."""
        from housemates.agents.reader.language.network import load, shipped_network
        from housemates.data.records import Skipped, nothing_done
        from housemates.data.replays import counted
        from housemates.models.reader.data import examples
        from housemates.models.reader.metrics import read_exactly
        from housemates.reporting.facts import show_facts

        network = shipped_network() if self.weights is None else load(self.weights)
        skipped: list[Skipped] = []
        found = examples(self.data, self.split, skipped)
        if not found:
            raise nothing_done(self.data, skipped)
        right = read_exactly(found, network.card, network.log_probs)
        facts = {
            "ALFRED's tasks, from goal and instructions": counted(right["alfred"]),
            "ALFRED's tasks, from the goal alone": counted(right["goal"]),
            "TEACh's tasks with all parameters": counted(right["teach"]),
        }
        show_facts(facts | {"skipped": len(skipped)}, self.json, skipped)
