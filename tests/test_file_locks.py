"""A lock is one process's at a time, and goes with it."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from housemates.file_locks import in_turn, lock

HOLDER = """
import sys
from pathlib import Path
from housemates.file_locks import in_turn
with in_turn(Path(sys.argv[1]), 60.0):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(path: Path) -> subprocess.Popen[bytes]:
    """A process that has the lock."""
    started = subprocess.Popen(
        [sys.executable, "-c", HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert started.stdout is not None
    assert started.stdout.readline() == b"held\n"
    return started


def test_a_lock_is_taken_back_from_a_process_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "new" / "lock"
    with holder(path) as other, path.open("ab") as stream:
        assert not lock(stream)
        other.kill()
        other.wait()
        assert lock(stream)


def test_whoever_has_waited_long_enough_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with holder(path) as other:
        start = time.monotonic()
        with in_turn(path, 0.2):
            assert time.monotonic() - start >= 0.2
        assert other.poll() is None
        other.kill()


def test_where_nothing_can_be_written_nobody_waits(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    start = time.monotonic()
    with in_turn(tmp_path / "file" / "lock", 60.0), in_turn(tmp_path / "file" / "lock", 60.0):
        assert time.monotonic() - start < 60.0
