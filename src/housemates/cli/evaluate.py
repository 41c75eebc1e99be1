"""`housemates eval BENCHMARK --agents NAME`: run agents on a benchmark and print the table."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import tyro

from housemates.cli import options


@dataclass
class Evaluate:
    """Run agents on a benchmark and score them."""

    benchmark: tyro.conf.Positional[str]
    """Which benchmark, for example teach-tatc, alfred, handmethat or cerealbar."""
    agents: str = "random"
    """Name of the agent, or of the pair of agents, as the benchmark's README lists them."""
    split: str = "generated"
    """Which instances; 'generated' makes new ones from the seed."""
    episodes: int | None = None
    """How many instances at most; all of the split by default."""
    seed: int = 0
    """Where all randomness comes from."""
    option: Annotated[list[str], tyro.conf.arg(metavar="KEY=VALUE")] = field(default_factory=list)
    """Options of the benchmark itself, for example --option store=DIR."""
    workers: int | None = None
    """Processes; all processors by default."""
    out: Path | None = None
    """Results file (JSON lines); an interrupted run goes on from it."""
    json: bool = False
    """Print one line of JSON instead of a table."""

    def run(self) -> None:
        """Evaluate and print."""
        from housemates.errors import HousematesError
        from housemates.evaluation import runner

        settings: dict[str, Any] = {}
        for pair in self.option:
            key, separator, value = pair.partition("=")
            if not separator:
                raise HousematesError(f"--option {pair}: expected KEY=VALUE.")
            settings[key] = value
        run = runner.Run(self.benchmark, self.agents, self.split, self.episodes, self.seed, settings)
        summary = runner.evaluate(run, self.workers, self.out, progress=not self.json)
        if self.json:
            print(json.dumps(summary))
        else:
            show(summary)


def show(summary: dict[str, Any]) -> None:
    """Print a summary: plain numbers as lines, nested ones as tables."""
    from rich.console import Console
    from rich.table import Table

    console = Console()
    for key, value in summary.items():
        if not isinstance(value, dict):
            console.print(f"{key}: {_text(value)}")
            continue
        rows = {name: row if isinstance(row, dict) else {key: row} for name, row in value.items()}
        columns = list(dict.fromkeys(column for row in rows.values() for column in row))
        table = Table("", *columns, title=key)
        for name, row in rows.items():
            table.add_row(str(name), *(_text(row.get(column, "")) for column in columns))
        console.print(table)


def _text(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def main(verb: str, argv: list[str]) -> None:
    """Serve `housemates eval`."""
    options.run(Evaluate, f"housemates {verb}", argv)
