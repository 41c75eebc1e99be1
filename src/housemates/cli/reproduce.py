"""`housemates reproduce [TABLE]`: the papers' tables, trained, played and written by one command."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import tyro

from housemates.cli import options
from housemates.parallel.crew import Crew

if TYPE_CHECKING:
    from housemates.evaluation.reproduction.lines import Lines

MOST_SEEDS = 100
"""As many as `--seeds` can be."""


@dataclass
class Reproduce:
    """Train and evaluate every row of one of the papers' tables; without TABLE, list the tables."""

    table: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="TABLE")] = "list"
    """Name of the table; `list` prints all."""
    data: Path | None = None
    """Folder with the papers' data, such as DATA/teach and DATA/alfred; a folder named like generated
    episodes replaces them."""
    store: Path | None = None
    """Store with the floor plans of the data; the user's data folder by default."""
    out: Path = Path("out/reproduce")
    """Folder for episodes, trainings and evaluations; repeat the command to resume."""
    seeds: int = 3
    """Number of seeds per row; 0 runs nothing and prints finished rows."""
    rows: list[str] = field(default_factory=list)
    """Rows to run; all by default."""
    config: Literal["cpu", "paper"] = "cpu"
    """Config of all models: 'paper' as published, 'cpu' for two cores."""
    unseen: bool = False
    """On the user's own `valid_unseen` instead of `valid_seen`, beside the paper's columns for it."""
    hold_out_plans: Annotated[int, tyro.conf.arg(metavar="N")] = 0
    """Leave N floor plans of train out of training, and evaluate on their sessions."""
    page: Path | None = None
    """Write the table's section of this page of results, a Markdown file."""
    crew: Crew = field(default_factory=Crew)
    """Workers."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> None:
        """Make what is missing, and print the table."""
        from housemates.evaluation.reproduction.catalogue import chosen, find
        from housemates.evaluation.reproduction.lines import Lines
        from housemates.evaluation.reproduction.page import write_page
        from housemates.evaluation.reproduction.pipeline import Places, Reproduction
        from housemates.evaluation.reproduction.unseen import held_out, hold_out, on_unseen

        if self.table == "list":
            self._list()
            return
        paper, table = find(self.table)
        places = Places(self.out, self.data, self.store, self.config)
        name, flags = table.plays or self.table, ""
        if self.unseen or self.hold_out_plans:
            table, name, flags = on_unseen(paper, name, table), f"{name}-unseen", " --unseen"
        if self.hold_out_plans:
            places, plans = hold_out(paper, places, self.hold_out_plans)
            table, flags = held_out(table, plans), f" --hold-out-plans {self.hold_out_plans}"
        making = Reproduction(paper, name, table, places, self.crew, not self.json)
        rows = chosen(table, self.rows)
        if self.seeds:
            making.run(rows, self.seeds)
        lines = Lines(paper, name, table, places, MOST_SEEDS)
        self._print(lines, table.title)
        for row, problem in making.problems.items():
            print(f"{row}: {problem.rstrip('.')}.", file=sys.stderr)
        if self.page is not None:
            write_page(self.page, {self.table: lines}, places, flags)
        if making.problems:
            sys.exit(1)

    def _list(self) -> None:
        from housemates.evaluation.reproduction.catalogue import papers
        from housemates.reporting.tables import show_rows

        rows = [
            {"table": name, "": table.title, "rows": len(table.rows)}
            for paper in papers()
            for name, table in paper.tables.items()
        ]
        if self.json:
            print(json.dumps(rows))
        else:
            show_rows(rows)

    def _print(self, lines: Lines, title: str) -> None:
        from housemates.reporting.tables import show_rows

        cells, said = lines.cells(), lines.sentences()
        if self.json:
            print(json.dumps({"table": self.table, "rows": cells, "says": said}))
            return
        show_rows(cells, title)
        print("\n" + "\n".join(said))


def main(verb: str, argv: list[str]) -> None:
    """Run `housemates reproduce` with these arguments."""
    options.run(Reproduce, f"housemates {verb}", argv)
