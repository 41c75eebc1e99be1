"""Where the games of a file or folder are, found one at a time and without reading them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from housemates.benchmarks.alfworld.tasks.types import UNSUPPORTED, type_in
from housemates.data.packs import PACKED, read_place
from housemates.errors import HousematesError
from housemates.files import read_text_lines

FILE = "game.tw-pddl"
SPLITS = ("train", "valid_train", "valid_seen", "valid_unseen")
_TAIL = 1 << 16
_UNSOLVABLE = b'"solvable": false'


class Place(NamedTuple):
    """A game that has not been read yet."""

    name: str
    """Its folder, or what a packed file calls it."""
    path: str
    line: int
    """The line of a packed file, from 1; 0 if the game is a file of its own."""

    @property
    def split(self) -> str:
        """The split that its folders say."""
        parts = (*Path(self.path).parts, *self.name.split("/"))
        return next((part for part in reversed(parts) if part in SPLITS), "")

    @property
    def source(self) -> str:
        """As messages name it."""
        return f"{self.path}: line {self.line}" if self.line else self.path


class Packed(msgspec.Struct):
    """A line of a packed file: a game's name, and what its file says."""

    game: str
    game_text: str = ""


class _Named(msgspec.Struct):
    """A line of a packed file, the text of the game passed over."""

    game: str


def places(path: Path) -> Iterator[Place]:
    """The games of a `game.tw-pddl`, a packed file, or all in a folder, in the order of their names.

    Folders are read as they are come to, so that the first game is there at once. Games that their files
    call unsolvable, and those of tasks that the original leaves out, are passed over.
    """
    if not path.exists():
        raise HousematesError(f"{path}: no such file or folder.")
    if path.is_dir():
        yield from _below(path, path)
    else:
        yield from _of_file(path, path.parent)


def text_of(place: Place) -> str:
    """What a game file says."""
    text = read_place(place.path, place.line)
    if not place.line:
        return text
    try:
        return msgspec.json.decode(text, type=Packed).game_text
    except msgspec.MsgspecError as error:
        raise HousematesError(f"{place.source}: {error}.") from None


def _below(folder: Path, root: Path) -> Iterator[Place]:
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda each: each.name)
    for each in found:
        if each.is_dir():
            if not any(mark in each.name for mark in UNSUPPORTED):
                yield from _below(Path(each.path), root)
        elif each.name == FILE or each.name.endswith(PACKED):
            yield from _of_file(Path(each.path), root)


def _of_file(path: Path, root: Path) -> Iterator[Place]:
    if not path.name.endswith(PACKED):
        name = path.parent.relative_to(root).as_posix() if path.name == FILE else path.name
        if _solvable(path):
            yield Place(name if name != "." else path.parent.name, str(path), 0)
        return
    number = 0
    try:
        for number, line in read_text_lines(path):
            yield Place(_name(line, f"{path.name}-{number}"), str(path), number)
    except HousematesError:
        yield Place(f"{path.name}-{number + 1}", str(path), number + 1)


def _name(line: str, otherwise: str) -> str:
    try:
        return msgspec.json.decode(line, type=_Named).game
    except msgspec.MsgspecError:
        return otherwise


def _solvable(path: Path) -> bool:
    """Whether the end of a game file, where it says so, does not call it unsolvable."""
    try:
        with path.open("rb") as stream:
            stream.seek(max(0, path.stat().st_size - _TAIL))
            return _UNSOLVABLE not in stream.read()
    except OSError:
        return True


def kind_of(place: Place) -> str:
    """The type of a game's task, from its name, else from the file beside it that says which trial it is."""
    found = type_in(place.name) or type_in(place.path)
    if not found and not place.line:
        beside = Path(place.path).with_name("traj_data.json")
        found = type_in(beside.read_text(encoding="utf-8", errors="replace")) if beside.exists() else ""
    return found
