"""`housemates explain RUN`: why the reader failed, over a run and in one episode."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from housemates.cli import options


@dataclass
class Explain:
    """Explain the reader's failures in a run; with an episode, write a page about it."""

    run_folder: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="RUN")]
    """The folder written by `housemates eval --agents reader --out`."""
    episode: Annotated[str | None, tyro.conf.arg(metavar="ID")] = None
    """The episode to write a page about: its words, reading, map and acts."""
    report: Path | None = None
    """Folder for the page; that of the run if not given."""
    json: bool = False
    """Print one JSON object."""

    def run(self) -> None:
        """Count causes, or write the page."""
        from housemates.evaluation.failure_analysis import Account
        from housemates.files import file_name
        from housemates.reporting.facts import show_facts

        account = Account(self.run_folder)
        if self.episode is None:
            causes = account.causes(None if self.json else "episodes")
            found = {"episodes": len(account.results), "failed": sum(causes.values()), "causes": causes}
            show_facts(found, self.json)
            return
        path = (self.report or self.run_folder) / f"{file_name(self.episode)}.html"
        account.page(self.episode).write(path)
        print(json.dumps({"page": str(path)}) if self.json else path)


def main(verb: str, argv: list[str]) -> None:
    """Run `housemates explain` with these arguments."""
    options.run(Explain, f"housemates {verb}", argv)
