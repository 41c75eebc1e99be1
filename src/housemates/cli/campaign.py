"""`housemates campaign FILE --out DIR`: benchmarks x agents x seeds by one command, which can be resumed."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tyro

from housemates.cli import options
from housemates.parallel.crew import Crew


@dataclass
class Campaign:
    """Run what a campaign file lists; finished runs are kept."""

    file: tyro.conf.Positional[Path]
    """A TOML file with tables [[runs]]: benchmarks, agents, seeds and other options of `eval`."""
    out: Path
    """Folder for the runs, one subfolder each."""
    limit: int | None = None
    """Maximum number of episodes per run, to try it out."""
    crew: Crew = field(default_factory=Crew)
    """Workers."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> None:
        """Run everything and print a row for each run."""
        from housemates.evaluation.campaign import read_campaign, run_campaign

        runs = read_campaign(self.file, self.limit)
        reports = dict(run_campaign(runs, self.out, self.crew, not self.json))
        if self.json:
            print(json.dumps(reports))
        else:
            show_reports(reports)
            print(f"\nhousemates report {self.out}/* --out {self.out / 'report'} makes a page of them.")
        halted = [f"{name}: {each['halted']}" for name, each in reports.items() if each["halted"]]
        if halted:
            print("\n".join(halted), file=sys.stderr)


def show_reports(reports: Mapping[str, Mapping[str, Any]]) -> None:
    """Print a row for each run."""
    from housemates.core.scoring import with_interval
    from housemates.reporting.tables import show

    show(
        {
            name: {
                "episodes": each["episodes"],
                **with_interval({"success": each["success"]}, each["interval"] or ()),
                "errors": each["errors"],
            }
            for name, each in reports.items()
        }
    )


def main(verb: str, argv: list[str]) -> None:
    """Run `housemates campaign` with these arguments."""
    options.run(Campaign, f"housemates {verb}", argv)
