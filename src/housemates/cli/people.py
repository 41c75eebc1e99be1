"""`housemates stats people` and `verify people`: how Commanders speak, and how like people one is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tyro


@dataclass
class StatsPeople:
    """Count how Commanders speak in recorded TEACh sessions, as the agent `people` speaks."""

    games: tyro.conf.Positional[Path]
    """A folder of *.game.json or a packed .jsonl[.zst]."""
    out: Path | None = None
    """A JSON file for the counts."""
    held_back: int = 0
    """Leave out every so manieth game, to tune on; 0 for none."""
    json: bool = False
    """Print one JSON object."""

    def run(self) -> None:
        """Count, write and say how much was found."""
        import msgspec

        from housemates.agents.teach.people.statistics import Counting
        from housemates.benchmarks.teach.formats.episodes import GAMES
        from housemates.data.records import Skipped, nothing_done
        from housemates.files import write_json
        from housemates.parallel import track
        from housemates.reporting.facts import show_facts

        skipped: list[Skipped] = []
        counting = Counting()
        games = GAMES.read([self.games], skipped)
        for number, game in enumerate(track(games, None, None if self.json else "games")):
            if not self.held_back or number % self.held_back:
                counting.add(game)
        if not counting.sessions:
            raise nothing_done(self.games, skipped)
        people = counting.people()
        if self.out is not None:
            write_json(self.out, msgspec.to_builtins(people), indent=None)
        sizes = {name: sum(map(len, getattr(people, name).values())) for name in ("cores", "policy", "names")}
        facts: dict[str, Any] = {"sessions": people.sessions, "skipped": len(skipped), **sizes}
        show_facts(facts, self.json, skipped)


@dataclass
class VerifyPeople:
    """Say how like recorded people the Commanders of runs are: the fidelity index and its parts."""

    games: tyro.conf.Positional[Path]
    """Recorded games: a folder of *.game.json or a packed .jsonl[.zst]."""
    runs: tyro.conf.Positional[list[Path]]
    """Folders that `housemates eval teach-tatc --out` wrote on starts of these games."""
    seed: int = 0
    """Of the random halves."""
    json: bool = False
    """Print one JSON object."""

    def run(self) -> None:
        """Count recorded and played sessions, and print a column a run."""
        import json

        from housemates.agents.teach.people.counts import shipped_people
        from housemates.benchmarks.teach.formats.episodes import GAMES
        from housemates.data.records import Skipped, nothing_done
        from housemates.errors import NothingDone
        from housemates.evaluation import fidelity
        from housemates.reporting.tables import show

        taggers = shipped_people().taggers
        skipped: list[Skipped] = []
        games = {each.id: each for each in GAMES.read([self.games], skipped)}
        if len(games) < 2:
            raise nothing_done(self.games, skipped)
        tasks = {name: fidelity.Task(each.task.task_name, each.task.params) for name, each in games.items()}
        people = [fidelity.of_game(each, taggers) for each in games.values()]
        found: dict[str, dict[str, Any]] = {}
        for folder in self.runs:
            sessions = list(fidelity.of_run(folder, tasks, taggers))
            if len(sessions) < 2:
                raise NothingDone(f"{folder}: expected two sessions of games in {self.games} or more.")
            scores = fidelity.score(sessions, people, self.seed)
            found[str(folder)] = {"sessions": len(sessions), **scores._asdict()}
        if self.json:
            print(json.dumps(found))
            return
        names = {folder: f"{Path(folder).name}, of {each['sessions']}" for folder, each in found.items()}
        rows = {"index": {names[folder]: each["overall"] for folder, each in found.items()}}
        for part in ("groups", "measures"):
            for row in next(iter(found.values()))[part]:
                rows[row] = {names[folder]: each[part][row] for folder, each in found.items()}
            show(rows, f"Fidelity index by {part}; recorded people are 100")
            rows = {}
