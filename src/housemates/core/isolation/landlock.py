"""Shutting files away: rules that Linux applies to this process, the threads it starts, and for good."""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

_CREATE, _ADD, _RESTRICT, _BENEATH = 444, 445, 446, 1
_EXECUTE, _WRITE, _READ, _LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_FOLDER, _REMOVE_FILE, _MAKE_FOLDER, _MAKE_FILE, _MAKE_LINK = (1 << bit for bit in (4, 5, 7, 8, 12))
_TRUNCATE, _CONTROL = 1 << 14, 1 << 15
GOVERNED = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
"""Version of Landlock -> the accesses to files that it governs, from this version on."""
SCOPED = 3
"""Sockets without a file, and signals, of others; from version 6 on."""
READING = _READ | _LIST
WRITING = (
    READING | _WRITE | _REMOVE_FOLDER | _REMOVE_FILE | _MAKE_FOLDER | _MAKE_FILE | _MAKE_LINK | _TRUNCATE
)
OF_FILES = _EXECUTE | _WRITE | _READ | _TRUNCATE | _CONTROL
"""What can be done with a file that is no folder."""


def shut_files(readable: Iterable[str], writable: Iterable[str]) -> None:
    """Let this process open nothing but what lies beneath these paths; those that are not there are skipped.

    Raises:
        OSError: If this system cannot do that.
    """
    library = ctypes.CDLL(None, use_errno=True)
    version = library.syscall(_CREATE, None, 0, 1)
    if version < 1:
        raise OSError(ctypes.get_errno(), "landlock")
    governed = GOVERNED[max(known for known in GOVERNED if known <= version)]
    rules = struct.pack("=QQQ", governed, 0, SCOPED if version >= 6 else 0)
    size = 24 if version >= 6 else 8
    ruleset = _done(library.syscall(_CREATE, ctypes.create_string_buffer(rules, 24), size, 0))
    try:
        for paths, allowed in ((readable, READING), (writable, WRITING)):
            for path in paths:
                _allow(library, ruleset, path, allowed & governed)
        _done(library.syscall(_RESTRICT, ruleset, 0))
    finally:
        os.close(ruleset)


def _allow(library: ctypes.CDLL, ruleset: int, path: str, allowed: int) -> None:
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(opened).st_mode):
            allowed &= OF_FILES
        rule = struct.pack("=Qi", allowed, opened)
        _done(library.syscall(_ADD, ruleset, _BENEATH, ctypes.create_string_buffer(rule), 0))
    finally:
        os.close(opened)


def _done(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), "landlock")
    return result
