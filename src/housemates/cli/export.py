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
    """Folders written by `housemates eval --out`."""
    out: Path
    """Folder for episodes.parquet, transcripts.parquet and frames.parquet."""
    format: Literal["parquet"] = "parquet"
    """File format."""
    pictures: int = 0
    """Number of episodes per run whose views are redrawn for frames.parquet."""
    crew: Crew = field(default_factory=Crew)
    """Workers that draw the pictures."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Write the files and say how many rows they have."""
        from housemates.evaluation.parquet import export_runs

        label = None if self.json else "frames"
        counts = export_runs(self.runs, self.out, self.pictures, self.crew, label)
        show_facts({**counts, "out": str(self.out)}, self.json)
