"""Recorded episodes as trajectories: what one role saw and read before each of its acts, drawn again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from housemates.core import registry
from housemates.core.benchmark import Benchmark, Instance
from housemates.core.pictures import png
from housemates.data.claims import claimed
from housemates.errors import HousematesError
from housemates.evaluation.episode_views import Again
from housemates.evaluation.replay import Piece, Recording, made_once, pieces
from housemates.evaluation.results import read_episodes, read_header
from housemates.parallel import Workers, map_ordered


class Moment(msgspec.Struct, frozen=True):
    """What a role perceived, what it did, and what came of it."""

    pictures: dict[str, bytes]
    """PNG files."""
    text: str
    act: str
    """The name of the offer; empty if the answer could not be parsed."""
    arguments: str
    """A JSON object."""
    point: tuple[float, float]
    """Where on the picture it pointed, if it pointed there; else -1, -1."""
    success: bool
    reason: str
    message: str
    reward: float


class Trajectory(msgspec.Struct, frozen=True):
    """One episode in one seat."""

    run: str
    episode: str
    task: str
    """The kind of task, as tables group it."""
    goal: str
    """What the role was asked to do, in words."""
    success: float
    acts: tuple[str, ...]
    """The names of all that the role can ever do, in order."""
    moments: list[Moment]


def trajectories(
    folders: Sequence[Path],
    role: str | None = None,
    episodes: int | None = None,
    views: Sequence[str] = (),
    workers: Workers = None,
    label: str | None = None,
) -> Iterator[Trajectory]:
    """The trajectories of runs, in order; episodes that cannot be played any more are left out.

    Args:
        folders: What `housemates eval --out` wrote.
        role: The seat; the last of the benchmark's roles if None.
        episodes: Of each run at most; all if None.
        views: The names of the pictures; the role's first one if none is named.
        workers: Who draws the pictures.
        label: Title of a progress bar.
    """
    for folder in folders:
        header = read_header(folder)
        seat = role_of(registry.benchmark_class(header.name), role)
        chosen = [each.id for each in read_episodes(folder)][:episodes]
        if not chosen:
            continue
        work = partial(_drawn, header.name, header.options, seat, tuple(views), folder.resolve().name)
        todo = pieces(folder, header, chosen)
        for found in map_ordered(work, todo, workers, label, lambda piece, loss: []):
            yield from found


def role_of(benchmark: type[Benchmark], role: str | None) -> str:
    """The seat that is meant; one that the benchmark does not have is refused."""
    if role is not None and role not in benchmark.roles:
        known = ", ".join(benchmark.roles)
        raise HousematesError(f"--role {role}: {benchmark.name} has no such role: expected one of {known}.")
    return role or benchmark.roles[-1]


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder to be filled that gets its name once all is written; one that is there is refused."""
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise HousematesError(f"{path}: there is something already: name a new folder for the dataset.")
    unfinished = path.with_name(f".{path.name}.unfinished")
    with claimed(folders=[unfinished]):
        try:
            yield unfinished
            for lock in unfinished.glob(".*"):
                lock.unlink()
            shutil.rmtree(path, ignore_errors=True)
            unfinished.rename(path)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)


def _drawn(
    name: str, options: Mapping[str, str], role: str, views: tuple[str, ...], run: str, piece: Piece
) -> list[Trajectory]:
    benchmark = made_once(registry.benchmark_class(name), tuple(options.items()))
    instances = {each.id: each for each in benchmark.open(piece.reference)}
    found = []
    for recording in piece.recordings:
        instance = instances.get(recording.result.id)
        if instance is not None and recording.transcript.steps:
            found.append(_trajectory(benchmark, instance, recording, role, views, run))
    return found


def _trajectory(
    benchmark: Benchmark,
    instance: Instance,
    recording: Recording,
    role: str,
    views: tuple[str, ...],
    run: str,
) -> Trajectory:
    result, turns = recording.result, recording.transcript.steps
    again = Again(benchmark, instance, turns)
    session = again.session
    brief, moments = session.brief(role), []
    there = tuple(session.pictures(role))
    if unknown := [each for each in views if each not in there]:
        expected = f"expected {', '.join(there)}" if there else "it has none"
        raise HousematesError(f"--views: the {role} has no picture {unknown[0]!r}: {expected}.")
    drawn = views or there[:1]
    for number, turn in enumerate(turns):
        if turn.role != role:
            again.do(number)
            continue
        percept = session.observe(role)
        pictures = {key: png(percept.pictures[key]()) for key in drawn}
        text = percept.text
        step = again.do(number)
        plain: dict[str, Any] = {} if step.act is None else step.act.plain()
        given = plain.get("arguments", {})
        point = given.get("point") or step.outcome.data.get("point") or (-1.0, -1.0)
        moments.append(
            Moment(
                pictures,
                text,
                plain.get("name", ""),
                json.dumps(given, ensure_ascii=False),
                (float(point[0]), float(point[1])),
                step.outcome.success,
                step.outcome.reason.value,
                step.outcome.message,
                float(session.reward(role)),
            )
        )
    acts = tuple(session.menu(role))
    return Trajectory(run, result.id, result.task, brief.goal, result.score("success"), acts, moments)
