"""`housemates export run RUN... --format parquet --out DIR`: runs as tables for other tools."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import tyro

from housemates.parallel.crew import Crew
from housemates.reporting.facts import show_facts


@dataclass
class ExportRun:
    """Write episodes, transcripts and frames of runs as Parquet files."""

    runs: tyro.conf.Positional[list[Path]]
    """Folders that `housemates eval --out` wrote."""
    out: Path
    """Folder for episodes.parquet, transcripts.parquet and frames.parquet."""
    format: Literal["parquet"] = "parquet"
    """What the files are."""
    pictures: int = 0
    """Of so many episodes of each run, what was seen is drawn again and written to frames.parquet."""
    crew: Crew = field(default_factory=Crew)
    """Who draws the pictures."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Write the files and say how many rows they have."""
        from housemates.evaluation.parquet import export_runs

        label = None if self.json else "frames"
        counts = export_runs(self.runs, self.out, self.pictures, self.crew, label)
        show_facts({**counts, "out": str(self.out)}, self.json)
