"""Telling whether data are the same as before, without reading all of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import msgspec

from housemates.errors import HousematesError
from housemates.files import can_be_path, is_device

READ = 2**24
"""Bytes of the beginning and of the end of a file that are read; a smaller one is read whole."""
ENTRIES = 200_000
"""Files of a folder that are looked at."""


class Fingerprint(msgspec.Struct, frozen=True):
    """What a file or folder holds."""

    name: str
    size: int
    """Bytes of a file, or how many files a folder has at any depth."""
    sha256: str
    """Of a file: its bytes, or of a large one its size, its beginning and its end. Of a folder: the names and
    sizes of its files."""


def fingerprint(path: Path) -> Fingerprint:
    """The fingerprint of a file or folder; it costs little, however large that is."""
    if not can_be_path(str(path)):
        raise HousematesError(f"{path}: no such file or folder.")
    if is_device(path):
        raise HousematesError(f"{path}: expected a file, found a device.")
    try:
        return _folder(path) if path.is_dir() else _file(path)
    except OSError as error:
        raise HousematesError(f"{path}: cannot be read ({error.strerror or error}).") from None


def by_name(found: Iterable[Fingerprint]) -> dict[str, str]:
    """Fingerprints by the names of what they are of, to be compared; of several with one name, all count."""
    named: dict[str, str] = {}
    for each in found:
        key = each.name
        while key in named:
            key += "'"
        named[key] = each.sha256
    return named


def _file(path: Path) -> Fingerprint:
    size = path.stat().st_size
    with path.open("rb") as stream:
        if size <= 2 * READ:
            code = hashlib.file_digest(stream, "sha256")
        else:
            code = hashlib.sha256(f"{size}\n".encode() + stream.read(READ))
            stream.seek(-READ, os.SEEK_END)
            code.update(stream.read(READ))
    return Fingerprint(path.name, size, code.hexdigest())


def _folder(path: Path) -> Fingerprint:
    code = hashlib.sha256()
    count = 0
    for name, size in islice(_entries(path, ""), ENTRIES):
        code.update(f"{name}\n{size}\n".encode(errors="surrogateescape"))
        count += 1
    return Fingerprint(path.name, count, code.hexdigest())


def _entries(path: Path, under: str) -> Iterator[tuple[str, int]]:
    """The files of a folder in the order of their names, with their sizes; links are not followed."""
    for entry in sorted(os.scandir(path), key=lambda each: each.name):
        name = f"{under}{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            yield from _entries(path / entry.name, f"{name}/")
        elif not entry.name.startswith("."):
            yield name, entry.stat(follow_symlinks=False).st_size
