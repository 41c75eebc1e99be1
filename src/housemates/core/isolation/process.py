"""The process of an isolated agent as its seat knows it: started, spoken with, and ended."""

from __future__ import annotations

import hashlib
import json
import mmap
import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import weakref
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from housemates.core.isolation.keeper import FOLDER_BYTES, Keeper
from housemates.core.isolation.wire import LONGEST, Gone, Wire, from_json
from housemates.parallel import how_it_ended

STARTING_S = 60.0
"""How long an interpreter may take to begin."""
ENDING_S = 1.0
"""How long a process that hung up may take to end, before it is ended."""
PICTURE_BYTES = 8 * 2**20
"""Room for one picture; a larger one comes by the wire."""
KEPT = ("LANG", "LC_ALL", "LC_CTYPE", "PYTHONHASHSEED", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "SYSTEMROOT")
"""Environment variables that an agent's process has from this one."""
PACKAGE = Path(__file__).parents[2]
MACHINE_CODE = "numba"
BEGIN = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from housemates.core.isolation.child import main; main(sys.argv[2])"
)


class Process:
    """An interpreter of its own for one agent, which has shut itself in when this returns.

    Args:
        readable: Files and folders that it may read beside the interpreter and its libraries.
        linked: Names of packages and modules -> where they lie; it finds them in its folder.
        memory: Megabytes that it may have.
    """

    def __init__(self, readable: Iterable[Path], linked: dict[str, Path], memory: int) -> None:
        self._base = Path(tempfile.mkdtemp(prefix="housemates-agent-"))
        self._forget = weakref.finalize(self, _remove, self._base)
        self._folder = self._base / "own"
        self._folder.mkdir()
        (self._base / "outside").touch()
        if os.name == "posix":
            for name, place in linked.items():
                (self._folder / name).symlink_to(place)
            link_machine_code(self._folder / MACHINE_CODE)
        self._board, pictures = _board()
        here, there = socket.socketpair()
        self._wire = Wire(here, LONGEST)
        try:
            self._process = self._started(there, pictures)
            paths = [*libraries(), *readable, *linked.values(), *_kept_elsewhere()]
            setup = {
                "parent": os.getpid(),
                "mortal": sys.platform == "linux" and _in_main_thread(),
                "folder": str(self._folder),
                "readable": [str(path) for path in paths],
                "outside": str(self._base / "outside"),
                "memory": memory,
                "file_bytes": FOLDER_BYTES,
                "pictures": pictures,
                "picture_bytes": PICTURE_BYTES,
            }
            until = time.monotonic() + STARTING_S
            self._wire.send(json.dumps(setup).encode(), until)
            self.isolated: dict[str, bool] = from_json(self._wire.receive(until))["isolated"]
            """From what it is kept away, as it found out by trying."""
        except BaseException:
            self.end()
            raise
        finally:
            there.close()
            if pictures is not None:
                os.close(pictures)

    def send(self, message: bytes, until: float) -> None:
        """Send it a message, by a moment of `time.monotonic`."""
        self._wire.send(message, until)

    def receive(self, until: float) -> dict[str, Any]:
        """What it answers, by a moment of `time.monotonic`."""
        return from_json(self._wire.receive(until))

    def ended(self) -> bool:
        """Whether it is there no more."""
        return self._process.poll() is not None

    def show(self, picture: np.ndarray) -> Any:
        """What is sent of a picture: its shape and type if it is in the shared memory now, else itself."""
        if self._board is None or picture.nbytes > PICTURE_BYTES or picture.dtype == object:
            return picture
        room = np.frombuffer(self._board, picture.dtype, picture.size).reshape(picture.shape)
        room[...] = picture
        return picture.shape, picture.dtype.str

    def how_it_ended(self) -> str:
        """How a process ended that hung up, in words that follow a name."""
        try:
            return self._keeper.why or how_it_ended(self._process.wait(ENDING_S))
        except subprocess.TimeoutExpired:
            return "hung up"

    def end(self) -> None:
        """End it, whatever it is doing; nothing is left of it."""
        self._wire.close()
        process = getattr(self, "_process", None)
        if process is not None:
            process.kill()
            process.wait()
            self._keeper.leave()
        self._forget()

    def _started(self, there: socket.socket, pictures: int | None) -> subprocess.Popen[bytes]:
        own = str(self._folder)
        environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        environment |= dict.fromkeys(("HOME", "TMPDIR", "TEMP", "TMP"), own)
        environment["NUMBA_CACHE_DIR"] = str(self._folder / MACHINE_CODE)
        posix = os.name == "posix"
        path = [each or os.getcwd() for each in sys.path] + ([] if posix else [os.getcwd()])  # noqa: PTH109
        handed = str(there.fileno()) if posix else ""
        shown, output = os.pipe()
        started = subprocess.Popen(
            [sys.executable, "-s", "-P", "-B", "-c", BEGIN, json.dumps(path), handed],
            stdin=subprocess.DEVNULL if posix else subprocess.PIPE,
            stdout=output,
            stderr=output,
            env=environment,
            cwd=own,
            start_new_session=True,
            pass_fds=[each for each in (there.fileno(), pictures) if each is not None] if posix else (),
        )
        os.close(output)
        self._keeper = Keeper(started.pid, self._folder, shown, started.kill)
        if not posix:
            assert started.stdin is not None
            started.stdin.write(there.share(started.pid))  # type: ignore[attr-defined,unused-ignore]
            started.stdin.close()
        return started


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


def libraries() -> list[Path]:
    """What every agent may read: the interpreter's libraries, what is installed there, and this package."""
    there = {path for path in sysconfig.get_paths().values() if path.endswith("-packages")}
    there |= {path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")}
    there |= {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"), f"{sys.base_prefix}/lib"}
    return [*map(Path, sorted(there)), PACKAGE]


def link_machine_code(folder: Path) -> None:
    """Let numba find in a folder what it has kept for this process, without a way to change that.

    It keeps the code of each folder of sources beside them, or in one whose name has that folder's hash.
    """
    elsewhere = _kept_elsewhere()
    if elsewhere:
        found = [(file.parent.name, file) for file in elsewhere[0].glob("*/*.nb[ci]")]
    else:
        found = [(_hashed(file.parents[1]), file) for file in PACKAGE.rglob("__pycache__/*.nb[ci]")]
    for name, file in found:
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / file.name).symlink_to(file)


def _kept_elsewhere() -> list[Path]:
    named = os.environ.get("NUMBA_CACHE_DIR")
    return [Path(named).resolve()] if named and Path(named).is_dir() else []


def _hashed(folder: Path) -> str:
    return f"{folder.name}_{hashlib.sha1(str(folder).encode()).hexdigest()}"


def _remove(folder: Path) -> None:
    """Remove a folder; one so deep that Python cannot is removed in its own time."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:
        words = ["rm", "-rf", "--", str(folder)]
        threading.Thread(target=subprocess.run, args=(words,), daemon=True).start()


def _board() -> tuple[mmap.mmap | None, int | None]:
    """Memory in which pictures are shown, and the file of it that a process may read and cannot shorten."""
    if not hasattr(os, "memfd_create"):
        return None, None
    import fcntl

    file = os.memfd_create("pictures", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(file, PICTURE_BYTES)
    board = mmap.mmap(file, PICTURE_BYTES)
    fcntl.fcntl(file, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
    return board, file


__all__ = ["Gone", "Process", "libraries"]
