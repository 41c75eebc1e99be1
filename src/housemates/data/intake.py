"""Taking recorded episodes into the store, part by part, and letting each teach its floor plan."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

from housemates.data.records import Recorded, Records, Skipped, Text
from housemates.data.store import Part, Source, Store
from housemates.errors import HousematesError
from housemates.home.scenes.plans.knowledge import PlanKnowledge
from housemates.parallel import track

PART_EPISODES = 100
"""Episodes that are kept at once; an interrupted import loses no more than this."""

Episode = TypeVar("Episode", bound=Recorded)


@dataclass(frozen=True)
class Intake(Generic[Episode]):
    """How a benchmark's episodes come into the store, and what they teach about floor plans."""

    records: Records[Episode]
    plan: Callable[[Episode], str]
    """The name of an episode's floor plan."""
    learn: Callable[[PlanKnowledge, Episode], None]
    """Adds what an episode teaches to what is known about its plan; one that it refuses is skipped."""
    layouts: tuple[str, ...]
    """Where ALFRED's layouts may lie, as seen from the folder of the episodes."""
    conclude: Callable[[Store], None] | None = None
    """What follows from all of them, worked out at the end."""

    def take(self, store: Store, path: Path, label: str | None = None) -> Source:
        """Read a folder, a file or a packed file into the store; what is there already is left alone.

        Args:
            store: Where to.
            path: Where from.
            label: Title of a progress bar; no bar if None.
        """
        if not path.exists():
            raise HousematesError(f"{path}: no such file or folder.")
        benchmark = self.records.benchmark
        name, source = store.source(benchmark, path)
        if source.complete:
            return source
        unread: list[Skipped] = []
        texts = track(self.records.texts([path], unread), self.records.count(path), label)
        known = store.episodes(benchmark)
        for number, batch in enumerate(_batches(texts, PART_EPISODES)):
            if number >= len(source.parts):
                self._take_part(store, source, f"{benchmark}/{name}/{number:04}.jsonl.zst", batch, known)
        if self.conclude is not None:
            self.conclude(store)
        source.skipped += unread
        source.complete = True
        store.save()
        return source

    def take_all(
        self, store: Store, paths: Iterable[Path], layouts: Path | None, progress: bool
    ) -> tuple[dict[str, Any], list[Skipped]]:
        """Import each path, or what is missing of it.

        Args:
            store: Where to.
            paths: Where from.
            layouts: A file of ALFRED's layouts, read first; those that lie beside a path if None.
            progress: Whether to show how far it is.

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
            source = self.take(store, path, path.name if progress else None)
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

    def _take_part(
        self, store: Store, source: Source, file: str, texts: Iterable[Text[Episode]], known: set[str]
    ) -> None:
        lines: list[str] = []
        part = Part(file, [])
        taught: set[str] = set()
        for text in texts:
            if text.id in known:
                continue
            try:
                taught.add(self._teach(store, file, text.parse()))
            except HousematesError as error:
                source.skipped.append((text.id, str(error)))
                continue
            known.add(text.id)
            part.episodes.append(text.id)
            lines.append(text.packed())
        store.finish_part(source, part, lines, sorted(taught))

    def _teach(self, store: Store, part: str, episode: Episode) -> str:
        plan = self.plan(episode)
        knowledge = store.teachable(plan, part)
        if knowledge is not None:
            self.learn(knowledge, episode)
        return plan


def _batches(texts: Iterator[Text[Episode]], size: int) -> Iterator[list[Text[Episode]]]:
    while batch := list(islice(texts, size)):
        yield batch
