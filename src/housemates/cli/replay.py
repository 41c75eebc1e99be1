"""`housemates replay run RUN`: play the episodes of an evaluation again and compare."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import msgspec
import tyro

from housemates.parallel.crew import Crew


@dataclass
class Run:
    """Replay the episodes of an evaluation and report differences."""

    run_folder: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="RUN")]
    """The folder written by `housemates eval --out`."""
    episode: Annotated[list[str] | None, tyro.conf.arg(metavar="ID")] = None
    """Only the episodes with these ids."""
    video: Path | None = None
    """Write a film of each episode to this folder."""
    crew: Crew = field(default_factory=Crew)
    """Workers."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Replay and print; the exit code is 1 if something differs."""
        from housemates.evaluation.replay import replay_run
        from housemates.reporting.words import several

        label = None if self.json else "replay"
        found = list(replay_run(self.run_folder, self.episode, self.video, self.crew, label))
        differ = [each for each in found if each.differs]
        films = [each.video for each in found if each.video]
        if self.json:
            report = {
                "run": str(self.run_folder),
                "episodes": len(found),
                "acts": sum(each.steps for each in found),
                "differ": [msgspec.to_builtins(each) for each in differ],
                "films": films,
            }
            print(json.dumps(report))
        else:
            for each in differ:
                print(f"{each.id}: {each.differs}")
            acts = sum(each.steps for each in found)
            played = f"{several(len(found), 'episode')}, {several(acts, 'act')}"
            print(f"{played}, {len(differ)} not as they were")
            for film in films:
                print(film)
        if self.video is not None and not films:
            print("Nobody here has pictures, so there is no film.", file=sys.stderr)
        if differ:
            sys.exit(1)
