"""`housemates replay alfred`: demonstrations low action by low action, compared with the recording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from housemates.benchmarks.alfred.files import agreement
from housemates.benchmarks.alfred.files.episodes import TRAJECTORIES, Trajectory
from housemates.benchmarks.alfred.files.film import DemonstrationFilm
from housemates.benchmarks.alfred.files.recorded import start_of
from housemates.benchmarks.alfred.files.refusals import write_report
from housemates.benchmarks.alfred.files.replay import Compared, replay
from housemates.data.commands import ReplayCommand
from housemates.data.records import Skipped
from housemates.data.replays import Done, Replayed


@dataclass
class Replay(ReplayCommand):
    """Replay recorded demonstrations and count how often ours agrees with them."""

    by: Literal["object", "mask"] = "object"
    """Act on the recorded object, or on what the recorded mask means in our own picture."""
    masks: bool = True
    """Compare masks; --no-masks draws no pictures when acting by object."""

    records = TRAJECTORIES
    kept = Done[Compared]

    def film(self, episode: Trajectory) -> DemonstrationFilm:
        """An empty film of a demonstration."""
        return DemonstrationFilm(episode)

    def replay(self, episode: Trajectory, film: DemonstrationFilm | None) -> Replayed[Compared]:
        """Replay one demonstration."""
        start = start_of(episode, None if self.store is None else str(self.store))
        return replay(episode, start, self.by, self.masks, on_step=None if film is None else film.shoot)

    def summary(self, replays: Sequence[Replayed[Compared]]) -> dict[str, Any]:
        """How often ours agrees with the recording, and how many could not be scored."""
        found = agreement.summary(replays)
        unscored = sum(not each.scored for each in replays)
        if unscored:
            told = f"{unscored} of {len(replays)} tell neither goal nor plan, so they are not scored."
            found["note"] = told
        return found

    def write_report(
        self,
        folder: Path,
        replays: Sequence[Replayed[Compared]],
        facts: dict[str, Any],
        skipped: Sequence[Skipped],
    ) -> Path:
        """Write the page and the counts, with every refusal."""
        return write_report(folder, replays, facts, self.by, skipped)
