"""Taking recorded episodes into the store, part by part, and letting each teach its floor plan."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from housemates.data.records import Recorded, Records, Skipped, Text
from housemates.data.store import Part, Source, Store
from housemates.errors import HousematesError
from housemates.home.scenes.plans.knowledge import PlanKnowledge
from housemates.parallel import LATER, Later, Workers, crew_for, map_ordered, track

PART_EPISODES = 100
"""Episodes that are kept at once; an interrupted import loses no more than this."""

Episode = TypeVar("Episode", bound=Recorded)


@dataclass(frozen=True)
class Intake(Generic[Episode]):
    """How a benchmark's episodes come into the store, and what they teach about floor plans."""

    records: Records[Episode]
    plan: Callable[[Text[Episode]], str]
    """The name of an episode's floor plan, told before it is read; one that it refuses cannot be read."""
    learn: Callable[[PlanKnowledge, Episode], None]
    """Adds what an episode teaches to what is known about its plan; one that it refuses is skipped."""
    layouts: tuple[str, ...]
    """Where ALFRED's layouts may lie, as seen from the folder of the episodes."""
    conclude: Callable[[Store, Workers], None] | None = None
    """What follows from all of them, worked out at the end."""

    def take(self, store: Store, path: Path, label: str | None = None, workers: Workers = 1) -> Source:
        """Read a folder, a file or a packed file into the store; what is there already is left alone.

        Args:
            store: Where to.
            path: Where from.
            label: Title of a progress bar; no bar if None.
            workers: Who reads and learns; one process a processor if None, and there is much to do.
        """
        if not path.exists():
            raise HousematesError(f"{path}: no such file or folder.")
        benchmark = self.records.benchmark
        name, source = store.source(benchmark, path)
        if source.complete:
            return source
        unread: list[Skipped] = []
        batches = _batches(self.records.texts([path], unread), PART_EPISODES)
        first = next(batches, [])
        crew = crew_for(workers, few=len(first) < PART_EPISODES)
        school = _School(self, store, source, f"{benchmark}/{name}")
        lessons = school.lessons(chain([first] if first else [], batches))
        with closing(map_ordered(partial(_learn, self.learn), lessons, crew)) as learnt:
            for _ in track(school.finished(learnt), self.records.count(path), label):
                pass
        if self.conclude is not None:
            self.conclude(store, crew)
        source.skipped += unread
        source.complete = True
        store.save()
        return source

    def take_all(
        self,
        store: Store,
        paths: Iterable[Path],
        layouts: Path | None,
        progress: bool,
        workers: Workers = 1,
    ) -> tuple[dict[str, Any], list[Skipped]]:
        """Import each path, or what is missing of it.

        Args:
            store: Where to.
            paths: Where from.
            layouts: A file of ALFRED's layouts, read first; those that lie beside a path if None.
            progress: Whether to show how far it is.
            workers: Who reads and learns.

        Returns:
            What was imported and what the store holds now, as a report, and what was skipped.
        """
        paths, counted = list(paths), self.records.noun[1]
        report: dict[str, Any] = {"store": str(store.folder), counted: 0}
        layouts = layouts or self._layouts_beside(paths)
        if layouts is not None:
            report |= {"layouts": str(layouts), "layout_plans": store.learn_layouts(layouts)}
        skipped: list[Skipped] = []
        for path in paths:
            source = self.take(store, path, path.name if progress else None, workers)
            report[counted] += sum(len(part.episodes) for part in source.parts)
            skipped += [Skipped(*each) for each in source.skipped]
        report |= {"in_store": len(store.episodes(self.records.benchmark)), "plans": len(store.plans())}
        return report, skipped

    def _layouts_beside(self, paths: Iterable[Path]) -> Path | None:
        for path in paths:
            folder = path if path.is_dir() else path.parent
            for place in self.layouts:
                if (folder / place).is_file():
                    return (folder / place).resolve()
        return None


class Lesson(NamedTuple):
    """Episodes of one floor plan, in their order, and what is known about it before them."""

    plan: str
    knowledge: PlanKnowledge | None
    """None if nothing is to be learnt: the episodes are read alone."""
    texts: list[Text[Any]]


class Learnt(NamedTuple):
    """What came of a lesson."""

    knowledge: PlanKnowledge | None
    refused: dict[str, str]
    """Episodes that cannot be used, and why."""


def _learn(learn: Callable[[PlanKnowledge, Any], None], lesson: Lesson) -> Learnt:
    refused = {}
    for text in lesson.texts:
        try:
            episode = text.parse()
            if lesson.knowledge is not None:
                learn(lesson.knowledge, episode)
        except HousematesError as error:
            refused[text.id] = str(error)
    return Learnt(lesson.knowledge, refused)


class _School(Generic[Episode]):
    """Hands out the lessons of one part after the other, and keeps each part when all of it is learnt.

    Plans learn from their episodes in the order of the files, so that it does not matter who teaches.
    """

    def __init__(self, intake: Intake[Episode], store: Store, source: Source, folder: str) -> None:
        self._intake, self._store, self._source, self._folder = intake, store, source, folder
        self._known = store.episodes(intake.records.benchmark)
        self._texts: dict[str, Text[Episode]] = {}
        """The episodes of the part that is being learnt, by id."""
        self._waiting: deque[Lesson] = deque()
        self._refused: dict[str, str] = {}
        self._taught: set[str] = set()

    def lessons(self, batches: Iterable[list[Text[Episode]]]) -> Iterator[Lesson | Later]:
        """The lessons of all parts that are not in the store yet; those of the next one come later."""
        for batch in islice(batches, len(self._source.parts), None):
            self._begin(batch)
            if not self._waiting:
                self._finish()
            yield from list(self._waiting)
            while self._waiting:
                yield LATER

    def finished(self, learnt: Iterable[Learnt]) -> Iterator[str]:
        """Take down what came of the lessons, and name each episode."""
        for knowledge, refused in learnt:
            lesson = self._waiting.popleft()
            if knowledge is not None:
                self._store.learnt(lesson.plan, knowledge)
            self._refused |= refused
            if any(text.id not in refused for text in lesson.texts):
                self._taught.add(lesson.plan)
            if not self._waiting:
                self._finish()
            yield from (text.id for text in lesson.texts)

    def _begin(self, batch: Iterable[Text[Episode]]) -> None:
        self._texts = {text.id: text for text in batch if text.id not in self._known}
        by_plan: dict[str, list[Text[Episode]]] = {}
        for text in self._texts.values():
            by_plan.setdefault(self._plan(text), []).append(text)
        for plan, texts in by_plan.items():
            knowledge = self._store.teachable(plan, self._part) if plan else None
            self._waiting.append(Lesson(plan, knowledge, texts))

    def _plan(self, text: Text[Episode]) -> str:
        try:
            return self._intake.plan(text)
        except HousematesError:
            return ""

    @property
    def _part(self) -> str:
        return f"{self._folder}/{len(self._source.parts):04}.jsonl.zst"

    def _finish(self) -> None:
        used = [name for name in self._texts if name not in self._refused]
        self._source.skipped += [(name, self._refused[name]) for name in self._texts if name in self._refused]
        lines = [self._texts[name].packed() for name in used]
        self._store.finish_part(self._source, Part(self._part, used), lines, sorted(self._taught))
        self._known.update(used)
        self._texts, self._refused, self._taught = {}, {}, set()


def _batches(texts: Iterator[Text[Episode]], size: int) -> Iterator[list[Text[Episode]]]:
    while batch := list(islice(texts, size)):
        yield batch
