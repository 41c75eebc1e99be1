"""`housemates verify alfworld`: compare with traces of the original engine."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import tyro

from housemates.benchmarks.alfworld.formats.agreement import verify
from housemates.data.records import Skipped, nothing_done
from housemates.reporting.facts import show_facts


@dataclass
class Verify:
    """Compare observations, admissible commands, score and won with traces of the original engine."""

    games: tyro.conf.Positional[Path]
    """Games: a game.tw-pddl, a folder of them, or a packed file."""
    traces: tyro.conf.Positional[Path]
    """Answers of the original engine: a .jsonl or .jsonl.zst file."""
    limit: int | None = None
    """Maximum number of traces."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Compare and print what was found, as lines or as one JSON object."""
        skipped: list[Skipped] = []
        facts = asdict(verify(self.games, self.traces, skipped, self.limit))
        told = facts.pop("told")
        facts["skipped"] = len(skipped)
        if self.json:
            print(json.dumps(facts))
        else:
            show_facts(facts, skipped=skipped)
            for each in told:
                print(each)
        if not facts["traces"]:
            raise nothing_done(self.traces, skipped)
