"""Watching an isolated agent from outside: what it prints, and what it uses that no limit counts."""

from __future__ import annotations

import codecs
import contextlib
import os
import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from housemates.errors import one_line

FOLDER_BYTES = 256 * 2**20
"""What may be in an agent's files, altogether; those count that have no name any more."""
FOLDER_FILES = 10_000
MOST_THREADS = 1000
LOOK_S = 0.5
"""How often one looks."""
PRINTED_BYTES = 2**20
"""How much of what is printed is shown."""
SLOW_S = 0.05
"""How long whoever prints more than that waits between two pieces."""
PIECE, STDERR = 2**16, 2


class Keeper:
    """Shows what a process prints, and ends it when it uses too much.

    Args:
        number: The process's id.
        folder: Its own folder.
        output: The file that its output is read from.
        end: Ends the process.
    """

    def __init__(self, number: int, folder: Path, output: int, end: Callable[[], object]) -> None:
        self.why = ""
        """Why it was ended, in words that follow a name."""
        self._system, self._folder, self._end = Path(f"/proc/{number}"), folder, end
        self._over = threading.Event()
        self._reader = threading.Thread(target=self._show, args=(output,), daemon=True)
        self._reader.start()
        threading.Thread(target=self._watch, daemon=True).start()

    def leave(self) -> None:
        """Watch no longer; the process has ended."""
        self._over.set()
        self._reader.join(LOOK_S)

    def _show(self, output: int) -> None:
        """Show on standard error what is printed, as text that any terminal can show, and not too much."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        left = PRINTED_BYTES
        while piece := os.read(output, PIECE):
            if left <= 0:
                time.sleep(SLOW_S)
                continue
            left -= len(piece)
            lines = decoder.decode(piece).split("\n")
            text = "\n".join(map(one_line, lines))
            _tell(text if left > 0 else f"{text}\n... (more is printed than is shown)\n")
        os.close(output)

    def _watch(self) -> None:
        while not self._over.wait(LOOK_S):
            self.why = self._too_much()
            if self.why:
                self._end()
                return

    def _too_much(self) -> str:
        """What it uses too much of; nothing if all is well."""
        with contextlib.suppress(OSError):
            if (self._system / "task").stat().st_nlink - 2 > MOST_THREADS:
                return f"started more than {MOST_THREADS} threads"
        size = count = 0
        for each in self._sizes():
            size, count = size + each, count + 1
            if size > FOLDER_BYTES or count > FOLDER_FILES:
                return f"wrote more than {FOLDER_BYTES >> 20} MB or {FOLDER_FILES} files to its folder"
        return ""

    def _sizes(self) -> Iterator[int]:
        """The sizes of all files and folders that are its own."""
        with contextlib.suppress(RecursionError):
            for folder, folders, names in os.walk(self._folder):
                yield from (0 for _ in folders)
                for name in names:
                    with contextlib.suppress(OSError):
                        yield Path(folder, name).lstat().st_size
        yield from self._nameless()

    def _nameless(self) -> Iterator[int]:
        """The sizes of files of its folder that it has removed and uses all the same.

        One that is open nowhere but in its memory counts as large as a file can be.
        """
        known = set()
        with contextlib.suppress(OSError):
            device = self._folder.stat().st_dev
            for each in (self._system / "fd").iterdir():
                with contextlib.suppress(OSError):
                    found = each.stat()
                    mine = stat.S_ISREG(found.st_mode) and not found.st_nlink and found.st_dev == device
                    if mine and found.st_ino not in known:
                        known.add(found.st_ino)
                        yield found.st_size
            with (self._system / "maps").open(errors="replace") as maps:
                for line in maps:
                    _, _, path = line.partition(f" {self._folder}/")
                    inode = int(line.split(maxsplit=5)[4])
                    if path.endswith(" (deleted)\n") and inode not in known:
                        known.add(inode)
                        yield FOLDER_BYTES


def _tell(text: str) -> None:
    left = memoryview(text.encode())
    with contextlib.suppress(OSError):
        while left:
            left = left[os.write(STDERR, left) :]
