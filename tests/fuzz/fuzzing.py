"""Making cases of the table and running them."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any, NamedTuple

import zstandard
from cases import KINDS
from forms import form_of
from making import words
from mutating import Edit, edits_of, leads_somewhere, mutate
from running import Ran, changes, run, state_of

from housemates.files import read_text

CORPUS = Path(__file__).with_name("corpus")
DISAGREEING = "verify handmethat"
"""What exits with 1 for its example, which has nothing of the original's to agree with."""


class Case(NamedTuple):
    """A mutated file."""

    kind: str
    file: str
    edits: list[Edit]

    def to_json(self) -> str:
        """As the corpus keeps it."""
        return json.dumps(self._asdict(), ensure_ascii=True, indent=1) + "\n"


class Fault(NamedTuple):
    """A command that does what it must not do with a mutated file."""

    case: Case
    command: str
    what: str


class Fuzzer:
    """Makes examples, each once, and runs mutated ones through the commands that read them."""

    def __init__(self, folder: Path) -> None:
        """Work in a folder."""
        self.folder = folder
        self._examples: dict[str, Path] = {}
        self._values: dict[Path, Any] = {}
        self._count = 0

    def example(self, kind: str) -> Path:
        """The folder of a kind's example."""
        if kind not in self._examples:
            folder = self.folder / "examples" / kind.replace(" ", "-")
            folder.mkdir(parents=True)
            KINDS[kind].make(folder)
            self._examples[kind] = folder
        return self._examples[kind]

    def files(self, kind: str) -> list[str]:
        """The files of an example that come from outside."""
        folder = self.example(kind)
        found = {path for pattern in KINDS[kind].files for path in folder.glob(pattern)}
        return sorted(path.relative_to(folder).as_posix() for path in found)

    def value(self, kind: str, file: str) -> Any:
        """What a file of an example says; of JSON lines a list."""
        path = self.example(kind) / file
        if path not in self._values:
            self._values[path] = form_of(file).read(read_text(path))
        return self._values[path]

    def unmutated(self, kind: str) -> Case:
        """The example of a kind as it is, which every command has to read."""
        return Case(kind, self.files(kind)[0], [])

    def case(self, kind: str, seed: int) -> Case:
        """A case of a kind that depends on nothing but the seed."""
        return self.drawn(kind, random.Random(f"{kind} {seed}"))

    def drawn(self, kind: str, rng: random.Random) -> Case:
        """A case of a kind."""
        file = rng.choice(self.files(kind))
        return Case(kind, file, edits_of(self.value(kind, file), rng))

    def is_possible(self, case: Case) -> bool:
        """Whether every edit of a case has a place in the example."""
        value = self.value(case.kind, case.file)
        return all(leads_somewhere(value, edit) for edit in case.edits)

    def runs(self, case: Case, drawing: bool = False) -> Iterator[tuple[str, Ran, Fault | None]]:
        """Run a case through every command of its kind, each with files of its own; if told, drawing too."""
        kind = KINDS[case.kind]
        data = mutate(self.value(case.kind, case.file), case.edits, form_of(case.file).write)
        for command in kind.commands if drawing else kind.reading():
            self._count += 1
            here = self.folder / f"case-{self._count}"
            shutil.copytree(self.example(case.kind), here)
            (here / case.file).write_bytes(packed(data) if case.file.endswith(".zst") else data)
            before = state_of(here)
            with chdir(here):
                ran = run(words(command), kind.limit_s)
            what = ran.fault or changes(before, here, ran.code == 2, kind.outputs)
            if not what and not case.edits and ran.code and not command.startswith(DISAGREEING):
                what = f"it does not read the example: {ran.err}"
            yield command, ran, Fault(case, command, what) if what else None
            shutil.rmtree(here, ignore_errors=True)


def packed(data: bytes) -> bytes:
    """As `.zst` files hold it."""
    return zstandard.ZstdCompressor().compress(data)


def corpus() -> dict[str, Case]:
    """The cases that once failed, by the names of their files."""
    return {
        path.stem: Case(**json.loads(path.read_text(encoding="utf-8")))
        for path in sorted(CORPUS.glob("*.json"))
    }
