"""The numbers: of whole games, of an instruction, and cascaded as the paper and as its code define it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, median
from typing import Any

from housemates.benchmarks.cerealbar.tasks.recorded import Executed, RecordedSession, Script
from housemates.benchmarks.cerealbar.world.state import Game
from housemates.core import scoring
from housemates.core.benchmark import Result
from housemates.files import shipped

COLUMNS = (
    "card_state",
    "environment_state",
    "action_sequence",
    "full_game_points",
    "instructions_followed",
    "points_scored",
)
"""Those of the paper's Table 1."""
FIRST = "0"
"""Tag `entry` of a game that is entered at its beginning."""


def published(*path: str) -> Mapping[str, Any]:
    """Rows of the paper's numbers by their place in `published.toml`."""
    found = shipped(__package__, "published.toml")
    for name in path:
        found = found[name]
    return found


def score_game(game: Game) -> dict[str, float]:
    """The numbers of a whole game; a success is a game with a point."""
    return {
        "success": float(game.score > 0),
        "points": float(game.score),
        "turns": float(game.turn),
        "instructions": float(len(game.instructions)),
    }


def summary_of_games(results: Sequence[Result]) -> dict[str, float]:
    """Means over whole games, and how the points are spread."""
    points = [each.score("points") for each in results]
    return {
        **scoring.percent(results, "success"),
        "points": round(fmean(points), 2),
        "median": median(points),
        "least": min(points),
        "most": max(points),
        "turns": round(scoring.mean(results, "turns"), 2),
        "instructions": round(scoring.mean(results, "instructions"), 2),
    }


def followed(script: Script, done: Executed) -> bool:
    """Whether an instruction was finished with the same cards changed as recorded."""
    gold = script.golds.get(done.number)
    return gold is not None and done.board is not None and done.changed == gold.changed


def score_entry(script: Script, first: int, session: RecordedSession) -> dict[str, float]:
    """All numbers of a game entered at one instruction; those that do not apply are left out."""
    gold, own = script.golds[first], session.executed[0]
    left = [number for number in script.completed if number >= first]
    flags = [followed(script, done) for done in session.executed if done.number in set(left)]
    streak = next((i for i, flag in enumerate(flags) if not flag), len(flags))
    points, all_points = session.points, len(script.taken)
    cards = own.board is not None and own.board == gold.board
    scores = {
        "success": float(cards),
        "card_state": float(cards),
        "environment_state": float(cards and own.pose[0] == gold.pose[0]),
        "environment_state_exact": float(cards and own.pose == gold.pose),
        "action_sequence": float(own.actions == gold.actions),
        "instructions_followed": sum(flags) / len(left),
        "followed_in_a_row": float(streak),
    }
    if all_points > session.points_before:
        scores["points_scored"] = points / (all_points - session.points_before)
    if all_points:
        scores["points_of_the_game"] = points / all_points
    if first == script.completed[0]:
        scores["full_game_points"] = float(points)
    return scores


def average(results: Sequence[Result], name: str) -> float:
    """The mean over the results that have this number; it is 0 for one with an error."""
    values = [each.score(name) for each in results if not each.scores or name in each.scores]
    return fmean(values) if values else 0.0


def table_row(results: Sequence[Result]) -> dict[str, float]:
    """A row of Table 1, in percent but for the points."""
    row = {name: round(100.0 * average(results, name), 2) for name in COLUMNS}
    entered = [each for each in results if each.tags.get("entry", FIRST) == FIRST]
    return {**row, "full_game_points": round(average(entered, "full_game_points"), 2)}


def released(results: Sequence[Result]) -> dict[str, float]:
    """Cascaded evaluation as the released code computes it.

    An entry ends with the first instruction not followed; instructions are counted per game; points are
    divided by all the sets of the game, also those made before the entry.
    """
    shares = []
    for game in scoring.grouped(results, lambda each: each.source).values():
        possible = sum(each.of - int(each.tags.get("entry", FIRST)) for each in game)
        shares.append(sum(each.score("followed_in_a_row") for each in game) / possible)
    return {
        "instructions_followed": round(100.0 * fmean(shares), 2) if shares else 0.0,
        "points_scored": round(100.0 * average(results, "points_of_the_game"), 2),
    }
