"""Recorded episodes on disk: a file each, at any depth of a folder, or one a line of a packed file."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol, TypeVar

from housemates.data.journal import Journal
from housemates.errors import HousematesError
from housemates.files import read_text, read_text_lines
from housemates.parallel import map_ordered

Episode = TypeVar("Episode", covariant=True)


class Text(Protocol[Episode]):
    """An episode as it stands in its file, not read yet."""

    @property
    def id(self) -> str:
        """The id it gives itself, else one made of its source."""
        ...

    def parse(self) -> Episode:
        """Read it; raises HousematesError that says what is wrong."""
        ...


AnyText = TypeVar("AnyText", bound=Text[object])
Done = TypeVar("Done")


class Skipped(NamedTuple):
    """An episode that could not be used, and why."""

    name: str
    reason: str


def read_texts(
    paths: Sequence[str | Path], skipped: list[Skipped], files: str, text: Callable[[str, str], AnyText]
) -> Iterator[AnyText]:
    """Yield the episodes of folders, files and packed files as they stand there, one at a time.

    Args:
        paths: Where to look, in this order.
        skipped: Files that cannot be read are added here; the rest go on.
        files: How the files of episodes are named in a folder, as a pattern.
        text: Makes an episode's text of its source (a file, and the line of a packed one) and what it says.
    """
    for path in (Path(each) for each in paths):
        try:
            if path.is_dir():
                for file in sorted(path.rglob(files)):
                    yield from _whole(file, skipped, text)
            elif ".jsonl" in path.name:
                for number, line in read_text_lines(path):
                    yield text(f"{path}: line {number}", line)
            elif path.exists():
                yield from _whole(path, skipped, text)
            else:
                raise HousematesError(f"{path}: no such file or folder.")
        except HousematesError as error:
            if not path.exists():
                raise
            skipped.append(Skipped(str(path), str(error)))


def _whole(path: Path, skipped: list[Skipped], text: Callable[[str, str], AnyText]) -> Iterator[AnyText]:
    try:
        yield text(str(path), read_text(path))
    except HousematesError as error:
        skipped.append(Skipped(text(str(path), "").id, str(error)))


def parse_all(
    texts: Iterable[Text[Episode]], skipped: list[Skipped], only: Container[str] | None = None
) -> Iterator[Episode]:
    """Yield the episodes themselves, one at a time.

    Args:
        texts: What is read.
        skipped: Those that cannot be read are added here; the rest go on.
        only: Ids that are wanted; the others are passed over unread.
    """
    for text in texts:
        if only is not None and text.id not in only:
            continue
        try:
            yield text.parse()
        except HousematesError as error:
            skipped.append(Skipped(text.id, str(error)))


def choose(texts: Iterable[AnyText], only: Iterable[str] | None, limit: int | None) -> Iterator[AnyText]:
    """Those of the given ids, or all, but no more than a limit."""
    wanted = None if only is None else set(only)
    return islice((each for each in texts if wanted is None or each.id in wanted), limit)


def work_on(
    work: Callable[[AnyText], Done | Skipped],
    texts: Iterable[AnyText],
    skipped: list[Skipped],
    journal: Journal[tuple[str, Done]],
    workers: int | None,
    label: str | None,
) -> list[Done]:
    """What comes of each episode, done by several processes, in their order.

    Args:
        work: What to do with an episode's text; it may skip it.
        texts: All episodes.
        skipped: What is skipped is added here.
        journal: What it holds is not done again, and what is done is kept there.
        workers: Number of processes; None uses all processors.
        label: Title of the progress bar; no bar if None.
    """
    finished = dict(journal.finished())
    order: list[str] = []

    def to_do() -> Iterator[AnyText]:
        for text in texts:
            order.append(text.id)
            if text.id not in finished:
                yield text

    def done() -> Iterator[tuple[str, Done]]:
        for name, result in map_ordered(partial(_named, work), to_do(), workers, label):
            if isinstance(result, Skipped):
                skipped.append(result)
            else:
                yield name, result

    finished.update(journal.keep(done()))
    return [finished[name] for name in order if name in finished]


def _named(work: Callable[[AnyText], Done | Skipped], text: AnyText) -> tuple[str, Done | Skipped]:
    return text.id, work(text)
