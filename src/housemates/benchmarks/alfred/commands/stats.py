"""`housemates stats alfred`: numbers and plots of a set of trajectories, beside the paper's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from housemates.benchmarks.alfred.formats.episodes import TRAJECTORIES
from housemates.benchmarks.alfred.formats.page import beside, page_of
from housemates.benchmarks.alfred.formats.statistics import Statistics
from housemates.data.commands import StatsCommand
from housemates.reporting.facts import show_facts
from housemates.reporting.pages import Page
from housemates.reporting.tables import show


@dataclass
class Stats(StatsCommand):
    """Statistics and plots of ALFRED's demonstrations and their language."""

    records = TRAJECTORIES

    def empty(self) -> Statistics:
        """Where nothing has been counted yet."""
        return Statistics()

    def page(self, found: Statistics, names: str) -> Page:
        """The numbers and plots of the files of these names."""
        return page_of(found, f"ALFRED: {names}")

    def tell(self, summary: dict[str, Any]) -> None:
        """Print the numbers beside the paper's, then the counts of tasks, actions and new words."""
        show(beside(summary), "Trajectories (the paper's numbers are those of all folds)")
        show_facts({name: summary[name] for name in ("tasks", "actions", "new_tokens_per_directive")})
