"""Plays, packs, checks and shows the project's own submissions: `python docs/leaderboard.py OUT [EPISODES]`.

They are listed in `leaderboard.toml`. `OUT/site/index.html` is the board; what is there is not played again.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from housemates.core import registry
from housemates.core.loading import seat_all
from housemates.evaluation.leaderboard.check import Terms
from housemates.evaluation.leaderboard.site import build
from housemates.evaluation.leaderboard.submission import write_submission
from housemates.evaluation.runner import Run, evaluate

LIST = Path(__file__).with_name("leaderboard.toml")
PICTURES = 3


def play(given: Mapping[str, Any], folder: Path, most: int | None) -> Path:
    """Play a run, unless it is there, and return its folder."""
    benchmark = registry.benchmark_class(given["benchmark"])
    seats = seat_all(benchmark, given["agents"].split(), {})
    episodes = min(most or benchmark.episodes, benchmark.episodes)
    evaluate(Run(benchmark.name, seats, episodes=episodes), out=folder)
    return folder


def submit(name: str, given: Mapping[str, Any], out: Path, most: int | None) -> None:
    """Play and pack the runs of a submission."""
    runs = [play(run, out / "runs" / f"{name}-{run['benchmark']}", most) for run in given["runs"]]
    card = out / "runs" / f"{name}.toml"
    card.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in given["card"].items()))
    write_submission(runs, card, out / "submissions" / f"{name}.zip")


def main() -> int:
    """Build the board; the exit code is 1 if one of the submissions does not hold."""
    out, most = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else None
    (out / "runs").mkdir(parents=True, exist_ok=True)
    for name, given in tomllib.loads(LIST.read_text(encoding="utf-8")).items():
        submit(name, given, out, most)
    rows, refused = build(out / "submissions", out / "site", Terms(), PICTURES, progress=True)
    for each in refused:
        print(f"{each.file}: {each.why}")
    print(f"{len(rows)} rows: {out / 'site' / 'index.html'}")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
