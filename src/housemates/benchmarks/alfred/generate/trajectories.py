"""Sets of trajectories: balanced tasks in our rooms, three demonstrations each, with directives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from housemates.benchmarks.alfred.formats.episodes import Trajectory
from housemates.benchmarks.alfred.formats.loader import recorded_episode
from housemates.benchmarks.alfred.formats.splits import FILE
from housemates.benchmarks.alfred.formats.writer import PICTURES, picture_name, pictures_of, trajectory_of
from housemates.benchmarks.alfred.generate.demonstration import draw_demonstration
from housemates.benchmarks.alfred.generate.sampling import FOLDS, Sample, balanced, rooms_of
from housemates.benchmarks.alfred.generate.speech import directives
from housemates.benchmarks.alfred.tasks.goals import TITLES, progress
from housemates.benchmarks.alfred.world.dynamics import AlfredWorld
from housemates.core.pictures import png
from housemates.data.claims import claimed, holds_nothing
from housemates.data.journal import Journal
from housemates.errors import HousematesError
from housemates.files import read_json, write_bytes
from housemates.parallel import Workers, map_ordered

PER_SAMPLE = 3
SHARES = {"train": 0.94, "valid_seen": 0.03, "valid_unseen": 0.03}
"""How much of the data each fold gets, about as in the original."""
LOG = "finished.jsonl"


class Settings(msgspec.Struct, frozen=True):
    """All that decides what is generated, besides how much of it."""

    seed: int = 0
    masks: bool = False
    directives: int = 3
    frames: bool = False


class Finished(msgspec.Struct, frozen=True):
    """A sample whose trajectories are all written."""

    fold: str
    number: int
    files: list[str]


class Work(NamedTuple):
    """One sample to be demonstrated."""

    fold: str
    number: int
    sample: Sample


class Trial(NamedTuple):
    """A trajectory as JSON, and the pictures that it names, as PNG."""

    id: str
    content: bytes
    pictures: tuple[bytes, ...] = ()


class Made(NamedTuple):
    """The trajectories of a sample; fewer than three, or none, where no start could be solved."""

    fold: str
    number: int
    name: str
    trajectories: tuple[Trial, ...]


def generate(
    out: Path, count: int, settings: Settings, workers: Workers = None, label: str | None = None
) -> dict[str, Any]:
    """Write `count` verified demonstrations into a folder and return what they are like.

    What a folder holds of the same run already is kept and counted.
    """
    with claimed(folders=[out]):
        return _generate(out, count, settings, workers, label)


def _generate(
    out: Path, count: int, settings: Settings, workers: Workers, label: str | None
) -> dict[str, Any]:
    journal = _journal(out, settings)
    wanted = _folds(count)
    tasks: Counter[str] = Counter()
    things: Counter[str] = Counter()
    places: Counter[str] = Counter()
    tried = 0
    for fold, number in wanted.items():
        for made in _make(out, fold, number, settings, journal, workers, label):
            tried += 1
            for each in made:
                params = each["pddl_params"]
                tasks[each["task_type"]] += 1
                things[params["object_target"]] += 1
                places.update([params["parent_target"]] if params["parent_target"] else [])
    return _summary(out, wanted, tried, tasks, things, places)


def _summary(
    out: Path,
    folds: dict[str, int],
    tried: int,
    tasks: Counter[str],
    things: Counter[str],
    places: Counter[str],
) -> dict[str, Any]:
    return {
        "out": str(out),
        "demonstrations": sum(tasks.values()),
        "folds": folds,
        "samples": tried,
        "types": {TITLES[name]: number for name, number in sorted(tasks.items())},
        "object_classes": len(things),
        "receptacle_classes": len(places),
        "commonest_objects": _commonest(things, sum(tasks.values())),
        "commonest_receptacles": _commonest(places, sum(tasks.values())),
    }


def _commonest(counts: Counter[str], total: int) -> dict[str, float]:
    """The three commonest, and their shares of all demonstrations."""
    return {name: round(count / max(total, 1), 4) for name, count in counts.most_common(3)}


def _folds(count: int) -> dict[str, int]:
    small = {fold: round(count * share) for fold, share in SHARES.items() if fold != "train"}
    return {"train": count - sum(small.values()), **small}


def _make(
    out: Path,
    fold: str,
    count: int,
    settings: Settings,
    journal: Journal[Finished],
    workers: Workers,
    label: str | None,
) -> Iterator[list[dict[str, Any]]]:
    """What is asked in the trajectories of each sample of a fold, made now or found in the folder."""
    finished = {each.number: each.files for each in journal.finished() if each.fold == fold}
    seed = settings.seed * len(FOLDS) + list(FOLDS).index(fold)
    samples = enumerate(balanced(rooms_of(fold), seed)) if count else iter(())
    have = 0
    while have < count:
        needed = -(-(count - have) // PER_SAMPLE)
        batch = [Work(fold, number, sample) for number, sample in islice(samples, needed)]
        for work in batch:
            if work.number in finished:
                names = finished[work.number][: count - have]
                have += len(names)
                yield [read_json(out / name) for name in names]
        todo = [work for work in batch if work.number not in finished]
        work_on = partial(demonstrations, settings)
        for made in map_ordered(work_on, todo, workers, label and f"{label}: {fold}"):
            kept = made.trajectories[: count - have]
            _write(out, made, kept, journal)
            have += len(kept)
            yield [msgspec.json.decode(each.content) for each in kept]


def demonstrations(settings: Settings, work: Work) -> Made:
    """Up to three demonstrations of a sample, each from another start and verified by replay."""
    found = []
    for trial in range(PER_SAMPLE):
        rng = np.random.default_rng([settings.seed, list(FOLDS).index(work.fold), work.number, trial])
        demonstration = draw_demonstration(work.sample, rng, settings.masks)
        if demonstration is not None:
            said = directives(demonstration, rng, settings.directives)
            name = f"trial_{settings.seed}_{work.fold}_{work.number:06}_{trial}"
            trajectory = trajectory_of(demonstration, said, name, work.number, settings.masks)
            if replays(trajectory):
                pictures = map(png, pictures_of(demonstration)) if settings.frames else ()
                found.append(Trial(name, trajectory.to_json(), tuple(pictures)))
    return Made(work.fold, work.number, work.sample.name, tuple(found))


def replays(trajectory: Trajectory) -> bool:
    """Whether a trajectory, begun from what its file says, succeeds action by action and reaches its goal."""
    episode = recorded_episode(trajectory, 0, None)
    world = AlfredWorld(episode.start)
    done = all(world.act(low.name, low.target or None).success for low in trajectory.low_actions)
    return done and episode.task is not None and progress(episode.task, world).success


def _write(out: Path, made: Made, kept: tuple[Trial, ...], journal: Journal[Finished]) -> None:
    """Write the trajectories that are wanted; a sample counts as finished when those are all it has."""
    names = []
    for trial in kept:
        folder = f"{made.fold}/{made.name}/{trial.id}"
        for number, picture in enumerate(trial.pictures):
            write_bytes(out / folder / PICTURES / picture_name(number), picture)
        names.append(f"{folder}/{FILE}")
        write_bytes(out / names[-1], trial.content)
    if len(kept) == len(made.trajectories):
        list(journal.keep([Finished(made.fold, made.number, names)]))


def _journal(out: Path, settings: Settings) -> Journal[Finished]:
    """Take up the run of a folder, or begin one there; a folder of anything else is refused."""
    if not (out / LOG).exists() and not holds_nothing(out):
        raise HousematesError(f"{out}: is not empty and holds no earlier run; name another folder.")
    journal = Journal(out / LOG, settings, Finished)
    journal.finished()
    list(journal.keep([]))
    return journal
