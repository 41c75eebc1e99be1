"""`housemates verify tdl|verdicts`: our answers beside those of the reference checker."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from housemates.benchmarks.teach.files import instances
from housemates.benchmarks.teach.files.episodes import Game, Snapshot, read_games
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.tasks.catalogue import BoundTask, Library, Progress, Subgoal
from housemates.benchmarks.teach.tasks.tdl.conditions import Object
from housemates.benchmarks.teach.tasks.tdl.definitions import parse_tasks
from housemates.data.records import Skipped
from housemates.data.store import open_store
from housemates.errors import HousematesError
from housemates.files import read_lines
from housemates.parallel import track
from housemates.reporting.printing import show

Report = dict[str, Any]


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
        library: Library | None = None
        for number, case in read_lines(self.file):
            if case.get("kind") == "definitions":
                library = Library(parse_tasks(case, str(self.file)), str(self.file))
                continue
            if library is None:
                raise HousematesError(f"{self.file}: line {number}: expected the definitions first.")
            start = time.process_time()
            progress = tasks.check(_case_task(case, library), case["objects"])
            seconds += time.process_time() - start
            report["cases"] += 1
            if "error" in case["expected"]:
                continue
            report["compared"] += 1
            fields = differences(progress, case["expected"], ordered=case["kind"] == "task")
            report["differences"] += bool(fields)
            if fields and not self.json:
                print(f"line {number}: {case['spec']}: differs in {', '.join(fields)}")
        report["checks_per_cpu_s"] = round(report["cases"] / seconds) if seconds else 0
        show(report, self.json)


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
        expected = {line.value["game_id"]: line.value for line in read_lines(self.verdicts)}
        skipped: list[Skipped] = []
        report: Report = {"games": 0, "agree": 0, "agree_with_shipped_definitions": 0}
        for game in _tracked(read_games([self.games], skipped), len(expected), "games", self.json):
            if game.id not in expected:
                skipped.append(Skipped(game.id, "the reference gives no verdict"))
                continue
            own = tasks.game_task(game.task.definition(), game.id)
            shipped = tasks.bind(game.task.task_name, game.task.params)
            report["games"] += 1
            report["agree"] += agrees(game, own, expected[game.id])
            report["agree_with_shipped_definitions"] += agrees(game, shipped, expected[game.id])
        show({**report, "skipped": len(skipped)}, self.json, skipped)


def differences(progress: Progress, expected: Mapping[str, Any], ordered: bool) -> list[str]:
    """The fields in which a progress check differs from the reference's answer.

    Two things in the reference depend on the hash seed of its process and are compared as sets: the order
    of the components made from state changes, and which of several fitting receptacle types a problem names.
    """
    found = {
        "success": progress.success == expected["success"],
        "goal_conditions_total": progress.total == expected["goal_conditions_total"],
        "goal_conditions_satisfied": progress.satisfied == expected["goal_conditions_satisfied"],
        "satisfied_objects": _ids(progress.satisfied_objects) == expected["satisfied_objects"],
        "candidate_objects": _ids(progress.candidate_objects) == expected["candidate_objects"],
        "subgoals": _same_subgoals(progress.subgoals, expected["subgoals"], ordered),
    }
    return [name for name, same in found.items() if not same]


def _case_task(case: Mapping[str, Any], library: Library) -> BoundTask:
    if case["kind"] == "edh":
        return tasks.task_of_changes(case["spec"]["objects"])
    name, params = case["spec"]
    return library.bind(name, params)


def _ids(objects: Sequence[Object] | None) -> list[str] | None:
    return None if objects is None else [item["objectId"] for item in objects]


def _same_subgoals(ours: Sequence[Subgoal], theirs: Sequence[Any], ordered: bool) -> bool:
    if len(ours) != len(theirs):
        return False
    if not ordered:
        ours = sorted(ours, key=lambda each: json.dumps(each.as_dict(), sort_keys=True))
        theirs = sorted(theirs, key=lambda each: json.dumps(each, sort_keys=True))
    return all(_as_expected(one, other) == other for one, other in zip(ours, theirs, strict=True))


def _as_expected(subgoal: Subgoal, expected: Mapping[str, Any]) -> dict[str, Any]:
    """The subgoal in the official form, naming the expected one of several values that would do."""
    ours = subgoal.as_dict()
    for object_id, problems in (subgoal.problems or {}).items():
        theirs = dict(expected["problem_keys"]).get(object_id, []) if expected["problem_keys"] else []
        for problem, row, other in zip(problems, ours["problem_keys"][object_id], theirs, strict=False):
            if other["desired_property_value"] in problem.or_desired:
                row["desired_property_value"] = other["desired_property_value"]
    return ours


def agrees(game: Game, task: BoundTask, expected: Mapping[str, Any]) -> bool:
    """Whether a task's verdicts on both recorded states of a game are the expected ones."""
    states = {"initial_state": game.episode.initial_state, "final_state": game.episode.final_state}
    return all(_verdict(task, state) == expected[name] for name, state in states.items())


def _verdict(task: BoundTask, state: Snapshot) -> dict[str, Any]:
    progress = tasks.check(task, tasks.with_custom(state.objects, state.custom_object_metadata))
    return {
        "success": progress.success,
        "goal_conditions_total": progress.total,
        "goal_conditions_satisfied": progress.satisfied,
    }


def _tracked(games: Iterator[Game], total: int, label: str, quiet: bool) -> Iterator[Game]:
    return track(games, total, None if quiet else label)


@dataclass
class Edh:
    """Cut EDH instances from games and compare them with the official ones."""

    samples: tyro.conf.Positional[Path]
    """Official instances: a folder of *.edh*.json or a packed .jsonl.zst."""
    games: Annotated[list[Path], tyro.conf.UseAppendAction, tyro.conf.arg(metavar="GAMES")]
    """Official games; may be given several times."""
    store: Path | None = None
    """Folder of the store that knows the floor plans; the user's data folder by default."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Compare history, future, start and state changes of every sample whose game is there."""
        store = open_store(self.store)
        expected = {each.instance_id: each for each in instances.read_edh(self.samples)}
        wanted = {each.game_id for each in expected.values()}
        skipped: list[Skipped] = []
        ours: dict[str, instances.Edh] = {}
        for game in _tracked(read_games(self.games, skipped, wanted), len(wanted), "games", self.json):
            ours |= {each.instance_id: each for each in instances.cut_edh(game, store=store)}
        report = {"instances": len(expected), **dict.fromkeys(_EDH_FIELDS, 0), "skipped": len(skipped)}
        for name, theirs in expected.items():
            mine = ours.get(name)
            for field, attributes in _EDH_FIELDS.items():
                same = mine is not None and all(getattr(mine, a) == getattr(theirs, a) for a in attributes)
                report[field] += same
                if not same and not self.json:
                    print(f"{name}: {field} does not hold")
        show(report, self.json, skipped)


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


@dataclass
class Split:
    """Compare which EDH instances we cut with an official list of them, such as a divided split's."""

    names: tyro.conf.Positional[Path]
    """One instance file name a line."""
    games: Annotated[list[Path], tyro.conf.UseAppendAction, tyro.conf.arg(metavar="GAMES")]
    """Official games; may be given several times."""
    store: Path | None = None
    """Folder of the store that knows the floor plans; the user's data folder by default."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Count the listed instances that we cut, those we do not, and ours that are not listed."""
        store = open_store(self.store)
        listed = instances.read_split(self.names)
        wanted = {name.rpartition(".")[0] for name in listed}
        skipped: list[Skipped] = []
        ours = {
            each.instance_id
            for game in read_games(self.games, skipped, wanted)
            for each in instances.cut_edh(game, store=store)
        }
        report = {"listed": len(listed), "cut": len(ours & listed), "missing": len(listed - ours)}
        show({**report, "unlisted": len(ours - listed), "skipped": len(skipped)}, self.json, skipped)


@dataclass
class Cleaning:
    """Compare cleaned utterances with how people corrected them."""

    games: Annotated[list[Path], tyro.conf.UseAppendAction, tyro.conf.arg(metavar="GAMES")]
    """Official games; may be given several times."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Count the corrected utterances that come out as corrected, and the others that stay as they are."""
        from housemates.benchmarks.teach.files.cleaning import clean

        skipped: list[Skipped] = []
        counts = {1: Counter[bool](), 0: Counter[bool]()}
        for game in _tracked(read_games(self.games, skipped), 0, "games", True):
            for each in game.episode.interactions:
                if each.text is not None and each.is_corrected in (0, 1):
                    same = clean(each.text) == each.corrected_utterance
                    counts[int(each.is_corrected)][same] += 1
        corrected, alone = counts[1], counts[0]
        report = {
            "corrected": corrected.total(),
            "as_corrected": _share(corrected),
            "left_alone": alone.total(),
            "as_left": _share(alone),
            "skipped": len(skipped),
        }
        show(report, self.json, skipped)


def _share(counts: Counter[bool]) -> float:
    return round(counts[True] / counts.total(), 4) if counts else 0.0
