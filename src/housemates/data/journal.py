"""The results of a long run, a line each as they come, so that it can go on where it was stopped."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

import msgspec

from housemates.errors import HousematesError
from housemates.files import whole_file
from housemates.typed_json import decode, parse_json

Value = TypeVar("Value")


class Lines(Generic[Value]):
    """A file of JSON lines that grows at its end; a last line that was cut off counts for nothing."""

    def __init__(self, path: Path, kind: Any) -> None:
        """Nothing is opened yet.

        Args:
            path: The file; it need not be there.
            kind: The type of the values.
        """
        self.path = path
        self._kind = kind
        self._stream: IO[bytes] | None = None

    def __iter__(self) -> Iterator[Value]:
        """The values of all whole lines, read one at a time."""
        for number, line in enumerate(self.raw(), start=1):
            yield self.read(line, number)

    def raw(self) -> Iterator[bytes]:
        """All whole lines as they stand there."""
        if not self.path.exists():
            return
        with refusing(self.path, "read"), self.path.open("rb") as stream:
            for line in stream:
                if line.endswith(b"\n"):
                    yield line

    def read(self, line: bytes, number: int) -> Value:
        """The value of a line; one that is none is refused, naming its number."""
        found: Value = decode(line, self._kind, f"{self.path}: line {number}")
        return found

    def arrange(self, wanted: Sequence[int]) -> None:
        """Keep only these lines, counted from 0, in this order; what is left of a torn one goes too."""
        if not self.path.exists():
            return
        self.close()
        ends = [0]
        for line in self.raw():
            ends.append(ends[-1] + len(line))
        if list(wanted) == list(range(len(wanted))):
            with refusing(self.path, "written"):
                os.truncate(self.path, ends[len(wanted)])
            return
        with whole_file(self.path) as temporary, temporary.open("wb") as sink, self.path.open("rb") as source:
            for number in wanted:
                source.seek(ends[number])
                sink.write(source.read(ends[number + 1] - ends[number]))

    def append(self, value: Value) -> None:
        """Write a line and see that it leaves this process."""
        with refusing(self.path, "written"):
            if self._stream is None:
                if self.path.is_symlink() and not self.path.exists():
                    raise HousematesError(f"{self.path}: is a link that leads nowhere; remove it.")
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._stream = self.path.open("ab")
            try:
                self._stream.write(msgspec.json.encode(value) + b"\n")
                self._stream.flush()
            except OSError:
                stream, self._stream = self._stream, None
                with contextlib.suppress(OSError):
                    stream.close()
                raise

    def close(self) -> None:
        """Close the file; the next `append` opens it again."""
        if self._stream is not None:
            with refusing(self.path, "written"):
                stream, self._stream = self._stream, None
                stream.close()


class Journal(Generic[Value]):
    """A file of JSON lines: first what decides the results, then the results in the order they came.

    Only one process at a time may write to it: see `claimed`.
    """

    def __init__(self, path: Path | None, run: Any, kind: type[Value]) -> None:
        """Take up a run.

        Args:
            path: The file; without one nothing is kept.
            run: All that decides the results, as a dataclass or a mapping.
            kind: The type of the results.
        """
        self.path = path
        self.run = json.loads(json.dumps(msgspec.to_builtins(run, enc_hook=str)))
        self._results = None if path is None else Lines[Value](path, kind)

    def finished(self) -> list[Value]:
        """The results that the file holds; a last line that was cut off is taken away.

        The results of another run are refused.
        """
        if self._results is None or not self._results.path.exists():
            return []
        path = self._results.path
        lines = list(self._results.raw())
        if not lines and (_header(self.run) + b"\n").startswith(path.read_bytes()):
            self._results.arrange([])
            return []
        _check(path, lines[0] if lines else path.read_bytes(), self.run)
        results = [self._results.read(line, number) for number, line in enumerate(lines[1:], start=2)]
        self._results.arrange(range(len(lines)))
        return results

    def keep(self, results: Iterable[Value]) -> Iterator[Value]:
        """Pass results on, each written down as it comes."""
        if self._results is None:
            yield from results
            return
        path = self._results.path
        try:
            with refusing(path, "written"):
                is_new = not path.exists() or path.stat().st_size == 0
            if is_new:
                self._results.append({"run": self.run})  # type: ignore[arg-type]
            for result in results:
                self._results.append(result)
                yield result
        finally:
            self._results.close()


@contextlib.contextmanager
def refusing(path: Path, what: str) -> Iterator[None]:
    """A failure of the system to read or write becomes one sentence."""
    try:
        yield
    except OSError as error:
        raise HousematesError(f"{path}: cannot be {what} ({error.strerror or error}).") from None


def difference(before: Any, now: Any) -> str:
    """The first thing in which two records of plain values differ, in words."""
    return next(differences(before, now), "")


def differences(before: Any, now: Any) -> Iterator[str]:
    """All things in which two records of plain values differ, in words, each with its place."""
    if before == now:
        return
    if not (isinstance(before, dict) and isinstance(now, dict)):
        yield f"was {_shown(before)}, is now {_shown(now)}"
        return
    for key in dict.fromkeys([*before, *now]):
        for rest in differences(before.get(key), now.get(key)):
            yield f"{key} {rest}" if rest.startswith("was ") else f"{key}: {rest}"


def _shown(value: Any) -> str:
    text = "not given" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _header(run: Any) -> bytes:
    return msgspec.json.encode({"run": run})


def _check(path: Path, line: bytes, run: Any) -> None:
    found = parse_json(line, str(path))
    if not isinstance(found, dict) or "run" not in found:
        raise HousematesError(f"{path}: holds no results; name another file.")
    if found["run"] != run:
        raise HousematesError(
            f"{path}: holds the results of another run ({difference(found['run'], run)}); "
            "name another file or remove it."
        )
