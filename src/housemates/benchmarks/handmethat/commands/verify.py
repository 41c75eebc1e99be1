"""`housemates verify handmethat`: compare with official episodes."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import tyro

from housemates.benchmarks.handmethat.formats.agreement import verify
from housemates.data.records import Skipped, nothing_done
from housemates.reporting.facts import show_facts


@dataclass
class Verify:
    """Compare with official HandMeThat episodes: demonstrations, objects, levels and texts."""

    path: tyro.conf.Positional[Path]
    """Official episodes: a .json file, a .jsonl or .jsonl.zst file, or a folder."""
    limit: int | None = None
    """Maximum number of episodes."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> None:
        """Compare and print what was found, as lines or as one JSON object."""
        skipped: list[Skipped] = []
        found = {**asdict(verify(self.path, skipped, self.limit)), "skipped": len(skipped)}
        if self.json:
            print(json.dumps(found))
        else:
            differences = found.pop("differences")
            show_facts(found, skipped=skipped)
            for each in differences:
                print(each)
        if not found["episodes"]:
            raise nothing_done(self.path, skipped)
