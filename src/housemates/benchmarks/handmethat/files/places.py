"""Where the episodes of a file or folder are, found by reading no more than their headings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from housemates.benchmarks.handmethat.files.episodes import from_record
from housemates.benchmarks.handmethat.files.records import INFO
from housemates.benchmarks.handmethat.tasks.episodes import Episode
from housemates.data.packs import read_place
from housemates.decoding import parse_json
from housemates.errors import HousematesError
from housemates.files import read_json, read_text, read_text_lines

UNKNOWN = ""
"""The split of an episode whose heading cannot be read."""


class Place(NamedTuple):
    """An episode that has not been read yet."""

    name: str
    split: str
    level: int
    path: str
    line: int
    """The line of a packed file, from 1; 0 if the episode is a file of its own."""

    @property
    def source(self) -> str:
        """As messages name it."""
        return f"{self.path}: line {self.line}" if self.line else self.path


class _Heading(msgspec.Struct):
    """The fields of a record that say which episode it is; the others are passed over."""

    level: int
    file: str = msgspec.field(name="_file", default="")
    split: str = "test"
    goal_idx: int = -1
    task_idx: int = -1


def places(path: Path) -> Iterator[Place]:
    """The episodes of a `.json`, `.jsonl` or `.jsonl.zst` file, or of a folder of them, in order."""
    if path.is_dir():
        patterns = ("task-*.json", "*.jsonl", "*.jsonl.zst")
        found = sorted(file for pattern in patterns for file in path.rglob(pattern))
        if not found:
            raise HousematesError(f"{path}: holds no episode files (.json, .jsonl or .jsonl.zst).")
        for file in found:
            yield from places(file)
    elif path.name.endswith(".json"):
        yield _whole(path)
    else:
        for number, text in read_text_lines(path):
            yield _headed(text, str(path), number)


def read_record(path: str, line: int) -> Any:
    """The record at a place, not checked yet; to a file of its own, what its folder's list says is added."""
    if line:
        return parse_json(read_place(path, line), f"{path}: line {line}")
    file = Path(path)
    record = read_json(file)
    if not isinstance(record, dict):
        return record
    return {"_file": file.name, **_listed(str(file.parent)).get(file.name, {}), **record}


def read_episode(path: str, line: int) -> Episode:
    """The episode at a place."""
    return from_record(read_record(path, line), f"{path}: line {line}" if line else path)


def read(path: str | Path) -> Iterator[Episode]:
    """The episodes of a file or folder."""
    for place in places(Path(path)):
        yield read_episode(place.path, place.line)


def _whole(path: Path) -> Place:
    listed = _listed(str(path.parent)).get(path.name)
    if listed is not None and {"split", "level"} <= set(listed):
        return Place(path.stem, listed["split"], listed["level"], str(path), 0)
    return _headed(read_text(path), str(path), 0)


def _headed(text: str, path: str, line: int) -> Place:
    otherwise = f"{Path(path).name}-{line}" if line else Path(path).stem
    try:
        heading = msgspec.json.decode(text, type=_Heading)
    except (msgspec.MsgspecError, RecursionError):
        return Place(otherwise, UNKNOWN, 0, path, line)
    numbered = f"{heading.goal_idx}-{heading.task_idx}" if line else otherwise
    name = heading.file.removesuffix(".json") or numbered
    return Place(name, heading.split, heading.level, path, line)


@lru_cache(maxsize=4)
def _listed(folder: str) -> Mapping[str, dict[str, Any]]:
    """What the official list in a folder says of each file: its level and its split."""
    path = Path(folder) / INFO
    if not path.exists():
        return {}
    value = read_json(path)
    found: dict[str, dict[str, Any]] = {}
    try:
        _, by_level, _, by_split = value
        for level, names in by_level.items():
            for name in names:
                found.setdefault(name, {})["level"] = int(level.removeprefix("level"))
        for split, names in by_split.items():
            for name in names:
                found.setdefault(name, {})["split"] = split
    except (AttributeError, TypeError, ValueError):
        raise HousematesError(
            f"{path}: expected four lists of files: by quest, level, goal and split."
        ) from None
    return found
