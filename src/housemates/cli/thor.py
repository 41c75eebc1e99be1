"""`housemates thor run|check|records|games`: code written for AI2-THOR, and AI2-THOR's own records."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tyro

from housemates.cli import options
from housemates.errors import HousematesError

if TYPE_CHECKING:
    from housemates.benchmarks.teach.formats.episodes import Game
    from housemates.data.store import Store
    from housemates.thor.controller import Controller


@dataclass
class Check:
    """Report which AI2-THOR calls of a code base are supported, without running it."""

    target: tyro.conf.Positional[str]
    """A Python file, a folder or an installed package."""
    json: bool = False
    """Print one line of JSON."""

    def run(self) -> None:
        """Print every action, argument, event field and import with how often it is used."""
        from housemates.reporting.tables import show_rows
        from housemates.thor.checker import uses

        found, unread = uses(self.target)
        counts = Counter((use.kind, use.name, use.supported) for use in found)
        first = {(use.kind, use.name, use.supported): use.where for use in reversed(found)}
        rows = [
            {
                "what": kind,
                "name": name,
                "used": count,
                "known here": "yes" if good else "no",
                "first": first[key],
            }
            for key, count in sorted(counts.items())
            for kind, name, good in [key]
        ]
        good = sum(count for (_, _, supported), count in counts.items() if supported)
        if self.json:
            report = {"uses": len(found), "supported": good, "unread": unread, "rows": rows}
            print(json.dumps(report))
            return
        show_rows(rows)
        print(f"{good} of {len(found)} uses of AI2-THOR are known here.")
        for line in unread:
            print(f"Not read: {line}")


@dataclass
class _OfGames(ABC):
    """Options of what is done with official TEACh games."""

    paths: tyro.conf.Positional[list[Path]]
    """Folders of *.game.json, packed .jsonl.zst files, or stores."""
    store: Path | None = None
    """Folder of the store that knows the floor plans; the user's data folder by default."""
    limit: int | None = None
    """Maximum number of games."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Go through the games with one controller and print what came of them."""
        from housemates.benchmarks.teach.formats.episodes import GAMES
        from housemates.data.records import Skipped, choose, nothing_done
        from housemates.data.store import needed_store
        from housemates.parallel import track
        from housemates.reporting.facts import show_facts
        from housemates.thor.controller import Controller

        store = needed_store(self.store)
        controller = Controller(store=store.folder)
        skipped: list[Skipped] = []
        found = []
        texts = choose(GAMES.texts(self.paths, skipped), None, self.limit)
        for text in track(texts, self.limit, None if self.json else "games"):
            try:
                found.append(self.of(controller, text.parse(), store))
            except HousematesError as error:
                skipped.append(Skipped(text.id, str(error)))
        if not found:
            raise nothing_done(self.paths[0], skipped)
        show_facts({**self.summary(found), "skipped": len(skipped)}, self.json, skipped)

    @abstractmethod
    def of(self, controller: Controller, game: Game, store: Store) -> Any:
        """What comes of one game."""

    @abstractmethod
    def summary(self, found: list[Any]) -> dict[str, Any]:
        """What came of all."""


@dataclass
class Records(_OfGames):
    """Load the first states of official games by SetObjectPoses and compare every field with the record."""

    def of(self, controller: Controller, game: Game, store: Store) -> Any:
        """How each field of each record compares."""
        from housemates.thor.conformance import compare

        return list(compare(controller, game))

    def summary(self, found: list[Any]) -> dict[str, Any]:
        """How often ours is the same."""
        from housemates.thor.conformance import summary

        return summary(found)


@dataclass
class Games(_OfGames):
    """Play official games with AI2-THOR's calls alone and compare how they end with `housemates replay`."""

    def of(self, controller: Controller, game: Game, store: Store) -> Any:
        """How the game ends."""
        from housemates.thor.games import play

        return play(controller, game, store)

    def summary(self, found: list[Any]) -> dict[str, Any]:
        """How many end as they should."""
        from housemates.thor.games import summary

        return summary(found)


@dataclass
class Run:
    """Run a program written for AI2-THOR with its published client (2.1, 3.1 or newer), unchanged.

    Wherever it names no build, as in `Controller()` or ALFRED's `ThorEnv()`, the client starts
    `housemates thor-server`; no display is needed. The exit code is the program's.
    """

    command: tyro.conf.Positional[list[str]]
    """After `--`: the program and its arguments."""

    def run(self) -> None:
        """Run it, and exit as it does."""
        from housemates.thor.launcher import run

        if not self.command:
            raise HousematesError("housemates thor run: expected `-- COMMAND ...`.")
        code = run(self.command, os.environ)
        if code:
            raise SystemExit(code)


COMMANDS = {"run": Run, "check": Check, "records": Records, "games": Games}


def main(verb: str, argv: list[str]) -> None:
    """Run the command that the first word names."""
    options.choose(COMMANDS, f"housemates {verb}", argv)
