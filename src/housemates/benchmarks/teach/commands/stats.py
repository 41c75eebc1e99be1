"""`housemates stats teach`: tables and plots of a set of sessions, real or generated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from housemates.benchmarks.teach.formats.episodes import GAMES
from housemates.benchmarks.teach.formats.page import beside, instances, page_of
from housemates.benchmarks.teach.formats.statistics import Statistics
from housemates.benchmarks.teach.metrics import published
from housemates.data.commands import StatsCommand
from housemates.data.store import open_store
from housemates.reporting.facts import show_facts
from housemates.reporting.pages import Page
from housemates.reporting.tables import show

COLUMNS = {"utterances": "said", "follower_actions": "Follower", "all_actions": "both"}


@dataclass
class Stats(StatsCommand):
    """Statistics and plots of TEACh sessions."""

    store: Path | None = None
    """Folder of the store that knows the floor plans; the user's data folder by default."""

    records = GAMES

    def empty(self) -> Statistics:
        """Where nothing has been counted yet."""
        return Statistics(open_store(self.store))

    def page(self, found: Statistics, names: str) -> Page:
        """The tables and plots of the files of these names."""
        return page_of(found, published(), f"TEACh sessions: {names}")

    def tell(self, summary: dict[str, Any]) -> None:
        """Print the sessions by task, and the other numbers beside the paper's."""
        rows = {task: _row(task, row) for task, row in summary["tasks"].items()}
        show(rows, "Sessions by task: utterances, actions of the Follower, of both (the paper's)")
        show(instances(summary, published()), "Sessions and EDH instances")
        show(beside(summary, published()), "Language, and EDH instances")
        show_facts({name: summary[name] for name in ("sessions", "edh_instances", "skipped")})


def _row(task: str, ours: Mapping[str, Any]) -> dict[str, Any]:
    paper = published()["sessions_table2"].get(task, {})
    row = {"n": ours["sessions"], "done, %": 100 * ours["complete"]}
    for name, head in COLUMNS.items():
        row[head] = f"{ours[name]:.1f} ({paper[name]:.1f})" if name in paper else ours[name]
    return row
