"""Folders of results that may be watched: those in the folder that the studio was started with, by name."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from housemates.core.benchmark import Result
from housemates.errors import HousematesError
from housemates.evaluation.episode_views import listed
from housemates.evaluation.results import HEADER, TRANSCRIPTS, read_episodes, read_header, read_transcripts
from housemates.evaluation.transcripts import Transcript
from housemates.studio.storage.plays import NotThere
from housemates.studio.worlds.reels import RunSource

MOST = 5000
"""Episodes of a run that are listed."""
KEPT = 8
"""Episodes that are not read again for every part that somebody looks at."""


def named(folder: Path | None) -> dict[str, Path]:
    """Every run by its name: the folder itself, and what is in it and in its folders."""
    if folder is None:
        return {}
    folder = folder.resolve()
    found = [
        path.parent for pattern in (HEADER, f"*/{HEADER}", f"*/*/{HEADER}") for path in folder.glob(pattern)
    ]
    return {path.relative_to(folder.parent).as_posix(): path for path in sorted(found)}


def get(folder: Path | None, name: str) -> Path:
    """The folder of a run; no name leads anywhere else."""
    found = named(folder).get(name)
    if found is None:
        raise NotThere("There is no such run.")
    return found


def summaries(folder: Path | None) -> list[dict[str, Any]]:
    """What each run is about; what cannot be read is left out."""
    rows = []
    for name, path in named(folder).items():
        try:
            header = read_header(path)
        except HousematesError:
            continue
        agents = {role: seat.name for role, seat in header.agents.items()}
        rows.append({"run": name, "benchmark": header.name, "split": header.split, "seats": agents})
    return rows


def episodes(folder: Path) -> list[dict[str, Any]]:
    """The episodes of a run, in order."""
    return [listed(each) for each in islice(read_episodes(folder), MOST)]


def episode(folder: Path, number: int) -> tuple[dict[str, Any], RunSource]:
    """One episode from the briefs to the end, and where it can be seen again."""
    result, told = _recorded(folder, number, (folder / TRANSCRIPTS).stat().st_mtime_ns)
    found: dict[str, Any] = {**msgspec.to_builtins(told), "result": msgspec.to_builtins(result)}
    key = f"{folder}#{result.id} {len(told.steps)}"
    return found, RunSource(key, folder, result.id, result.source, told.steps)


@lru_cache(maxsize=KEPT)
def _recorded(folder: Path, number: int, _: int) -> tuple[Result, Transcript]:
    """One episode of a run, as it was when the file was written last."""
    result = next(islice(read_episodes(folder), number, None), None)
    told = next(islice(read_transcripts(folder), number, None), None)
    if result is None or told is None or result.id != told.id:
        raise NotThere("There is no such episode.")
    return result, told
