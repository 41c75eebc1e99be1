"""The results of a long run, a line each as they come, so that it can go on where it was stopped."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

from housemates.errors import HousematesError
from housemates.files import parse_json, read_text, write_text

Result = TypeVar("Result")


class Journal(Generic[Result]):
    """A file of JSON lines: first what decides the results, then the results in the order they came."""

    def __init__(self, path: Path | None, run: Any, kind: type[Result]) -> None:
        """Take up a run.

        Args:
            path: The file; without one nothing is kept.
            run: All that decides the results, as a dataclass or a mapping.
            kind: The type of the results.
        """
        self.path = path
        self.run = json.loads(json.dumps(msgspec.to_builtins(run, enc_hook=str)))
        self.kind = kind

    def finished(self) -> list[Result]:
        """The results that the file holds; a last line that was cut off is taken away.

        The results of another run are refused.
        """
        if self.path is None or not self.path.exists() or self.path.stat().st_size == 0:
            return []
        whole, _, rest = read_text(self.path).rpartition("\n")
        first, *lines = whole.split("\n")
        header = parse_json(first, str(self.path))
        if not isinstance(header, dict) or header.get("run") != self.run:
            raise HousematesError(
                f"{self.path}: holds the results of another run; name another file or remove it."
            )
        results = [self._read(line, number) for number, line in enumerate(lines, start=2)]
        if rest:
            write_text(self.path, whole + "\n")
        return results

    def keep(self, results: Iterable[Result]) -> Iterator[Result]:
        """Pass results on, each written down as it comes."""
        if self.path is None:
            yield from results
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as stream:
            if stream.tell() == 0:
                stream.write(json.dumps({"run": self.run}) + "\n")
            for result in results:
                stream.write(json.dumps(msgspec.to_builtins(result)) + "\n")
                stream.flush()
                yield result

    def _read(self, line: str, number: int) -> Result:
        source = f"{self.path}: line {number}"
        try:
            return msgspec.convert(parse_json(line, source), self.kind)
        except msgspec.ValidationError as error:
            raise HousematesError(f"{source}: expected a result ({error}).") from None
