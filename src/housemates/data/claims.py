"""Places that only one run at a time writes to: folders of results, stores, generated sets, exports."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from housemates.data.journal import refusing
from housemates.errors import HousematesError
from housemates.file_locks import lock
from housemates.files import unfinished

LOCK = ".lock"
TRIES = 100


@contextlib.contextmanager
def claimed(*, folders: Iterable[Path | None] = (), files: Iterable[Path | None] = ()) -> Iterator[None]:
    """Nobody else can claim these places while this lasts; who tries is refused in one sentence.

    The system forgets a claim when its process ends, however it ends. What writers who died have left
    unfinished is taken away, and so are folders that were made for this and stayed empty.

    Args:
        folders: Folders that are written to, made if they are not there; None is no place.
        files: Single files.
    """
    places = {_real(each) / LOCK: each for each in folders if each is not None}
    places |= {_real(each.parent) / f".{each.name}{LOCK}": each for each in files if each is not None}
    with contextlib.ExitStack() as stack:
        for path, place in places.items():
            is_file = path.name != LOCK
            stack.enter_context(_held(path, place, is_file))
            stack.enter_context(_tidied(path.parent, place.name if is_file else None))
        yield


def holds_nothing(folder: Path) -> bool:
    """Whether a folder is empty or not there; that it is claimed does not count."""
    return not folder.is_dir() or all(each.name == LOCK for each in folder.iterdir())


@contextlib.contextmanager
def _held(path: Path, place: Path, is_file: bool) -> Iterator[None]:
    """A lock on a file that is there for nothing else, and goes with it."""
    with refusing(place, "written"):
        if place.is_symlink() and not place.exists():
            raise HousematesError(f"{place}: is a link that leads nowhere; remove it or name another place.")
        if place.exists() and place.is_dir() == is_file:
            expected = "a file, found a folder" if is_file else "a folder, found a file"
            raise HousematesError(f"{place}: expected {expected}.")
        new = [folder for folder in path.parents if not folder.exists()]
    try:
        stream = _locked(path, place)
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                path.unlink()
            stream.close()
    finally:
        with contextlib.suppress(OSError):
            for folder in new:
                folder.rmdir()


def _locked(path: Path, place: Path) -> IO[bytes]:
    """The file, locked; whoever held it before may have taken it away in between, then a new one."""
    for _ in range(TRIES):
        with refusing(place, "written"):
            path.parent.mkdir(parents=True, exist_ok=True)
            stream = path.open("ab")
        with contextlib.suppress(OSError):
            if not lock(stream):
                stream.close()
                break
        with contextlib.suppress(OSError):
            if os.path.samestat(path.stat(), os.fstat(stream.fileno())):
                return stream
        stream.close()
    raise HousematesError(f"{place}: another run is writing there; wait for it or name another place.")


@contextlib.contextmanager
def _tidied(folder: Path, name: str | None) -> Iterator[None]:
    """Take away what is unfinished before and after."""
    _tidy(folder, name)
    try:
        yield
    finally:
        _tidy(folder, name)


def _tidy(folder: Path, name: str | None) -> None:
    with contextlib.suppress(OSError):
        for path in list(unfinished(folder, name)):
            path.unlink(missing_ok=True)


def _real(path: Path) -> Path:
    """One name for a place, by whatever links it is reached."""
    return Path(os.path.realpath(path))
