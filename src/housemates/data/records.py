"""Recorded episodes on disk: a file each in a folder, one a line of a packed file, or those of a store."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Generic, NamedTuple, Protocol, TypeVar

from housemates.data.claims import claimed
from housemates.data.journal import Journal
from housemates.data.store import INDEX, Store
from housemates.errors import HousematesError, NothingDone
from housemates.files import read_text, read_text_lines, write_bytes, write_text_lines
from housemates.parallel import Loss, Workers, map_ordered


class Recorded(Protocol):
    """An episode that can be written down."""

    def to_json(self) -> bytes:
        """As a line of a packed file."""
        ...


Episode = TypeVar("Episode", bound=Recorded)
Item = TypeVar("Item")
Done = TypeVar("Done")


class Skipped(NamedTuple):
    """An episode that could not be used, and why."""

    name: str
    reason: str


def nothing_done(where: object, skipped: Sequence[Skipped], only: Sequence[str] | None = None) -> NothingDone:
    """What to raise where nothing could be used: there was nothing, or all of it was skipped.

    Args:
        where: The place, or a list of places, in which something was looked for.
        skipped: What was there but could not be used.
        only: The ids that were asked for, if not all were.
    """
    if where == []:
        return NothingDone("Nothing to do: name files or folders.")
    where = ", ".join(map(str, where)) if isinstance(where, list) else where
    if not skipped:
        missing = f"there is no episode {' or '.join(only)}" if only else "there are no episodes"
        return NothingDone(f"{where}: nothing to do: {missing}.")
    more = f" and {len(skipped) - 1} others" if len(skipped) > 1 else ""
    return NothingDone(f"{where}: nothing was done: skipped {skipped[0].name} ({skipped[0].reason}){more}.")


@dataclass(frozen=True)
class Text(ABC, Generic[Episode]):
    """An episode as it stands in its file, not read yet."""

    source: str
    """The file, and the line of a packed one."""
    text: str

    @property
    @abstractmethod
    def id(self) -> str:
        """The id it gives itself, else one made of its source; nothing else is read."""

    @abstractmethod
    def parse(self) -> Episode:
        """Read it; raises HousematesError that says what is wrong."""

    @abstractmethod
    def packed(self) -> str:
        """The episode on one line that carries its id: unchanged if it is one already."""


@dataclass(frozen=True)
class Records(Generic[Episode]):
    """How a benchmark's episodes are kept in files."""

    benchmark: str
    noun: tuple[str, str]
    """What the benchmark calls one of them, and several."""
    pattern: str
    """How the files of episodes are named in a folder."""
    text: Callable[[str, str], Text[Episode]]
    """Makes an episode's text of its source and what it says."""
    place: Callable[[Episode], str]
    """Where an episode's own file lies in a folder."""
    official: Callable[[Episode], bytes] | None = None
    """What an episode's own file says; the same as its line in a packed file if None."""

    def texts(self, paths: Sequence[str | Path], skipped: list[Skipped]) -> Iterator[Text[Episode]]:
        """Yield the episodes of folders, files, packed files and stores as they stand there, one at a time.

        Args:
            paths: Where to look, in this order.
            skipped: Files that cannot be read are added here; the rest go on.
        """
        for path in (Path(each) for each in paths):
            try:
                yield from self._texts(path, skipped)
            except HousematesError as error:
                if not path.exists():
                    raise
                skipped.append(Skipped(str(path), str(error)))

    def read(
        self, paths: Sequence[str | Path], skipped: list[Skipped], only: Container[str] | None = None
    ) -> Iterator[Episode]:
        """Yield the episodes themselves, one at a time; those that cannot be read are skipped."""
        return self.use(lambda episode: episode, paths, skipped, only)

    def use(
        self,
        work: Callable[[Episode], Done],
        paths: Sequence[str | Path],
        skipped: list[Skipped],
        only: Container[str] | None = None,
    ) -> Iterator[Done]:
        """Yield what comes of each episode, one at a time.

        Args:
            work: What to do with an episode.
            paths: Where to look, in this order.
            skipped: Those that cannot be read or used are added here by name; the rest go on.
            only: Ids that are wanted; the others are passed over unread.
        """
        for text in self.texts(paths, skipped):
            if only is not None and text.id not in only:
                continue
            try:
                done = work(text.parse())
            except HousematesError as error:
                skipped.append(Skipped(text.id, str(error)))
            else:
                yield done

    def write(self, path: str | Path, episodes: Iterable[Episode]) -> int:
        """Write official files to a folder, or one packed `.jsonl[.zst]` file; return how many there were."""
        return write_each(path, episodes, self.place, _packed, self.official)

    def count(self, path: Path) -> int | None:
        """How many there are in a folder; None if that would have to be read."""
        return sum(1 for _ in path.rglob(self.pattern)) if path.is_dir() else None

    def _texts(self, path: Path, skipped: list[Skipped]) -> Iterator[Text[Episode]]:
        if (path / INDEX).is_file():
            yield from self.texts(Store(path).files(self.benchmark), skipped)
        elif path.is_dir():
            for file in sorted(path.rglob(self.pattern)):
                yield from self._whole(file, skipped)
        elif ".jsonl" in path.name:
            for number, line in read_text_lines(path):
                yield self.text(f"{path}: line {number}", line)
        elif path.exists():
            yield from self._whole(path, skipped)
        else:
            raise HousematesError(f"{path}: no such file or folder.")

    def _whole(self, path: Path, skipped: list[Skipped]) -> Iterator[Text[Episode]]:
        try:
            yield self.text(str(path), read_text(path))
        except HousematesError as error:
            skipped.append(Skipped(self.text(str(path), "").id, str(error)))


def _packed(episode: Recorded) -> bytes:
    return episode.to_json()


def write_each(
    path: str | Path,
    items: Iterable[Item],
    place: Callable[[Item], str],
    packed: Callable[[Item], bytes],
    official: Callable[[Item], bytes] | None = None,
) -> int:
    """Write things to a folder, a file each, or to one packed `.jsonl[.zst]` file, one a line; nothing if
    there are none.

    Args:
        path: The folder, or the packed file.
        items: What is written, one at a time.
        place: Where a thing's own file lies in the folder.
        packed: What a thing's line says.
        official: What its own file says; the same if None.

    Returns:
        How many there were.
    """
    path, items = Path(path), iter(items)
    first = next(items, None)
    if first is None:
        return 0
    items = chain([first], items)
    if ".jsonl" in path.name:
        with claimed(files=[path]):
            return write_text_lines(path, (packed(each).decode() for each in items))
    count = 0
    with claimed(folders=[path]):
        for each in items:
            write_bytes(path / place(each), (official or packed)(each))
            count += 1
    return count


def choose(
    texts: Iterable[Text[Episode]], only: Iterable[str] | None, limit: int | None
) -> Iterator[Text[Episode]]:
    """Those of the given ids, or all, but no more than a limit."""
    if limit is not None and limit < 0:
        raise HousematesError(f"--limit {limit}: expected 0 or more.")
    wanted = None if only is None else set(only)
    return islice((each for each in texts if wanted is None or each.id in wanted), limit)


def work_on(
    work: Callable[[Text[Episode]], Done | Skipped],
    texts: Iterable[Text[Episode]],
    skipped: list[Skipped],
    journal: Journal[tuple[str, Done]],
    workers: Workers,
    label: str | None,
) -> list[Done]:
    """What comes of each episode, done by several processes, in their order.

    Args:
        work: What to do with an episode's text; it may skip it.
        texts: All episodes.
        skipped: What is skipped is added here.
        journal: What it holds is not done again, and what is done is kept there.
        workers: Who works, or the number of processes; None uses all processors.
        label: Title of the progress bar; no bar if None.
    """
    finished = dict(journal.finished())
    order: list[str] = []

    def to_do() -> Iterator[Text[Episode]]:
        for text in texts:
            order.append(text.id)
            if text.id not in finished:
                yield text

    def lost(text: Text[Episode], loss: Loss) -> tuple[str, Done | Skipped]:
        return text.id, Skipped(text.id, f"its process {loss.reason}")

    def done() -> Iterator[tuple[str, Done]]:
        for name, result in map_ordered(partial(_named, work), to_do(), workers, label, lost):
            if isinstance(result, Skipped):
                skipped.append(result)
            else:
                yield name, result

    finished.update(journal.keep(done()))
    return [finished[name] for name in order if name in finished]


def _named(
    work: Callable[[Text[Episode]], Done | Skipped], text: Text[Episode]
) -> tuple[str, Done | Skipped]:
    return text.id, work(text)
