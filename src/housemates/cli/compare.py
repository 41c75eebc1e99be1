"""`housemates compare A B`: what changed between two runs, and whether it is more than chance."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import msgspec
import tyro

from housemates.cli import options

SHOWN = 10
"""Episodes that are named of each kind."""


@dataclass
class Compare:
    """Compare two runs of the same episodes: differences, intervals, exact tests, changed episodes."""

    first: tyro.conf.Positional[Path]
    """A folder written by `housemates eval --out`."""
    second: tyro.conf.Positional[Path]
    """The folder of the run to compare it with."""
    by: str = ""
    """A tag of episodes, such as `game`: episodes that share it are resampled together."""
    json: bool = False
    """Print one JSON object instead of tables."""

    def run(self) -> None:
        """Compare and print what was found, as lines or as one JSON object."""
        from housemates.evaluation.comparison import compare, table_of
        from housemates.reporting.facts import show_meanings
        from housemates.reporting.tables import columns, show
        from housemates.reporting.words import meanings, several

        found = compare(self.first, self.second, self.by)
        if self.json:
            print(json.dumps(msgspec.to_builtins(found)))
            return
        print(f"{several(found.episodes, 'episode')} in both; alone: {found.only[0]} and {found.only[1]}.")
        print(f"What differs: {'; '.join(found.differs) or 'nothing that decides results'}.")
        rows = table_of(found)
        show(rows)
        print()
        show_meanings(meanings(columns([*rows.values()])))
        for said, names in (("succeed only in the second", found.gained), ("only in the first", found.lost)):
            more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
            print(f"\n{len(names)} {said}: {', '.join(names[:SHOWN]) or 'none'}{more}")


def main(verb: str, argv: list[str]) -> None:
    """Run `housemates compare` with these arguments."""
    options.run(Compare, f"housemates {verb}", argv)
