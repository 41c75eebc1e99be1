"""`housemates replay teach`: recorded sessions action by action, compared with what happened to people."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import tyro

from housemates.benchmarks.teach.files import agreement
from housemates.benchmarks.teach.files import disagreements as report
from housemates.benchmarks.teach.files.agreement import Case
from housemates.benchmarks.teach.files.episodes import GameText, read_texts
from housemates.benchmarks.teach.files.film import Film
from housemates.benchmarks.teach.files.replay import Replay as Replayed
from housemates.benchmarks.teach.files.replay import replay
from housemates.benchmarks.teach.files.scenes import scene_of
from housemates.data import records
from housemates.data.journal import Journal
from housemates.data.records import Skipped
from housemates.data.store import Store, open_store
from housemates.errors import HousematesError
from housemates.parallel import map_ordered
from housemates.reporting.printing import show


@dataclass
class Replay:
    """Replay recorded games and count how often ours agrees with what happened to people."""

    games: tyro.conf.Positional[list[Path]]
    """Folders of *.game.json, single ones, or packed .jsonl.zst files."""
    store: Path | None = None
    """Folder of the store that knows the floor plans; the user's data folder by default."""
    by: Literal["oid", "click"] = "oid"
    """Act on the recorded object, or on what our own picture has under the recorded click."""
    render: bool = False
    """Draw the Follower's picture at every step."""
    only: Annotated[list[str] | None, tyro.conf.arg(metavar="ID")] = None
    """Only the games of these ids."""
    sessions: int | None = None
    """At most so many sessions."""
    video: Path | None = None
    """Write a video of each session to this folder."""
    report: Path | None = None
    """Write a report (index.html, report.json and frames) to this folder."""
    out: Path | None = None
    """Results file (JSON lines); an interrupted replay goes on from it."""
    workers: int | None = None
    """Processes; all processors by default."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Replay everything and print the counts."""
        store = open_store(self.store)
        job = Job(None if store is None else store.folder, self.by, self.render, self.video)
        skipped: list[Skipped] = []
        label = None if self.json else f"replay by {self.by}"
        work = partial(replay_text, job)
        journal = Journal(self.out, {"games": self.games, "job": job._asdict()}, tuple[str, Done])
        done = records.work_on(work, self._texts(skipped), skipped, journal, self.workers, label)
        replays = [each.replay for each in done]
        steps, seconds = sum(each.steps for each in done), sum(each.cpu_s for each in done)
        summary = {
            **agreement.summary(replays, self.by),
            "skipped": len(skipped),
            "steps": steps,
            "steps_per_cpu_s": round(steps / seconds) if seconds else 0,
            "digest": agreement.digest(replays),
        }
        if self.report is not None:
            summary["report"] = str(self.report / "index.html")
            self._report(self.report, job, replays, summary, skipped)
        show(summary, self.json, skipped)

    def _report(
        self,
        folder: Path,
        job: Job,
        replays: list[Replayed],
        summary: dict[str, Any],
        skipped: list[Skipped],
    ) -> None:
        found = report.groups(replays, self.by)
        wanted: dict[str, list[Case]] = {}
        for group in found[: report.GROUPS]:
            for case in group.examples:
                wanted.setdefault(case.replay.game, []).append(case)
        texts = (each for each in self._texts([]) if each.game_id in wanted)
        label = None if self.json else "frames"
        for _ in map_ordered(partial(_photograph, job, wanted, folder), texts, self.workers, label):
            pass
        report.write_report(folder, replays, summary, self.by, found, skipped)

    def _texts(self, skipped: list[Skipped]) -> Iterator[GameText]:
        return records.choose(read_texts(self.games, skipped), self.only, self.sessions)


class Job(NamedTuple):
    """How sessions are replayed."""

    store: Path | None
    by: str
    render: bool
    video: Path | None


class Done(NamedTuple):
    """A session that was replayed, and what it took."""

    replay: Replayed
    steps: int
    cpu_s: float


def replay_text(job: Job, text: GameText) -> Done | Skipped:
    """Read and replay one game; one that is broken is skipped with the reason."""
    start = time.process_time()
    try:
        game = text.parse()
        scene = scene_of(game, _store(job.store))
    except HousematesError as error:
        return Skipped(text.game_id, str(error))
    film = None if job.video is None else Film(f"{game.task.task_name}, {game.plan}")
    shoot = None if film is None else film.shoot
    done = replay(game, scene, job.by, on_step=shoot, every_frame=job.render)
    if film is not None and job.video is not None:
        film.save(job.video / f"{game.id}.mp4")
    return Done(done, len(game.episode.interactions), time.process_time() - start)


def _photograph(job: Job, wanted: dict[str, list[Case]], folder: Path, text: GameText) -> None:
    game = text.parse()
    report.photograph(game, scene_of(game, _store(job.store)), job.by, wanted[text.game_id], folder)


@cache
def _store(folder: Path | None) -> Store | None:
    return None if folder is None else Store(folder)
