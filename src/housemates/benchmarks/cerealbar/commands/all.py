"""Commands on files of recorded games: `import`, `export`, `stats` and `replay cerealbar`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tyro.conf import Positional

from housemates.benchmarks.cerealbar.files.episodes import (
    SPLITS,
    Recording,
    find,
    read_recordings,
    replay,
    write_recordings,
)
from housemates.benchmarks.cerealbar.files.official import read_official, write_official
from housemates.benchmarks.cerealbar.files.report import show
from housemates.benchmarks.cerealbar.files.statistics import describe
from housemates.benchmarks.cerealbar.world.state import ROLES
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
    pictures: Path | None = None
    """Write the leader's two views and the follower's as PNG files to this folder."""
    at: int = 0
    """Before which action the pictures are taken."""
    json: bool = False
    """Print one line of JSON instead of the actions."""

    def run(self) -> None:
        """Replay and report."""
        recording = find(self.source, self.game)
        for line in turn_lines(recording):
            if not self.json:
                print(line)
        summary = {
            "game": recording.id,
            "score": recording.score,
            "actions": len(recording.actions),
            "instructions": len(recording.instructions),
            "digest": recording.digest,
            "agrees": True,
        }
        if self.video:
            from housemates.benchmarks.cerealbar.files.video import write_video

            summary |= {"video": str(self.video), "frames": write_video(recording, self.video, self.seconds)}
        if self.pictures:
            summary["pictures"] = write_pictures(recording, self.at, self.pictures)
        show(summary, self.json)


def turn_lines(recording: Recording) -> Iterator[str]:
    """A line for every turn: whose it is, the score, and what the player did."""
    turn, line = -1, ""
    for number, game in replay(recording):
        if number == len(recording.actions):
            break
        if game.turn != turn:
            if line:
                yield line
            turn, line = game.turn, f"turn {game.turn:>2} {ROLES[game.role]:<8} score {game.score:>2}"
        action = recording.actions[number][1]
        if action.name != "WAIT":
            line += f' "{action.text}"' if action.name == "SAY" else f" {action.name}"
    yield line


def write_pictures(recording: Recording, at: int, folder: Path) -> list[str]:
    """Write the views of the state before an action."""
    from housemates.benchmarks.cerealbar.files.video import screen
    from housemates.benchmarks.cerealbar.world.views import follower_picture, leader_picture
    from housemates.reporting.video import save_png

    if not 0 <= at <= len(recording.actions):
        raise HousematesError(f"--at: expected 0 to {len(recording.actions)}, found {at}.")
    game = next(game for number, game in replay(recording) if number == at)
    views = {
        "leader": leader_picture(game),
        "overhead": leader_picture(game, overhead=True),
        "follower": follower_picture(game),
        "screen": screen(game),
    }
    for name, picture in views.items():
        save_png(folder / f"{name}.png", picture)
    return [str(folder / f"{name}.png") for name in views]
