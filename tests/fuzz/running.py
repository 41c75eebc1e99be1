"""Running a command in this process and judging what came of it."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import re
import resource
import signal
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from housemates.cli.main import main
from housemates.jit import NOTICE

LIMIT_S = 20.0
"""More seconds of a processor's time no command may take for a file,"""
BUSY = 6
"""nor so many times as long, however busy the machine is."""
MEMORY = 6 << 30
"""Bytes of addresses that a command may take beyond those that this process has."""
STATM = Path("/proc/self/statm")
FOUND = re.compile(r'found "[^"]*"')
"""What a file holds, as a refusal repeats it."""
PYTHON = re.compile(
    r"Traceback|\b\w+Error\b|\b\w+Exception\b|NoneType|\bNone\b|\bTrue\b|\bFalse\b|has no attribute|"
    r"not subscriptable|unhashable|not iterable|object is not|<class|<[\w.]+ object|<function|Errno|"
    r"\bdict\b|\btuple\b|dtype|\bcodec\b|takes \d+ positional|unexpected keyword|invalid literal|"
    r"unpack \(|JSON is malformed|embedded null|\bstr\b|\bint\b|\bbool\b|\$\.|\[\.\.\.\]"
)
"""What shows that a refusal was written by Python or a library and not by us."""
LONGEST_SENTENCE = 2000


class Ran(NamedTuple):
    """What came of a command."""

    code: int
    out: str
    err: str
    seconds: float
    fault: str
    """What it must not do but did; empty if all is well."""


class TooSlow(BaseException):
    """A command took too long."""


def run(argv: Sequence[str], limit_s: float = LIMIT_S) -> Ran:
    """Run a command: it must end in time, with code 0, 1 or 2, and with a refusal that is one sentence."""
    out, err = io.StringIO(), io.StringIO()
    code, fault = 0, ""
    start = time.perf_counter()
    try:
        with _limited(limit_s), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main(list(argv))
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else -1
    except TooSlow:
        fault = f"it takes longer than {limit_s} s:\n{traceback.format_exc(limit=-6)}"
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        fault = f"it raises {type(error).__name__}:\n{traceback.format_exc(limit=-6)}"
    seconds = time.perf_counter() - start
    return Ran(code, out.getvalue(), err.getvalue(), seconds, fault or _fault(code, out, err))


def _fault(code: int, out: io.StringIO, err: io.StringIO) -> str:
    if code not in (0, 1, 2):
        return f"it exits with {code}"
    said = err.getvalue().replace(NOTICE, "").strip("\n")
    if code == 2 and not said:
        return "it refuses without a word"
    if code == 2 and ("\n" in said or len(said) > LONGEST_SENTENCE):
        return f"its refusal is not one sentence: {said[:400]}"
    for text in (said, *(line for line in out.getvalue().splitlines() if line.startswith("skipped"))):
        if found := PYTHON.search(FOUND.sub("", text)):
            return f"it speaks Python ({found[0]!r}): {text[:600]}"
    return ""


@contextlib.contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """No more than so many seconds of work, and no more than `MEMORY` on top."""

    def stop(_: int, __: FrameType | None) -> None:
        raise TooSlow

    timers = {signal.SIGPROF: signal.ITIMER_PROF, signal.SIGALRM: signal.ITIMER_REAL}
    handlers = {number: signal.signal(number, stop) for number in timers}
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    taken = int(STATM.read_text().split()[0]) * resource.getpagesize() if STATM.exists() else 0
    most = taken + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most if hard == -1 else min(most, hard), hard))
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, BUSY * seconds)
    try:
        yield
    finally:
        for number, timer in timers.items():
            signal.setitimer(timer, 0)
            signal.signal(number, handlers[number])
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def state_of(folder: Path) -> dict[str, str]:
    """The fingerprints of all files in a folder."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def changes(before: dict[str, str], folder: Path, refused: bool, outputs: Sequence[str]) -> str:
    """What a command did to files that it must not do; empty if all is well.

    Args:
        before: The folder's files before it.
        folder: Where it worked.
        refused: Whether it refused to work; then everything that was there has to be as it was.
        outputs: The files and folders that it may write to.
    """
    after = state_of(folder)
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) == after.get(name):
            continue
        if name in before and (refused or not name.startswith(tuple(outputs))):
            return f"{name} is not as it was"
        path = folder / name
        if path.exists() and path.name.startswith(".") and path.name != ".lock":
            return f"{name} is left over"
        if path.exists() and not _is_whole(path):
            return f"{name} is not whole"
    return ""


def _is_whole(path: Path) -> bool:
    try:
        if path.suffix == ".json":
            json.loads(path.read_text(encoding="utf-8"))
        elif path.suffix == ".jsonl":
            for line in path.read_text(encoding="utf-8").splitlines(keepends=True):
                json.loads(line if line.endswith("\n") else "")
    except ValueError:
        return False
    return True
