"""Runs in memory, so that they can be altered, and the files that are made of them."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from housemates.core import registry
from housemates.core.benchmark import Result
from housemates.core.loading import seat_all
from housemates.evaluation.episodes import Run
from housemates.evaluation.leaderboard.declarations import shown_tracks
from housemates.evaluation.leaderboard.submission import CARD, FORMAT, INDEX, RUNS
from housemates.evaluation.results import (
    EPISODES,
    HEADER,
    TRANSCRIPTS,
    Header,
    read_episodes,
    read_transcripts,
)
from housemates.evaluation.runner import evaluate
from housemates.parallel import Workers

READING = f"{Path(__file__).with_name('reading.py')}:Reading"
"""An agent that is somebody's own, and reads all texts."""
PLAYED = (
    ("handmethat", "listener", 4, {}),
    ("handmethat", "heuristic", 8, {}),
    ("handmethat", "expert", 8, {}),
    ("handmethat", READING, 3, {}),
    ("handmethat", "random", 3, {}),
    ("alfred", "template", 3, {}),
    ("alfred", "expert", 3, {}),
    ("alfred", "plan", 2, {"acts": "skills"}),
    ("alfred-subgoals", "expert", 4, {}),
    ("teach-tatc", "rule", 2, {}),
    ("teach-tatc", "talk", 1, {}),
    ("teach-edh", "stop", 4, {}),
    ("teach-edh", "oracle", 3, {}),
    ("teach-tfd", "random", 1, {}),
    ("teach-tfd", "oracle", 2, {}),
    ("cerealbar", "idle", 1, {}),
    ("cerealbar", "planner", 1, {}),
    ("cerealbar-recorded", "english", 3, {}),
    ("cerealbar-recorded", "oracle", 3, {}),
    ("alfred-annotation", "first", 2, {}),
    ("alfred-validation", "random", 2, {}),
    ("alfworld", "heuristic", 4, {}),
    ("alfworld", "expert", 4, {}),
    ("alfworld", READING, 2, {}),
    ("eb-alfred", "expert", 3, {}),
    ("eb-alfred", "random", 2, {}),
    ("home", "first", 1, {"steps": "20"}),
    ("home", "random", 1, {"steps": "50"}),
)
"""Benchmark, agents, episodes and options of honest runs."""


@dataclass
class Recorded:
    """A run as plain values, or several of them in one file, with a card."""

    header: dict[str, Any]
    episodes: list[dict[str, Any]]
    told: list[dict[str, Any]]
    card: dict[str, Any] = field(default_factory=dict)

    def copy(self) -> Recorded:
        """Another one with the same in it."""
        return deepcopy(self)

    @property
    def seats(self) -> dict[str, Any]:
        """Who sat where."""
        found: dict[str, Any] = self.header["agents"]
        return found


def play(
    folder: Path,
    name: str,
    agents: str,
    episodes: int,
    options: Mapping[str, str],
    seed: int = 0,
    workers: Workers = 1,
) -> None:
    """Evaluate into a folder, by default in this process."""
    seats = seat_all(registry.benchmark_class(name), [agents], {})
    run = Run(name, seats, episodes=episodes, seed=seed, options=dict(options))
    evaluate(run, workers, folder, progress=False)


def recorded(folder: Path) -> Recorded:
    """The run in a folder with the card that it would have."""
    header = json.loads((folder / HEADER).read_text())
    results = list(read_episodes(folder))
    told = [json.loads(msgspec.json.encode(each)) for each in read_transcripts(folder)]
    card = card_of(msgspec.convert(header, Header), results)
    return Recorded(header, [json.loads(msgspec.json.encode(each)) for each in results], told, card)


def card_of(header: Header, results: Sequence[Result]) -> dict[str, Any]:
    """A card that holds for a run."""
    tracks = shown_tracks(header, results)
    names = ", ".join(dict.fromkeys(seat.name for seat in header.agents.values()))
    return {
        "name": names,
        "authors": ["The authors of Housemates"],
        "eyes": "given" if {"ids", "given-eyes"} & set(tracks) else "none",
        "training": "nothing",
        "tracks": tracks,
    }


def toml(card: Mapping[str, Any]) -> bytes:
    """A card as a file; its values are texts, numbers and lists of texts, which JSON writes alike."""
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in card.items()).encode()


def lines(values: Sequence[Any]) -> bytes:
    """Values as JSON lines."""
    return b"".join(msgspec.json.encode(each) + b"\n" for each in values)


def files_of(runs: Mapping[str, Recorded], card: Mapping[str, Any]) -> dict[str, bytes]:
    """The entries of a submission of runs."""
    found = {
        INDEX: json.dumps({"format": FORMAT, "runs": list(runs)}).encode(),
        CARD: toml(card),
    }
    for name, run in runs.items():
        found[f"{RUNS}/{name}/{HEADER}"] = json.dumps(run.header).encode()
        found[f"{RUNS}/{name}/{EPISODES}"] = lines(run.episodes)
        found[f"{RUNS}/{name}/{TRANSCRIPTS}"] = lines(run.told)
    return found


def zipped(files: Mapping[str, bytes] | Sequence[tuple[zipfile.ZipInfo | str, bytes]]) -> bytes:
    """A ZIP file with these entries."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items() if isinstance(files, Mapping) else files:
            archive.writestr(name, content)
    return stream.getvalue()
