"""`housemates replay alfred`: demonstrations low action by low action, compared with the recording."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import tyro

from housemates.benchmarks.alfred.files import agreement
from housemates.benchmarks.alfred.files.episodes import TrajectoryText, read_texts
from housemates.benchmarks.alfred.files.film import Film
from housemates.benchmarks.alfred.files.recorded import start_of
from housemates.benchmarks.alfred.files.replay import Replay as Replayed
from housemates.benchmarks.alfred.files.replay import replay
from housemates.data import records
from housemates.data.journal import Journal
from housemates.data.records import Skipped
from housemates.data.store import open_store
from housemates.errors import HousematesError
from housemates.files import write_json
from housemates.reporting.printing import show


@dataclass
class Replay:
    """Replay recorded demonstrations and count how often ours agrees with them."""

    trajectories: tyro.conf.Positional[list[Path]]
    """Trees of traj_data.json, single ones, or packed .jsonl.zst files."""
    store: Path | None = None
    """Folder of the store that knows the floor plans; the user's data folder by default."""
    by: Literal["id", "mask"] = "id"
    """Act on the recorded object, or on what the recorded mask means in our own picture."""
    masks: bool = True
    """Compare masks; --no-masks draws no pictures when acting by id."""
    only: Annotated[list[str] | None, tyro.conf.arg(metavar="ID")] = None
    """Only the trajectories of these ids."""
    limit: int | None = None
    """At most so many trajectories."""
    video: Path | None = None
    """Write a video of each demonstration to this folder."""
    report: Path | None = None
    """Write all counts by class, action, task and plan, and every refusal, to this .json file."""
    out: Path | None = None
    """Results file (JSON lines); an interrupted replay goes on from it."""
    workers: int | None = None
    """Processes; all processors by default."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Replay everything and print the counts."""
        store = open_store(self.store)
        job = Job(None if store is None else str(store.folder), self.by, self.masks, self.video)
        skipped: list[Skipped] = []
        label = None if self.json else f"replay by {self.by}"
        work = partial(replay_text, job)
        journal = Journal(
            self.out, {"trajectories": self.trajectories, "job": job._asdict()}, tuple[str, Done]
        )
        done = records.work_on(work, self._texts(skipped), skipped, journal, self.workers, label)
        replays = [each.replay for each in done]
        summary = _summary(done, skipped)
        if self.report is not None:
            write_json(self.report, {**summary, **agreement.breakdown(replays), "refused": _refused(replays)})
            summary["report"] = str(self.report)
        show(summary, self.json, skipped)

    def _texts(self, skipped: list[Skipped]) -> Iterator[TrajectoryText]:
        return records.choose(read_texts(self.trajectories, skipped), self.only, self.limit)


class Job(NamedTuple):
    """How demonstrations are replayed."""

    store: str | None
    by: str
    masks: bool
    video: Path | None


class Done(NamedTuple):
    """A demonstration that was replayed, and what it took."""

    replay: Replayed
    cpu_s: float


def replay_text(job: Job, text: TrajectoryText) -> Done | Skipped:
    """Read and replay one trajectory; one that is broken is skipped with the reason."""
    start = time.process_time()
    try:
        trajectory = text.parse()
        scene = start_of(trajectory, job.store)
        film = None if job.video is None else Film(trajectory)
        shoot = None if film is None else film.shoot
        done = replay(trajectory, scene, job.by, job.masks, on_step=shoot)
    except HousematesError as error:
        return Skipped(text.id, str(error))
    if film is not None and film.pictures and job.video is not None:
        film.save(job.video / f"{trajectory.task_id}.mp4")
    return Done(done, time.process_time() - start)


def _summary(done: list[Done], skipped: list[Skipped]) -> dict[str, Any]:
    replays = [each.replay for each in done]
    actions, seconds = sum(len(each.compared) for each in replays), sum(each.cpu_s for each in done)
    summary = {
        **agreement.summary(replays),
        "skipped": len(skipped),
        "actions": actions,
        "actions_per_cpu_s": round(actions / seconds) if seconds else 0,
        "digest": agreement.digest(replays),
    }
    unscored = sum(not each.scored for each in replays)
    if unscored:
        summary["note"] = f"{unscored} of {len(replays)} tell neither goal nor plan, so they are not scored."
    return summary


def _refused(replays: list[Replayed]) -> list[dict[str, Any]]:
    return [
        {"task_id": each.task_id, "index": case.index, "action": case.action, "message": case.message}
        for each in replays
        for case in each.compared
        if not case.success
    ]
