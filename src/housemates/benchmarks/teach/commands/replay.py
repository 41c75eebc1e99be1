"""`housemates replay teach`: recorded sessions action by action, compared with what happened to people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro

from housemates.benchmarks.teach.formats import disagreement_report
from housemates.benchmarks.teach.formats.agreement import Case, summary
from housemates.benchmarks.teach.formats.episodes import GAMES, Game, in_plans
from housemates.benchmarks.teach.formats.film import SessionFilm
from housemates.benchmarks.teach.formats.replay import Compared, replay
from housemates.benchmarks.teach.formats.scenes import scene_of
from housemates.data.commands import ReplayCommand
from housemates.data.records import Skipped, Text, choose
from housemates.data.replays import Done, Replayed, Run
from housemates.data.store import Store, opened, opened_without
from housemates.parallel import map_ordered
from housemates.reporting.pages import Page


@dataclass
class Replay(ReplayCommand):
    """Replay recorded games and count how often ours agrees with what happened to people."""

    render: bool = False
    """Draw the Follower's picture at every step."""
    by: Literal["object", "point"] = "object"
    """Act on the recorded object, or on the object under the recorded click in our picture."""
    leave_out: Annotated[tuple[str, ...], tyro.conf.arg(metavar="PLAN")] = ()
    """Only games in these floor plans, as if none of them had been imported: of the plans no more is known
    than the layouts that the store was made with."""

    records, film, kept = GAMES, SessionFilm, Done[Compared]

    def known(self) -> Store | None:
        """The store that floor plans are rebuilt with."""
        return opened_without(self.store, self.leave_out) if self.leave_out else opened(self.store)

    def texts(self, skipped: list[Skipped]) -> Iterator[Text[Game]]:
        """The games that are asked for, not read yet."""
        texts = self.records.texts(self.paths, skipped)
        if self.leave_out:
            self.known()
            texts = in_plans(texts, self.leave_out)
        return choose(texts, self.only, self.limit)

    def replay(self, episode: Game, film: SessionFilm | None) -> Replayed[Compared]:
        """Replay one recorded session, and compare it with the recording."""
        scene = scene_of(episode, self.known())
        shoot = None if film is None else film.shoot
        return replay(episode, scene, self.by, on_step=shoot, every_frame=self.render)

    def summary(self, replays: Sequence[Replayed[Compared]]) -> dict[str, Any]:
        """How often ours agrees with what happened to people."""
        return summary(replays, self.by)

    def tell(self, page: Page, folder: Path, run: Run) -> dict[str, Any]:
        """Agreement in tables, and the most frequent disagreements with pictures."""
        found = disagreement_report.groups(run.replays, self.by)
        wanted: dict[str, list[Case]] = {}
        for group in found[: disagreement_report.GROUPS]:
            for case in group.examples:
                wanted.setdefault(case.replay.id, []).append(case)
        texts = (each for each in self.texts([]) if each.id in wanted)
        take = partial(self.photograph, wanted, folder)
        for _ in map_ordered(take, texts, self.crew, self.label("frames")):
            pass
        return disagreement_report.tell(page, run.replays, self.by, found)

    def photograph(self, wanted: Mapping[str, list[Case]], folder: Path, text: Text[Game]) -> None:
        """Take the pictures of a session that the report shows."""
        game = text.parse()
        scene = scene_of(game, self.known())
        disagreement_report.photograph(game, scene, self.by, wanted[text.id], folder)
