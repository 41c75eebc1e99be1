"""The numbers: of an instruction, of a whole game, and cascaded as the paper and as its code define it."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

from housemates.benchmarks.cerealbar.tasks.recorded import Executed, RecordedSession, Script

PAPER = {
    "full model (dev)": (58.2, 32.6, 15.8, 0.66, 20.5, 18.1),
    "seq2seq+attn (dev)": (35.3, 11.1, 9.4, 0.20, 8.8, 6.3),
    "static oracle (dev)": (99.7, 99.7, 100.0, 6.58, 98.5, 97.9),
    "full model (test)": (58.4, 32.1, 15.6, 0.62, 15.4, 17.9),
    "seq2seq+attn (test)": (37.3, 10.8, 8.5, 0.22, 8.7, 6.5),
    "static oracle (test)": (99.7, 99.7, 100.0, 6.66, 96.8, 95.6),
}
"""The paper's Table 1, in percent but for the points."""
COLUMNS = (
    "card state",
    "environment state",
    "action sequence",
    "full game points",
    "instructions followed",
    "points scored",
)


def followed(script: Script, done: Executed) -> bool:
    """Whether an instruction was finished with the same cards changed as recorded."""
    gold = script.golds.get(done.number)
    return gold is not None and done.board is not None and done.changed == gold.changed


def score_example(script: Script, first: int, session: RecordedSession) -> dict[str, float]:
    """All numbers of one example; those that do not apply are left out."""
    gold, own = script.golds[first], session.executed[0]
    left = [number for number in script.completed if number >= first]
    flags = [followed(script, done) for done in session.executed if done.number in set(left)]
    streak = next((i for i, flag in enumerate(flags) if not flag), len(flags))
    points = session.points
    all_points = len(script.taken)
    cards = own.board is not None and own.board == gold.board
    scores: dict[str, float] = {
        "card state": float(cards),
        "environment state": float(cards and own.pose[0] == gold.pose[0]),
        "environment state, exact": float(cards and own.pose == gold.pose),
        "action sequence": float(own.actions == gold.actions),
        "instructions followed": sum(flags) / len(left),
        "followed in a row": float(streak),
        "instructions left": float(len(left)),
    }
    if all_points > session.points_before:
        scores["points scored"] = points / (all_points - session.points_before)
    if all_points:
        scores["points of the game"] = points / all_points
    if first == script.completed[0]:
        scores["full game points"] = float(points)
    return scores


def average(scores: Sequence[dict[str, float]], name: str) -> float:
    """The mean over the examples that have this number."""
    values = [score[name] for score in scores if name in score]
    return mean(values) if values else 0.0


def table_row(scores: Sequence[dict[str, float]]) -> dict[str, float]:
    """A row of Table 1, in percent but for the points."""
    scale = {"full game points": 1.0}
    return {name: round(scale.get(name, 100.0) * average(scores, name), 2) for name in COLUMNS}


def released(games: Sequence[Sequence[dict[str, float]]]) -> dict[str, float]:
    """Cascaded evaluation as the released code computes it, from the scores of each game's examples.

    An example ends with the first instruction not followed; instructions are counted per game; points are
    divided by all the sets of the game, also those made before the example began.
    """
    shares = []
    for game in games:
        possible = sum(score["instructions left"] for score in game)
        shares.append(sum(score["followed in a row"] for score in game) / possible if possible else 0.0)
    scores = [score for game in games for score in game]
    return {
        "instructions followed": round(100.0 * mean(shares), 2) if shares else 0.0,
        "points scored": round(100.0 * average(scores, "points of the game"), 2),
    }
