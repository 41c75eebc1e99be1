"""`housemates submit RUN... --card card.toml --out FILE.zip`: pack runs for a leaderboard."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tyro

from housemates.cli import options
from housemates.reporting.facts import show_facts


@dataclass
class Submit:
    """Pack runs, transcripts and a card into a file that leaderboards can check."""

    runs: tyro.conf.Positional[list[Path]]
    """Folders written by `housemates eval --out`."""
    card: Path
    """A TOML file: name, authors, eyes, training; tracks, link, parameters, dollars, notes."""
    out: Path
    """The ZIP file to write."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Write the file and say what is in it."""
        from housemates.evaluation.leaderboard.submission import write_submission

        made = write_submission(self.runs, self.card, self.out)
        facts = {"file": str(made.path), "sha256": made.sha256, "runs": list(made.runs)}
        show_facts({**facts, "megabytes": round(self.out.stat().st_size / 1e6, 2)}, self.json)


def main(verb: str, argv: list[str]) -> None:
    """Run `housemates submit` with these arguments."""
    options.run(Submit, f"housemates {verb}", argv)
