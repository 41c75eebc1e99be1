"""Reels: plays and recorded episodes that are done again act by act, as far as somebody looks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import repeat
from pathlib import Path
from typing import Any

import msgspec

from housemates.core.trace import Step
from housemates.errors import HousematesError
from housemates.evaluation.episode_views import Again, Views, Watcher
from housemates.evaluation.film import FPS, EpisodeFilm
from housemates.evaluation.replay import same_benchmark
from housemates.evaluation.results import read_episodes, read_header
from housemates.evaluation.runner import find_references
from housemates.evaluation.transcripts import Turn
from housemates.reporting.video import Picture, save_video
from housemates.studio.worlds.table import Spec, Table, Written

CHUNK = 40
"""Acts whose pictures are drawn at once."""
SIDE_PX = 420
PANES = 4
"""Pictures side by side that make a film."""
KEPT = 4
"""Episodes that stay where they were looked at last."""


class PlayReel:
    """A play of the studio, done again from its journal; nobody thinks."""

    def __init__(self, spec: Spec, entries: Sequence[Written]) -> None:
        self._table = Table(spec, thinking=False, since=entries[0].at if entries else None)
        self.entries = entries
        self.session = self._table.session
        self.roles = self._table.benchmark.roles

    def do(self, number: int) -> Step:
        """Do an act as the journal says."""
        self._table.again(self.entries[number])
        return self._table.episode.trace.steps[-1]


Reel = PlayReel | Again


class PlaySource(msgspec.Struct, frozen=True, tag=True):
    """A play of the studio."""

    key: str
    spec: Spec
    entries: list[Written]

    def __len__(self) -> int:
        return len(self.entries)

    def open(self) -> PlayReel:
        """Go to its start."""
        return PlayReel(self.spec, self.entries)


class RunSource(msgspec.Struct, frozen=True, tag=True):
    """An episode of a folder of results."""

    key: str
    folder: Path
    episode: str
    reference: str
    """Where the episode comes from."""
    turns: list[Turn]

    def __len__(self) -> int:
        return len(self.turns)

    def open(self) -> Again:
        """Go to its start; other data than then are refused."""
        header = read_header(self.folder)
        benchmark = same_benchmark(self.folder, header)
        episodes = sum(1 for _ in read_episodes(self.folder))
        found = find_references(benchmark, header.split, header.seed, {self.reference}, episodes)
        for instance in (each for reference in found.values() for each in benchmark.open(reference)):
            if instance.id == self.episode:
                return Again(benchmark, instance, self.turns)
        raise HousematesError(f"{self.episode}: is not where it came from any more.")


Source = PlaySource | RunSource


class Projector:
    """Draws parts of episodes; the last ones looked at stay where they are, so that going on is cheap."""

    def __init__(self) -> None:
        self._standing: OrderedDict[str, tuple[Reel, int]] = OrderedDict()

    def frames(self, source: Source, chunk: int) -> Views:
        """What was to be seen before and after each act of a part of an episode."""
        first = chunk * CHUNK
        reel, done = self._reached(source, first)
        if isinstance(reel, PlayReel) and isinstance(source, PlaySource):
            reel.entries = source.entries
        for number in range(done, first):
            reel.do(number)
        watcher = Watcher(source.key, reel.session, reel.roles, SIDE_PX, above=True)
        last = min(first + CHUNK, len(source))
        for number in range(first, last):
            watcher.shoot(reel.session, reel.do(number))
        self._standing[source.key] = (reel, last)
        while len(self._standing) > KEPT:
            self._standing.popitem(last=False)
        return watcher.views

    def _reached(self, source: Source, first: int) -> tuple[Reel, int]:
        """An episode that stands before an act, or at its start; how many acts are done."""
        standing = self._standing.pop(source.key, None)
        return (source.open(), 0) if standing is None or standing[1] > first else standing


def briefs(source: Source) -> dict[str, dict[str, str]]:
    """What each role was told: goal and rules."""
    reel = source.open()
    told = {role: reel.session.brief(role) for role in reel.roles}
    return {role: {"goal": each.goal, "rules": each.rules} for role, each in told.items()}


def film(source: Source, path: Path) -> None:
    """Write a film of a whole episode; one without pictures is refused."""
    reel = source.open()
    most = max(len(reel.session.pictures(role)) for role in reel.roles)
    if not len(source) or not 0 < most <= PANES:
        raise HousematesError("There is no film of this one: nothing happens, or nothing can be shown.")
    save_video(path, _shots(reel, len(source)), FPS)


def _shots(reel: Reel, length: int) -> Iterator[Picture]:
    made = EpisodeFilm(reel.session, reel.roles)
    for number in range(length):
        made.shoot(reel.session, reel.do(number))
        for shot in made.shots:
            yield from repeat(shot.picture, shot.frames)
        made.shots.clear()


def official(source: Source) -> dict[str, Any]:
    """A play in the official formats, if it has one."""
    if isinstance(source, RunSource):
        return {}
    table = Table(source.spec, source.entries, thinking=False)
    return table.page.official(table.session, source.key)
