"""`housemates replay cerealbar`: play recorded games again, check them, and draw them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tyro.conf import Positional

from housemates.benchmarks.cerealbar.formats.episodes import Recording, choose, read_recordings, replay
from housemates.benchmarks.cerealbar.world.state import ROLES
from housemates.data.claims import claimed
from housemates.data.records import Skipped, nothing_done
from housemates.errors import HousematesError
from housemates.files import file_name
from housemates.reporting import tables
from housemates.reporting.facts import show_skipped


@dataclass
class Replay:
    """Replay recorded games, check them, and draw them as videos."""

    source: Positional[Path]
    """A file of recorded games."""
    only: list[str] = field(default_factory=list)
    """Ids of the games to replay; all by default. A single game is printed turn by turn."""
    limit: int | None = None
    """Maximum number of games."""
    video: Path | None = None
    """Folder for a video of each game: the leader's and the follower's view with the instructions."""
    seconds: float = 0.25
    """Seconds per action in the video."""
    pictures: Path | None = None
    """Folder for the leader's two views and the follower's of the first of the games, as PNG files."""
    at: int = 0
    """The action before which the pictures are taken."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> None:
        """Replay the games, and print what agrees with the recordings."""
        skipped: list[Skipped] = []
        found = choose(read_recordings(self.source, skipped), self.only, str(self.source), skipped)
        rows, whole = {}, []
        for game in found[: self.limit]:
            try:
                rows[game.id] = checked(game)
            except HousematesError as error:
                skipped.append(Skipped(game.id, str(error)))
            else:
                whole.append(game)
        if not whole:
            raise nothing_done(self.source, skipped)
        with claimed(folders=[self.video, self.pictures]):
            for game in whole if self.video else ():
                rows[game.id] |= self.filmed(game)
            if self.pictures:
                write_pictures(whole[0], self.at, self.pictures)
        if self.json:
            print(json.dumps({"games": len(rows), "table": rows, "skipped": len(skipped)}))
            return
        if len(whole) == 1:
            print("\n".join(turn_lines(whole[0])))
        tables.show(rows)
        show_skipped(skipped)

    def filmed(self, game: Recording) -> dict[str, Any]:
        """Write the video of a game, and what to say of it."""
        from housemates.benchmarks.cerealbar.formats.video import write_video

        assert self.video is not None
        path = self.video / f"{file_name(game.id)}.mp4"
        return {"frames": write_video(game, path, self.seconds), "video": str(path)}


def checked(game: Recording) -> dict[str, Any]:
    """Replay one game to its recorded end; raises where it cannot be replayed."""
    *_, (actions, _) = replay(game)
    return {
        "score": game.score,
        "actions": actions,
        "instructions": len(game.instructions),
        "digest": game.digest[:12],
    }


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


def write_pictures(recording: Recording, at: int, folder: Path) -> None:
    """Write the views of the state before an action."""
    from housemates.benchmarks.cerealbar.formats.video import screen
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
