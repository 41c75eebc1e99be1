"""`housemates thor check|records|games`: code written for AI2-THOR, and AI2-THOR's own records."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

import tyro

from housemates.cli import options


@dataclass
class Check:
    """Say which of the calls that a code base makes to AI2-THOR are known here, without running it."""

    target: tyro.conf.Positional[str]
    """A Python file, a folder or an installed package."""
    json: bool = False
    """Print one line of JSON."""

    def run(self) -> None:
        """Print every action, argument, event field and import with how often it is used."""
        from housemates.reporting.tables import show_rows
        from housemates.thor.checking import uses

        found, unread = uses(self.target)
        counts = Counter((use.kind, use.name, use.supported) for use in found)
        first = {(use.kind, use.name, use.supported): use.where for use in reversed(found)}
        rows = [
            {
                "what": kind,
                "name": name,
                "used": count,
                "known here": "yes" if good else "no",
                "first": first[key],
            }
            for key, count in sorted(counts.items())
            for kind, name, good in [key]
        ]
        good = sum(count for (_, _, supported), count in counts.items() if supported)
        if self.json:
            report = {"uses": len(found), "supported": good, "unread": unread, "rows": rows}
            print(json.dumps(report))
            return
        show_rows(rows)
        print(f"{good} of {len(found)} uses of AI2-THOR are known here.")
        for line in unread:
            print(f"Not read: {line}")


COMMANDS = {"check": Check}


def main(verb: str, argv: list[str]) -> None:
    """Run the command that the first word names."""
    options.choose(COMMANDS, f"housemates {verb}", argv)
