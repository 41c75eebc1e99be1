"""`housemates replay alfred`: demonstrations low action by low action, compared with the recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from housemates.benchmarks.alfred.formats import agreement
from housemates.benchmarks.alfred.formats.episodes import TRAJECTORIES, Trajectory
from housemates.benchmarks.alfred.formats.film import DemonstrationFilm
from housemates.benchmarks.alfred.formats.loader import start_of
from housemates.benchmarks.alfred.formats.replay import Compared, replay
from housemates.data.commands import ReplayCommand
from housemates.data.replays import Done, Replayed, Run
from housemates.reporting.pages import Page


@dataclass
class Replay(ReplayCommand):
    """Replay recorded demonstrations and count how often ours agrees with them."""

    by: Literal["object", "mask"] = "object"
    """Act on the recorded object, or on the object under the recorded mask in our picture."""
    masks: bool = True
    """Compare masks; --no-masks draws no pictures when acting by object."""

    records, film, kept = TRAJECTORIES, DemonstrationFilm, Done[Compared]

    def replay(self, episode: Trajectory, film: DemonstrationFilm | None) -> Replayed[Compared]:
        """Replay one demonstration, and compare it with the recording."""
        start = start_of(episode, self.store)
        return replay(episode, start, self.by, self.masks, on_step=None if film is None else film.shoot)

    def summary(self, replays: Sequence[Replayed[Compared]]) -> dict[str, Any]:
        """How often ours agrees with the recording, and how many could not be scored."""
        return agreement.summary(replays)

    def tell(self, page: Page, folder: Path, run: Run) -> dict[str, Any]:
        """Agreement by class of object, action, task and plan, and every refusal."""
        tables, refused = agreement.breakdown(run.replays), agreement.refused(run.replays)
        for name, rows in tables.items():
            page.section(f"Interactions by {name}")
            page.table({key: agreement.shown(row) for key, row in rows.items()})
        page.section("Refused here")
        page.rows(refused)
        return {"tables": tables, "refused": refused}
