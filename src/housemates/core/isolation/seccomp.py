"""Refusing system calls: a filter that Linux applies to this process, all its threads, and for good."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import tomllib
from collections.abc import Iterator
from pathlib import Path

CALLS = Path(__file__).with_name("syscalls.toml")
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Machine -> its column in the table, and what Linux calls its system calls."""
NEWEST = 462
"""The highest number of a call that is known; newer ones are answered as if Linux did not have them."""
X32 = 0x40000000
"""Set in the numbers of x86-64's second set of calls."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_OF, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000
_SET, _ALL_THREADS, _SECCOMP = 1, 1, {"x86_64": 317, "aarch64": 277}

THREAD = 0x10000
"""The flag by which `clone` makes a thread and not a process."""
SHARED_ANONYMOUS = 0x21
"""The flags by which `mmap` makes memory that is not counted as the process's own."""
STREAM = 1
OUTLIVING = (1, 4)
"""What `prctl` would change so that this process outlives its parent, or cannot be watched from outside."""
CONTROLS = (0x5412, 0x541C, 0x8901, 0x8902)
"""What `ioctl` would be asked to type into somebody's terminal, or to have others signalled."""
OWNERS = (8, 10, 15, 1024)
"""What `fcntl` would be asked to have others signalled, or to have them wait who open a file."""

Instruction = tuple[int, int, int, int]


def refuse_calls() -> None:
    """Refuse what the table lists from now on.

    Raises:
        OSError: If this system cannot do that.
    """
    machine = platform.machine()
    if machine not in MACHINES:
        raise OSError(errno.ENOSYS, f"no table of system calls for {machine}")
    packed = b"".join(struct.pack("=HBBI", *each) for each in program(machine, os.getpid()))
    code = ctypes.create_string_buffer(packed)
    head = struct.pack("HxxxxxxQ", len(packed) // 8, ctypes.addressof(code))
    library = ctypes.CDLL(None, use_errno=True)
    if library.syscall(_SECCOMP[machine], _SET, _ALL_THREADS, ctypes.create_string_buffer(head)):
        raise OSError(ctypes.get_errno(), "seccomp")


def program(machine: str, own: int) -> list[Instruction]:
    """The filter for a machine, of a process of this id."""
    column, architecture = MACHINES[machine]
    table = tomllib.loads(CALLS.read_text(encoding="utf-8"))
    refused = sorted(numbers[column] for family in table["refused"].values() for numbers in family.values())
    judged = {name: numbers[column] for name, numbers in table["judged"].items()}
    return [
        (_LOAD, 0, 0, _MACHINE),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, NEWEST + 1),
        (_RETURN, 0, 0, _FAIL | errno.ENOSYS),
        *(each for number in refused if number >= 0 for each in _if(number, [_fail()])),
        *_judging(judged, own),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _judging(numbers: dict[str, int], own: int) -> Iterator[Instruction]:
    """Calls that are refused by their arguments."""
    yield from _if(numbers["clone3"], [_fail(errno.ENOSYS)])
    yield from _if(numbers["clone"], [_argument(0), (_ANY_OF, 1, 0, THREAD), _fail(), _allow()])
    for name in ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
        yield from _if(numbers[name], [_argument(0), (_EQUAL, 1, 0, own), _fail(), _allow()])
    for name in ("prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"):
        itself = [(_EQUAL, 2, 0, 0), (_EQUAL, 1, 0, own)]
        yield from _if(numbers[name], [_argument(0), *itself, _fail(), _allow()])
    yield from _if(
        numbers["mmap"],
        [_argument(3), (_AND, 0, 0, SHARED_ANONYMOUS), (_EQUAL, 0, 1, SHARED_ANONYMOUS), _fail(), _allow()],
    )
    yield from _if(
        numbers["socketpair"], [_argument(1), (_AND, 0, 0, 0xF), (_EQUAL, 1, 0, STREAM), _fail(), _allow()]
    )
    low, high = _argument(4), (_LOAD, 0, 0, _ARGUMENTS + 8 * 4 + 4)
    yield from _if(numbers["sendto"], [low, (_EQUAL, 0, 2, 0), high, (_EQUAL, 1, 0, 0), _fail(), _allow()])
    for name, place, commands in (("ioctl", 1, CONTROLS), ("fcntl", 1, OWNERS), ("prctl", 0, OUTLIVING)):
        refused = [step for command in commands for step in ((_EQUAL, 0, 1, command), _fail())]
        yield from _if(numbers[name], [_argument(place), *refused, _allow()])


def _if(number: int, then: list[Instruction]) -> list[Instruction]:
    """What is done if the call has this number; nothing there may lead out of it but a return."""
    return [(_EQUAL, 0, len(then), number), *then] if number >= 0 else []


def _argument(place: int) -> Instruction:
    return (_LOAD, 0, 0, _ARGUMENTS + 8 * place)


def _fail(code: int = errno.EPERM) -> Instruction:
    return (_RETURN, 0, 0, _FAIL | code)


def _allow() -> Instruction:
    return (_RETURN, 0, 0, _ALLOW)
