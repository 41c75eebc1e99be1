"""`housemates verify tdl|verdicts|games|edh|split|cleaning`: our answers beside official ones."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import tyro

from housemates.benchmarks.teach.formats import instances
from housemates.benchmarks.teach.formats.cases import read_cases, read_verdicts
from housemates.benchmarks.teach.formats.episodes import GAMES, Game
from housemates.benchmarks.teach.formats.reference import (
    agrees,
    contradictions,
    differences,
    played_progress,
    told_progress,
)
from housemates.benchmarks.teach.tasks import catalogue
from housemates.benchmarks.teach.tasks.catalogue import Progress
from housemates.data.records import Skipped, nothing_done
from housemates.data.replays import counted
from housemates.data.store import open_store
from housemates.errors import HousematesError, NothingDone
from housemates.parallel import track
from housemates.reporting.facts import show_facts
from housemates.reporting.words import worded

Report = dict[str, Any]
Done = TypeVar("Done")


@dataclass
class Tdl:
    """Compare progress checks with the reference checker's on random states."""

    file: tyro.conf.Positional[Path]
    """Cases: the definitions first, then one state, task and expected answer a line."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Check every case and count the differences."""
        report: Report = {"cases": 0, "compared": 0, "differences": 0}
        seconds = 0.0
        for number, case, library in track(read_cases(self.file), None, None if self.json else "cases"):
            start = time.process_time()
            progress = catalogue.check(case.task(library), case.objects)
            seconds += time.process_time() - start
            report["cases"] += 1
            if case.expected.error:
                continue
            report["compared"] += 1
            fields = differences(progress, case.expected, ordered=case.kind == "task")
            report["differences"] += bool(fields)
            if fields and not self.json:
                print(f"line {number}: differs in {', '.join(fields)}")
        if not report["cases"]:
            raise NothingDone(f"{self.file}: nothing to do: there are definitions, but no cases.")
        report["checks_per_cpu_s"] = round(report["cases"] / seconds) if seconds else 0
        show_facts(report, self.json)


@dataclass
class Verdicts:
    """Compare our verdicts on the recorded states of official games with the reference checker's."""

    games: tyro.conf.Positional[Path]
    """A folder of *.game.json or a packed .jsonl.zst."""
    verdicts: tyro.conf.Positional[Path]
    """The reference's answers, one game a line."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Check both recorded states of every game, by its own definitions and by the shipped ones."""
        expected = read_verdicts(self.verdicts)
        skipped: list[Skipped] = []
        report: Report = {"games": 0, "agree": 0, "agree_with_shipped_definitions": 0}

        def compare(game: Game) -> tuple[bool, bool]:
            if game.id not in expected:
                raise HousematesError("the reference gives no verdict.")
            own = catalogue.game_task(game.task.definition(), game.id)
            shipped = catalogue.bind(game.task.task_name, game.task.params)
            return agrees(game, own, expected[game.id]), agrees(game, shipped, expected[game.id])

        for own, shipped in _tracked(GAMES.use(compare, [self.games], skipped), len(expected), self.json):
            report["games"] += 1
            report["agree"] += own
            report["agree_with_shipped_definitions"] += shipped
        if not report["games"]:
            raise nothing_done(self.games, skipped)
        show_facts({**report, "skipped": len(skipped)}, self.json, skipped)


@dataclass
class Games:
    """Check that games carry the fields from which the published checker gets the same verdicts."""

    games: tyro.conf.Positional[list[Path]]
    """Folders of *.game.json, such as `housemates generate teach` writes, or packed .jsonl.zst files."""
    store: Path | None = None
    """Folder of the store that knows the floor plans of official games."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Compare the verdicts by the fields of both states with those of the game played again."""
        store = open_store(self.store)
        skipped: list[Skipped] = []
        report: Report = {"games": 0, "agree": 0, "incomplete_at_the_start": 0, "complete_at_the_end": 0}

        def compare(game: Game) -> tuple[str, dict[str, Progress], list[str]]:
            task = catalogue.game_task(game.task.definition(), game.id)
            told = told_progress(game, task)
            return game.id, told, contradictions(told, played_progress(game, task, store))

        for name, told, wrong in _tracked(GAMES.use(compare, self.games, skipped), None, self.json):
            report["games"] += 1
            report["agree"] += not wrong
            report["incomplete_at_the_start"] += not told["initial_state"].success
            report["complete_at_the_end"] += bool(told["final_state"].success)
            for each in wrong if not self.json else ():
                print(f"{name}: {each}")
        if not report["games"]:
            raise nothing_done(self.games, skipped)
        show_facts({**report, "skipped": len(skipped)}, self.json, skipped)
        if report["agree"] < report["games"]:
            sys.exit(1)


def _tracked(games: Iterator[Done], total: int | None, quiet: bool) -> Iterator[Done]:
    return track(games, total, None if quiet else "games")


@dataclass
class _OfGames:
    """Options of what is compared with instances that we cut from games."""

    games: Annotated[list[Path], tyro.conf.UseAppendAction, tyro.conf.arg(metavar="GAMES")]
    """Official games; may be given several times."""
    store: Path | None = None
    """Folder of the store that knows the floor plans; the user's data folder by default."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def cut(self, wanted: set[str], skipped: list[Skipped]) -> dict[str, instances.Edh]:
        """Our EDH instances of the games of these ids."""
        store = open_store(self.store)
        made = GAMES.use(lambda game: list(instances.cut_edh(game, store=store)), self.games, skipped, wanted)
        found = _tracked(made, len(wanted), self.json)
        return {each.instance_id: each for cut in found for each in cut}


@dataclass(kw_only=True)
class Edh(_OfGames):
    """Cut EDH instances from games and compare them with the official ones."""

    samples: tyro.conf.Positional[Path]
    """Official instances: a folder of *.edh*.json or a packed .jsonl.zst."""

    def run(self) -> None:
        """Compare history, future, start and state changes of every sample whose game is there."""
        skipped: list[Skipped] = []
        expected = {each.instance_id: each for each in instances.read_edh(self.samples, skipped)}
        ours = self.cut({each.game_id for each in expected.values()}, skipped)
        report = {"instances": len(expected), **dict.fromkeys(_EDH_FIELDS, 0)}
        for name, theirs in expected.items():
            mine = ours.get(name)
            if mine is None:
                skipped.append(Skipped(name, f"we cut no such instance from game {theirs.game_id}"))
                continue
            for field, attributes in _EDH_FIELDS.items():
                same = all(getattr(mine, a) == getattr(theirs, a) for a in attributes)
                report[field] += same
                if not same and not self.json:
                    print(f"{name}: not {worded(field)}")
        if not expected.keys() & ours.keys():
            raise nothing_done(self.samples, skipped)
        show_facts({**report, "skipped": len(skipped)}, self.json, skipped)


_EDH_FIELDS = {
    "history_equal": (
        "dialog_history",
        "dialog_history_cleaned",
        "driver_action_history",
        "driver_image_history",
    ),
    "future_equal": ("driver_actions_future", "driver_images_future", "future_subgoals"),
    "start_equal": ("pred_start_idx", "interactions"),
    "state_changes_equal": ("state_changes",),
}


@dataclass(kw_only=True)
class Split(_OfGames):
    """Compare which EDH instances we cut with an official list of them, such as a divided split's."""

    names: tyro.conf.Positional[Path]
    """A file with one instance name per line."""

    def run(self) -> None:
        """Count the listed instances that we cut, those we do not, and ours that are not listed."""
        listed = instances.read_split(self.names)
        skipped: list[Skipped] = []
        ours = self.cut({name.rpartition(".")[0] for name in listed}, skipped).keys()
        if not ours and not skipped:
            raise NothingDone(f"{self.names}: nothing to do: there is no game that it lists.")
        if not ours:
            raise nothing_done(self.games, skipped)
        report = {"listed": len(listed), "cut": len(ours & listed), "missing": len(listed - ours)}
        show_facts({**report, "unlisted": len(ours - listed), "skipped": len(skipped)}, self.json, skipped)


@dataclass
class Cleaning:
    """Compare cleaned utterances with how people corrected them."""

    games: Annotated[list[Path], tyro.conf.UseAppendAction, tyro.conf.arg(metavar="GAMES")]
    """Official games; may be given several times."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Count the corrected utterances that come out as corrected, and the others that stay as they are."""
        from housemates.benchmarks.teach.formats.chat_cleanup import clean

        skipped: list[Skipped] = []
        counts = {1: Counter[bool](), 0: Counter[bool]()}
        for game in _tracked(GAMES.read(self.games, skipped), None, self.json):
            for each in game.episode.interactions:
                if each.text is not None and each.is_corrected in (0, 1):
                    same = clean(each.text) == each.corrected_utterance
                    counts[int(each.is_corrected)][same] += 1
        corrected, alone = counts[1], counts[0]
        if not corrected and not alone:
            raise nothing_done(self.games, skipped)
        report = {
            "as_corrected": counted(corrected.elements()),
            "as_left": counted(alone.elements()),
            "skipped": len(skipped),
        }
        show_facts(report, self.json, skipped)
