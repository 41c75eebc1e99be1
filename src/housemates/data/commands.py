"""Commands on recorded episodes: importing, exporting and replaying them, and counting what is in them.

A benchmark derives its own from these and adds what only it has.
"""

from __future__ import annotations

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar, Protocol

import tyro

from housemates.data.claims import claimed
from housemates.data.intake import Intake
from housemates.data.journal import Journal
from housemates.data.records import Records, Skipped, Text, choose, nothing_done, work_on
from housemates.data.replays import Done, Replayed, Run, for_people, summed
from housemates.data.store import Store, default_folder, needed_store, opened
from housemates.errors import HousematesError
from housemates.files import file_name, write_json
from housemates.parallel import Crew, track
from housemates.reporting.facts import show_facts, show_skipped
from housemates.reporting.film import Film
from housemates.reporting.pages import Page

Ids = Annotated[list[str] | None, tyro.conf.arg(metavar="ID")]
INDEX_PAGE = "index.html"


@dataclass
class ImportCommand:
    """Read official episodes into a local store of floor plans and episodes."""

    paths: tyro.conf.Positional[list[Path]]
    """Folders of official files, single ones, or packed .jsonl.zst files."""
    layouts: Path | None = None
    """ALFRED's file of layouts; one that lies beside the data is read without being named."""
    store: Path | None = None
    """Folder of the store; the user's data folder by default."""
    crew: Crew = field(default_factory=Crew)
    """Workers."""
    json: bool = False
    """Print one JSON object instead of lines."""

    intake: ClassVar[Intake[Any]]

    def run(self) -> None:
        """Import each path, or what is missing of it, and say what the store holds."""
        folder = self.store or default_folder()
        with claimed(folders=[folder]):
            store = Store(folder)
            report, skipped = self.intake.take_all(
                store, self.paths, self.layouts, progress=not self.json, workers=self.crew
            )
            report |= self.more(store)
        if not report[self.intake.records.noun[1]]:
            raise nothing_done(self.paths, skipped)
        show_facts({**report, "skipped": len(skipped)}, self.json, skipped)

    def more(self, store: Store) -> dict[str, Any]:
        """What else the benchmark says of the store."""
        return {}


@dataclass
class ExportCommand:
    """Write the episodes of a store in the official format."""

    out: Path
    """A folder for the official files, or a .jsonl or .jsonl.zst file for all of them."""
    store: Path | None = None
    """Folder of the store; the user's data folder by default."""
    only: Ids = None
    """Only the episodes with these ids."""
    json: bool = False
    """Print one JSON object instead of lines."""

    records: ClassVar[Records[Any]]

    def run(self) -> None:
        """Write every episode, or those that are asked for."""
        records, store = self.records, needed_store(self.store)
        missing = sorted(set(self.only or ()) - store.episodes(records.benchmark))
        if missing:
            raise HousematesError(
                f"{store.folder}: there is no {records.noun[0]} {missing[0]!r} in this store."
            )
        skipped: list[Skipped] = []
        episodes = records.read(store.files(records.benchmark), skipped, self.only)
        count = records.write(self.out, episodes)
        if not count:
            raise nothing_done(store.folder, skipped)
        report = {records.noun[1]: count, "out": str(self.out), "skipped": len(skipped)}
        show_facts(report, self.json, skipped)


@dataclass
class ReplayCommand(ABC):
    """Replay recorded episodes and count how often ours agrees with the recording."""

    paths: tyro.conf.Positional[list[Path]]
    """Folders of official files, single ones, packed .jsonl.zst files, or stores."""
    store: Path | None = None
    """Folder of the store that knows the floor plans; the user's data folder by default."""
    only: Ids = None
    """Only the episodes with these ids."""
    limit: int | None = None
    """Maximum number of episodes."""
    video: Path | None = None
    """Write a video of each episode to this folder."""
    report: Path | None = None
    """Write a page (index.html) and all counts (report.json) to this folder."""
    by: str = "object"
    """How things are pointed at."""
    out: Path | None = None
    """Results file (JSON lines); an interrupted replay goes on from it."""
    crew: Crew = field(default_factory=Crew)
    """Workers."""
    json: bool = False
    """Print one JSON object instead of lines."""

    records: ClassVar[Records[Any]]
    film: ClassVar[Any]
    """The class of films, each made for an episode: a `Film`."""
    kept: ClassVar[Any]
    """The type of what is kept of each episode: `Done[...]`."""

    def run(self) -> None:
        """Replay everything and print the counts."""
        skipped: list[Skipped] = []
        journal: Journal[tuple[str, Done[Any]]] = Journal(
            self.out,
            self._deciding(),
            tuple[str, self.kept],  # type: ignore[name-defined]
        )
        with claimed(folders=[self.video, self.report], files=[self.out]):
            done = work_on(
                self.replay_text, self.texts(skipped), skipped, journal, self.crew, self.label("replay")
            )
            if not done:
                raise nothing_done(self.paths, skipped, self.only)
            replays = [each.replay for each in done]
            facts = {**self.summary(replays), "skipped": len(skipped), **summed(done)}
            if self.report is not None:
                facts["report"] = str(self._write_report(self.report, Run(replays, facts, skipped)))
        show_facts(facts if self.json else for_people(facts, replays), self.json, skipped)

    @abstractmethod
    def replay(self, episode: Any, film: Any) -> Replayed[Any]:
        """Replay one episode; shoot it if there is a film and not None."""

    @abstractmethod
    def summary(self, replays: Sequence[Replayed[Any]]) -> dict[str, Any]:
        """The counts of the whole run."""

    @abstractmethod
    def tell(self, page: Page, folder: Path, run: Run) -> dict[str, Any]:
        """Add to the page where ours agrees and where not, with files in its folder if it needs any.

        Returns:
            The same for `report.json`.
        """

    def replay_text(self, text: Text[Any]) -> Done[Any] | Skipped:
        """Read and replay one episode; one that is broken is skipped with the reason."""
        start = time.process_time()
        try:
            episode = text.parse()
            film: Film | None = None if self.video is None else self.film(episode)
            replay = self.replay(episode, film)
        except HousematesError as error:
            return Skipped(text.id, str(error))
        if film is not None and film.shots and self.video is not None:
            film.save(self.video / f"{file_name(replay.id)}.mp4")
        return Done(replay, time.process_time() - start)

    def texts(self, skipped: list[Skipped]) -> Iterator[Text[Any]]:
        """The episodes that are asked for, not read yet."""
        return choose(self.records.texts(self.paths, skipped), self.only, self.limit)

    def label(self, words: str) -> str | None:
        """The title of a progress bar; None if nobody looks."""
        return None if self.json else words

    def _write_report(self, folder: Path, run: Run) -> Path:
        page = Page(f"A replay of {self.records.benchmark} by {self.by}")
        page.facts(for_people(run.facts, run.replays))
        found = self.tell(page, folder, run)
        skipped = [each._asdict() for each in run.skipped]
        page.section("Skipped")
        page.rows(skipped)
        write_json(folder / "report.json", {"summary": run.facts, **found, "skipped": skipped})
        return page.write(folder / INDEX_PAGE)

    def _deciding(self) -> dict[str, Any]:
        """All that decides the results: which episodes it is about is no part of it."""
        free = {each.name for each in fields(ReplayCommand)} - {"paths", "by", "video"}
        found = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in free}
        store = opened(self.store)
        return {**found, "store": None if store is None else store.folder}


class Counts(Protocol):
    """What is counted in a set of episodes."""

    def add(self, episode: Any) -> None:
        """Add one record to the counts."""

    def summary(self) -> dict[str, Any]:
        """The counts as plain values."""
        ...


@dataclass
class StatsCommand(ABC):
    """Statistics and plots of recorded episodes, beside the paper's."""

    paths: tyro.conf.Positional[list[Path]]
    """Folders of official files, single ones, packed .jsonl.zst files, or stores."""
    report: Path | None = None
    """Write a page with the tables and plots (index.html) to this folder."""
    json: bool = False
    """Print one JSON object instead of tables."""

    records: ClassVar[Records[Any]]

    def run(self) -> None:
        """Count, print, and write the page if one is asked for."""
        skipped: list[Skipped] = []
        found = self.empty()
        label = None if self.json else self.records.noun[1]
        counted = track(self.records.use(found.add, self.paths, skipped), None, label)
        used = sum(1 for _ in counted)
        if not used:
            raise nothing_done(self.paths, skipped)
        summary = {**found.summary(), "skipped": len(skipped)}
        if self.report is not None:
            names = ", ".join(each.name for each in self.paths)
            summary["report"] = str(self.page(found, names).write(self.report / INDEX_PAGE))
        if self.json:
            print(json.dumps(summary))
        else:
            self.tell(summary)
            print(f"\nCounted: {used:,} of {used + len(skipped):,} {self.records.noun[1]}.")
            show_skipped(skipped)

    @abstractmethod
    def empty(self) -> Counts:
        """Where nothing has been counted yet."""

    @abstractmethod
    def page(self, found: Any, names: str) -> Page:
        """The tables and plots of the files of these names."""

    @abstractmethod
    def tell(self, summary: dict[str, Any]) -> None:
        """Print the numbers for people."""
