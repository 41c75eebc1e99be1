"""Where the episodes of a file or folder are, found by reading no more than their headings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from housemates import files
from housemates.benchmarks.handmethat.formats.episodes import from_record
from housemates.benchmarks.handmethat.formats.forms import Record
from housemates.benchmarks.handmethat.formats.records import INFO
from housemates.benchmarks.handmethat.tasks.episodes import Episode
from housemates.data.packs import read_place
from housemates.data.records import Skipped
from housemates.errors import HousematesError, NothingDone
from housemates.files import read_text, read_text_lines
from housemates.typed_json import decode, shown

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
            raise NothingDone(f"{path}: holds no episode files (.json, .jsonl or .jsonl.zst).")
        for file in found:
            yield from _of_file(file)
    else:
        yield from _of_file(path)


def read_record(path: str, line: int) -> Record:
    """The record at a place; to a file of its own, what its folder's list says is added."""
    record = decode(read_place(path, line), Record, f"{path}: line {line}" if line else path)
    if line:
        return record
    file = Path(path)
    listed = _listed(str(file.parent)).get(file.name, {})
    told = {"file": file.name, **listed}
    absent = {name: value for name, value in told.items() if getattr(record, name) is msgspec.UNSET}
    return msgspec.structs.replace(record, **absent)


def read_episode(path: str, line: int) -> Episode:
    """The episode at a place."""
    return from_record(read_record(path, line), f"{path}: line {line}" if line else path)


def read(path: str | Path, skipped: list[Skipped]) -> Iterator[Episode]:
    """The episodes of a file or folder; those that cannot be read are added to `skipped`."""
    for place in places(Path(path)):
        try:
            yield read_episode(place.path, place.line)
        except HousematesError as error:
            skipped.append(Skipped(place.name, str(error)))


def _of_file(path: Path) -> Iterator[Place]:
    """The episodes of one file; why it cannot be read to its end is said when that is tried."""
    if not path.exists():
        raise HousematesError(f"{path}: no such file or folder.")
    if path.name.endswith(".json"):
        yield _whole(path)
        return
    number = 0
    try:
        for number, text in read_text_lines(path):
            yield _headed(text, str(path), number)
    except HousematesError:
        yield Place(f"{path.name}-{number + 1}", UNKNOWN, 0, str(path), number + 1)


def _whole(path: Path) -> Place:
    try:
        listed = _listed(str(path.parent)).get(path.name, {})
        if {"split", "level"} <= listed.keys():
            return Place(path.stem, listed["split"], listed["level"], str(path), 0)
        return _headed(read_text(path), str(path), 0)
    except HousematesError:
        return Place(path.stem, UNKNOWN, 0, str(path), 0)


def _headed(text: str, path: str, line: int) -> Place:
    otherwise = f"{Path(path).name}-{line}" if line else Path(path).stem
    try:
        heading = msgspec.json.decode(text, type=_Heading)
    except (msgspec.MsgspecError, RecursionError):
        return Place(otherwise, UNKNOWN, 0, path, line)
    numbered = f"{heading.goal_idx}-{heading.task_idx}" if line else otherwise
    name = heading.file.removesuffix(".json") or numbered
    return Place(name, heading.split, heading.level, path, line)


Files = dict[str, list[str]]
"""Names of files by what they have in common."""


@lru_cache(maxsize=4)
def _listed(folder: str) -> Mapping[str, dict[str, Any]]:
    """What the official list in a folder says of each file: its level and its split."""
    path = Path(folder) / INFO
    if not path.exists():
        return {}
    _, by_level, _, by_split = files.read_record(path, tuple[Files, Files, Files, Files])
    found: dict[str, dict[str, Any]] = {}
    for level, names in by_level.items():
        number = level.removeprefix("level")
        if number not in ("1", "2", "3", "4"):
            raise HousematesError(f"{path}: expected level1 to level4, found {shown(level)}.")
        for name in names:
            found.setdefault(name, {})["level"] = int(number)
    for split, names in by_split.items():
        for name in names:
            found.setdefault(name, {})["split"] = split
    return found
