"""Shutting a process in: whatever of it this system can do, and a trial of what it did.

Nothing here is undone as long as the process lives. Each protection is tried afterwards, so that what is
said of it is what happened and not what was asked for.
"""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterable

PROTECTIONS = ("files", "network", "processes", "memory")
"""What a process can be kept away from."""
MEGABYTE = 2**20
OPEN_FILES = 256
"""Files that it may have open at once."""
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
SYSTEM = (
    *(
        "/lib",
        "/lib64",
        "/usr/lib",
        "/usr/lib64",
        "/etc/ld.so.cache",
        "/etc/localtime",
        "/usr/share/zoneinfo",
    ),
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/self", "/sys/devices/system/cpu"),
)
"""What libraries of the system look at; `/proc/self` is this process alone."""
_NO_NEW_PRIVILEGES, _PARENT_DEATH, _KILL = 38, 1, 9
_CAPABILITIES = 0x20080522


def end_with(parent: int) -> None:
    """Have the system end this process when the thread of its parent ends that started it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PARENT_DEATH, _KILL)
        if os.getppid() != parent:
            os._exit(1)


def watch(parent: int) -> None:
    """End this process when its parent is there no more, where the system does not do that.

    To be called when this process has shut itself in: a thread that is there before stays outside.
    """
    if os.name == "posix":
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def shut_in(folder: str, readable: Iterable[str], megabytes: int, file_bytes: int) -> None:
    """Leave this process no more than a folder to write in, what it may read, and so much memory."""
    _limit(megabytes, file_bytes)
    if sys.platform == "linux":
        from housemates.core.isolation.landlock import shut_files
        from housemates.core.isolation.seccomp import refuse_calls

        library = ctypes.CDLL(None, use_errno=True)
        library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        with contextlib.suppress(OSError):
            shut_files([*SYSTEM, *readable], [folder, *DEVICES])
        header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITIES, 0))
        library.capset(header, ctypes.create_string_buffer(24))
        with contextlib.suppress(OSError):
            refuse_calls()


def _limit(megabytes: int, file_bytes: int) -> None:
    with contextlib.suppress(ImportError):
        import resource

        limits = {
            "RLIMIT_DATA": megabytes * MEGABYTE,
            "RLIMIT_FSIZE": file_bytes,
            "RLIMIT_NOFILE": OPEN_FILES,
            "RLIMIT_CORE": 0,
            "RLIMIT_MSGQUEUE": 0,
        }
        if sys.platform != "linux":
            limits["RLIMIT_NPROC"] = 1
        for name, most in limits.items():
            with contextlib.suppress(AttributeError, ValueError, OSError):
                resource.setrlimit(getattr(resource, name), (most, most))


def tried(outside: str, parent: int, megabytes: int) -> dict[str, bool]:
    """From which of `PROTECTIONS` this process is kept away, found out by trying.

    Args:
        outside: A file that it must not be able to read.
        parent: The id of a process that it must not be able to signal.
        megabytes: More memory than that must not be there.
    """
    if os.name != "posix":
        return dict.fromkeys(PROTECTIONS, False)
    return {
        "files": _fails(lambda: os.close(os.open(outside, os.O_RDONLY))),
        "network": _fails(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()),
        "processes": _fails(lambda: os.kill(parent, 0)) and _fails(_multiply),
        "memory": _fails(lambda: _map_privately(megabytes))
        and _fails(lambda: mmap.mmap(-1, MEGABYTE).close()),
    }


def _fails(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except (OSError, AttributeError):
        return True
    return False


def _multiply() -> None:
    child = ctypes.CDLL(None, use_errno=True)["fork"]()
    if child < 0:
        raise OSError(ctypes.get_errno(), "fork")
    if not child:
        os._exit(0)
    os.waitpid(child, 0)


def _map_privately(megabytes: int) -> None:
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    mmap.mmap(-1, (megabytes + 1) * MEGABYTE, flags=flags).close()
