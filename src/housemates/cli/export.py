"""`housemates export run RUN... --format parquet --out DIR`: runs as tables and datasets for other tools."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import tyro

from housemates.parallel.crew import Crew
from housemates.reporting.facts import show_facts


@dataclass
class ExportRun:
    """Write runs as Parquet files, or their trajectories with pictures as a dataset."""

    runs: tyro.conf.Positional[list[Path]]
    """Folders written by `housemates eval --out`."""
    out: Path
    """Folder for the files; a dataset needs a new one."""
    format: Literal["parquet", "datasets", "lerobot"] = "parquet"
    """parquet: episodes.parquet, transcripts.parquet and frames.parquet; datasets: a folder for Hugging
    Face's datasets; lerobot: LeRobot's dataset format, version 3."""
    role: str | None = None
    """Of a dataset: whose views and acts; by default the benchmark's last role."""
    episodes: int | None = None
    """Of a dataset: maximum number of episodes per run."""
    pictures: int = 0
    """Number of episodes per run whose views are redrawn for frames.parquet."""
    views: list[str] = field(default_factory=list)
    """Of a dataset: which pictures of the role; by default its first one."""
    crew: Crew = field(default_factory=Crew)
    """Workers that draw the pictures."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Write the files and say how many rows they have."""
        from housemates.evaluation.hub_dataset import export_datasets
        from housemates.evaluation.lerobot import export_lerobot
        from housemates.evaluation.parquet import export_runs

        label = None if self.json else "frames"
        if self.format == "parquet":
            counts = export_runs(self.runs, self.out, self.pictures, self.crew, label)
        else:
            write = export_datasets if self.format == "datasets" else export_lerobot
            counts = write(self.runs, self.out, self.role, self.episodes, self.views, self.crew, label)
        show_facts({**counts, "out": str(self.out)}, self.json)
