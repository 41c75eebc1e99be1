"""Whole sets of episodes on disk: made in parts by several processes, and continued where they were left."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from housemates.benchmarks.handmethat.formats.episodes import to_official, to_record
from housemates.benchmarks.handmethat.formats.observations import observations
from housemates.benchmarks.handmethat.formats.records import INFO
from housemates.benchmarks.handmethat.generate.synthesis import SPLIT_NAMES, Settings, generate_one
from housemates.benchmarks.handmethat.tasks.episodes import Episode
from housemates.data.claims import claimed, holds_nothing
from housemates.errors import HousematesError
from housemates.files import read_json, write_json, write_lines
from housemates.parallel import Workers, map_ordered

PART = 100
"""Episodes in one part of a set."""
DESCRIPTION = "set.json"


@dataclass(frozen=True)
class Part:
    """Some episodes of a set, by their numbers."""

    first: int
    last: int

    @property
    def stem(self) -> str:
        """The part's name on disk."""
        return f"part-{self.first // PART:05d}"


def generate(
    folder: Path,
    count: int,
    seed: int,
    settings: Settings,
    official: bool,
    workers: Workers,
    progress: bool,
) -> dict[str, Any]:
    """Make a set, or what is missing of it, and return its counts."""
    parts = [Part(first, min(first + PART, count)) for first in range(0, count, PART)]
    work = partial(make_part, folder, seed, settings, official)
    with claimed(folders=[folder]):
        describe(folder, count, seed, settings, official)
        todo = [part for part in parts if not (folder / f"{part.stem}.counts.json").exists()]
        for _ in map_ordered(work, todo, workers, "handmethat episodes" if progress else None):
            pass
        rows = [row for part in parts for row in read_json(folder / f"{part.stem}.counts.json")]
        if official:
            write_json(folder / INFO, info(rows))
    return summary(rows)


def describe(folder: Path, count: int, seed: int, settings: Settings, official: bool) -> None:
    """Write what the set is; refuse a folder that holds another set."""
    wanted = {"episodes": count, "seed": seed, "official": official, **asdict(settings)}
    path = folder / DESCRIPTION
    if path.exists():
        found = read_json(path)
        if {**found, "episodes": 0} != {**wanted, "episodes": 0}:
            raise HousematesError(f"{path}: describes another set of episodes; name another folder.")
    elif not holds_nothing(folder):
        raise HousematesError(f"{folder}: is not empty and holds no set of episodes; name another folder.")
    write_json(path, wanted)


def make_part(folder: Path, seed: int, settings: Settings, official: bool, part: Part) -> None:
    """Make the episodes of a part; its counts are written last and mark it as done."""
    episodes = [generate_one(seed, number, settings) for number in range(part.first, part.last)]
    if official:
        for episode in episodes:
            record = to_official(episode, observations(episode))
            write_json(folder / f"{episode.name}.json", record, indent=None)
    else:
        write_lines(folder / f"{part.stem}.jsonl.zst", (to_record(episode) for episode in episodes))
    write_json(folder / f"{part.stem}.counts.json", [_row(episode) for episode in episodes], indent=None)


def _row(episode: Episode) -> list[Any]:
    return [episode.name, episode.split, episode.level, episode.meaning.quest, episode.goal_number]


def info(rows: list[list[Any]]) -> list[dict[str, list[str]]]:
    """The official index: files by quest type, level, goal and split."""
    found: list[dict[str, list[str]]] = [{}, {}, {}, {}]
    for name, split, level, quest, goal in rows:
        for index, key in zip(found, (quest, f"level{level}", str(goal), split), strict=True):
            index.setdefault(key, []).append(f"{name}.json")
    return found


def summary(rows: list[list[Any]]) -> dict[str, Any]:
    """How many episodes there are of each level, split and quest type, and the shares of levels."""
    levels = Counter(row[2] for row in rows)
    shares = {level: round(100 * levels[level] / max(len(rows), 1), 1) for level in range(1, 5)}
    return {
        "episodes": len(rows),
        "splits": {split: sum(row[1] == split for row in rows) for split in SPLIT_NAMES},
        "by_level": {
            f"level {level}": {
                "episodes": levels[level],
                "percent": shares[level],
                **Counter(row[3] for row in rows if row[2] == level),
            }
            for level in range(1, 5)
        },
        "quests": dict(Counter(row[3] for row in rows)),
        "goals": len({row[4] for row in rows}),
    }
