"""`housemates verify run RUN`: play all traces again and confirm every score, digest and transcript line."""

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
    """Verify the scores, digests and transcripts of an evaluation by replaying every episode."""

    run_folder: Annotated[tyro.conf.Positional[Path], tyro.conf.arg(metavar="RUN")]
    """The folder written by `housemates eval --out`."""
    crew: Crew = field(default_factory=Crew)
    """Workers."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Play again and print; the exit code is 1 if something is not confirmed."""
        from housemates.evaluation.replay import replay_run

        label = None if self.json else "verify"
        found = list(replay_run(self.run_folder, workers=self.crew, label=label))
        wrong = [(line, each) for line, each in enumerate(found, start=1) if each.differs]
        reworded = [each for each in found if each.wording]
        acts = sum(each.steps for each in found)
        if self.json:
            listed = [{"line": line, **msgspec.to_builtins(each)} for line, each in wrong]
            counts = {"episodes": len(found), "acts": acts, "reworded": len(reworded)}
            print(json.dumps({"run": str(self.run_folder), **counts, "wrong": listed}))
        else:
            for line, each in wrong:
                print(f"line {line}, {each.id}: {each.differs}")
            print(f"{len(found) - len(wrong)} of {len(found)} episodes confirmed, {acts} acts played again")
            for each in reworded[:1]:
                print(f"{len(reworded)} told in other words, first {each.id}: {each.wording}")
        if wrong:
            sys.exit(1)
