"""`housemates leaderboard check FILE.zip`, `build FOLDER`: submissions played again, and a site of them."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
import tyro

from housemates.cli import options
from housemates.parallel.crew import Crew

if TYPE_CHECKING:
    from housemates.evaluation.leaderboard.findings import Check


@dataclass
class CheckFile:
    """Check a submission by replaying every episode."""

    file: tyro.conf.Positional[Path]
    """A file written by `housemates submit`."""
    option: Annotated[list[str], tyro.conf.arg(metavar="KEY=VALUE")] = field(default_factory=list)
    """Location of the benchmarks' data on this machine, for example data=DIR."""
    sample: int = 100
    """Number of episodes per run in which the package's agents are run again."""
    referee: list[str] = field(default_factory=list)
    """Public keys of trusted referees, as printed by `housemates referee key`."""
    seed: int | None = None
    """Seed that selects these episodes; by default drawn at random and printed."""
    crew: Crew = field(default_factory=Crew)
    """Workers."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Check and print; the exit code is 1 if something does not hold, 2 if it is no submission."""
        from housemates.core.options import pairs
        from housemates.evaluation.leaderboard.check import Terms, check_submission

        terms = Terms(pairs(self.option, "--option"), self.sample, tuple(self.referee))
        found = check_submission(self.file, terms, self.seed, self.crew, not self.json)
        if self.json:
            print(json.dumps({"holds": found.holds, **msgspec.to_builtins(found)}))
        else:
            show_check(found)
        if not found.holds:
            sys.exit(1)


@dataclass
class Build:
    """Check all submissions in a folder and write a static site of the valid ones."""

    folder: tyro.conf.Positional[Path]
    """Folder with ZIP files of `housemates submit`."""
    out: Path
    """Folder for the site (index.html); finished checks are kept there."""
    option: Annotated[list[str], tyro.conf.arg(metavar="KEY=VALUE")] = field(default_factory=list)
    """Location of the benchmarks' data on this machine, for example data=DIR."""
    sample: int = 100
    """Number of episodes per run in which the package's agents are run again."""
    referee: list[str] = field(default_factory=list)
    """Public keys of trusted referees, as printed by `housemates referee key`."""
    pictures: int = 3
    """Number of episodes per row whose views are redrawn; the others show text only."""
    crew: Crew = field(default_factory=Crew)
    """Workers."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Build, and say which rows there are, and which files are not on the board."""
        from housemates.core.options import pairs
        from housemates.evaluation.leaderboard.check import Terms
        from housemates.evaluation.leaderboard.site import build
        from housemates.reporting.facts import show_facts, show_skipped

        terms = Terms(pairs(self.option, "--option"), self.sample, tuple(self.referee))
        rows, refused = build(self.folder, self.out, terms, self.pictures, self.crew, not self.json)
        facts = {"page": str(self.out / "index.html"), "rows": len(rows)}
        if self.json:
            print(json.dumps({**facts, "refused": [each._asdict() for each in refused]}))
            return
        show_facts(facts)
        show_skipped((each.file, each.why) for each in refused)


def show_check(found: Check) -> None:
    """Print what was found of a submission, a line each."""
    from housemates.errors import one_line
    from housemates.reporting.words import several

    for run in found.runs:
        counted = f"{several(run.episodes, 'episode')}, {several(run.acts, 'act')} {run.evidence}"
        tracks = f"; {', '.join(run.tracks)}" if run.tracks else ""
        print(f"{run.run}: {run.benchmark}: {counted}{tracks}")
        for each in run.findings:
            print(f"  {one_line(each.line())}")
    for each in found.findings:
        print(one_line(each.line()))
    verdict = "holds" if found.holds else "does not hold"
    print(f"{found.file} {verdict} (sha256 {found.sha256[:16]}, --seed {found.seed})")


COMMANDS = {"check": CheckFile, "build": Build}


def main(verb: str, argv: list[str]) -> None:
    """Run one of the commands of `housemates leaderboard`."""
    options.choose(COMMANDS, f"housemates {verb}", argv)
