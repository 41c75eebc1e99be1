"""Commands on files of recorded games: `import`, `export`, `stats` and `replay cerealbar`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from tyro.conf import Positional

from housemates.benchmarks.cerealbar.episodes import SPLITS, find, read_recordings, replay, write_recordings
from housemates.benchmarks.cerealbar.generate import show
from housemates.benchmarks.cerealbar.official import read_official, write_official
from housemates.benchmarks.cerealbar.state import ROLES
from housemates.benchmarks.cerealbar.statistics import describe
from housemates.errors import HousematesError


@dataclass
class Import:
    """Read games in the published JSON schema and keep them in ours."""

    source: Positional[Path]
    """A file in the published schema."""
    out: Path = Path("out/cerealbar")
    """Folder for the games of each split."""
    json: bool = False
    """Print one line of JSON instead of a table."""

    def run(self) -> None:
        """Read, check, write."""
        games = read_official(self.source)
        for split in sorted({game.split for game in games}):
            write_recordings(self.out / f"{split}.jsonl.zst", [game for game in games if game.split == split])
        mapped = sum(game.initial is not None for game in games)
        show({"games": len(games), "with a map": mapped, "out": str(self.out)}, self.json)


@dataclass
class Export:
    """Write games in the published JSON schema."""

    source: Positional[Path]
    """A file of recorded games."""
    out: Positional[Path]
    """The file to write."""
    json: bool = False
    """Print one line of JSON instead of a table."""

    def run(self) -> None:
        """Read, convert, write."""
        games = read_recordings(self.source)
        write_official(self.out, games)
        show({"games": len(games), "out": str(self.out)}, self.json)


@dataclass
class Stats:
    """Statistics of recorded games beside those of the published ones."""

    store: Positional[Path] = Path("out/cerealbar")
    """A folder of splits, or one file of games."""
    json: bool = False
    """Print one line of JSON instead of a table."""

    def run(self) -> None:
        """Read and count."""
        files = (
            [self.store / f"{split}.jsonl.zst" for split in SPLITS] if self.store.is_dir() else [self.store]
        )
        present = [path for path in files if path.exists()]
        if not present:
            raise HousematesError(f"{self.store}: expected recorded games, found none.")
        show(describe([game for path in present for game in read_recordings(path)]), self.json)


@dataclass
class Replay:
    """Replay a recorded game, check it, and draw it as a video."""

    source: Positional[Path]
    """A file of recorded games."""
    game: str | None = None
    """The game's id; the first of the file by default."""
    video: Path | None = None
    """Write the leader's and the follower's view with the instruction to this file (.mp4)."""
    seconds: float = 0.25
    """How long each action is shown in the video."""
    json: bool = False
    """Print one line of JSON instead of the actions."""

    def run(self) -> None:
        """Replay and report."""
        recording = find(self.source, self.game)
        turn, line = -1, ""
        for number, game in replay(recording):
            if self.json or number == len(recording.actions):
                continue
            action = recording.actions[number][1]
            if game.turn != turn:
                print(line) if line else None
                turn, line = game.turn, f"turn {game.turn:>2} {ROLES[game.role]:<8} score {game.score:>2} "
            if action.name == "SAY":
                line += f'"{action.text}" '
            elif action.name != "WAIT":
                line += f"{action.name} "
        print(line) if line else None
        if self.video:
            from housemates.benchmarks.cerealbar.video import write_video

            write_video(recording, self.video, self.seconds)
        summary = {
            "game": recording.id,
            "score": recording.score,
            "actions": len(recording.actions),
            "instructions": len(recording.instructions),
            "digest": recording.digest,
            "agrees": True,
        }
        if self.video:
            summary["video"] = str(self.video)
        print(json.dumps(summary)) if self.json else show(summary, False)
