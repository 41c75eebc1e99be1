"""The paper's numbers: score, success, moves of successful episodes, and questions, by level and quest."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

from housemates.benchmarks.handmethat.env import HandMeThatEnv
from housemates.benchmarks.handmethat.tasks.meanings import QUESTS

PAPER: dict[str, dict[str, tuple[tuple[float, float] | None, ...]]] = {
    "2 full": {
        "human": ((100, 4.1), (80, 4.2), (40, 5.2), (30, 4.5)),
        "heuristic": ((100.0, 4.2), (64.0, 4.1), (39.2, 4.1), (29.2, 4.1)),
        "random": ((0.0, 0), (0.1, 30.0), (0.0, 0), (0.0, 0)),
        "seq2seq": ((30.4, 4.0), (28.8, 4.0), (12.8, 4.0), (14.8, 4.0)),
    },
    "2 partial": {
        "human": ((100, 7.8), (80, 7.5), (40, 8.4), (30, 8.0)),
        "random": ((0.0, 0), (0.4, 16.0), (0.0, 0), (0.0, 0)),
        "seq2seq": ((30.4, 4.0), (31.2, 4.0), (16.4, 4.1), (12.0, 4.0)),
    },
    "1 full": {
        "human": ((92, 4.4), (80, 4.8), (36, 4.3), (16, 4.5)),
        "heuristic": ((94.9, 4.2), (28.1, 4.4), (12.0, 4.3), (17.8, 4.4)),
        "random": ((0.0, 0), (0.1, 30.0), (0.0, 0), (0.0, 0)),
        "seq2seq": ((22.4, 4.0), (6.8, 4.3), (4.0, 4.3), (5.5, 4.1)),
    },
    "1 partial": {
        "human": ((76, 5.1), (52, 4.8), (20, 5.8), (8, 5.0)),
        "random": ((0.0, 0), (0.4, 16.0), (0.0, 0), (0.0, 0)),
        "seq2seq": ((25.5, 4.2), (10.4, 4.1), (3.9, 4.1), (5.3, 4.1)),
    },
}
"""Tables 2, 3, 5 and 6: success in percent and moves at levels 1 to 4, by version and observability."""


def of_episode(env: HandMeThatEnv) -> dict[str, float]:
    """The numbers of one finished episode."""
    return {
        "success": float(env.success),
        "score": env.score,
        "moves": float(env.moves),
        "questions": float(env.asked),
        "level": float(env.episode.level),
        "quest": float(QUESTS.index(env.episode.meaning.quest)),
        "version": float(env.episode.version),
        "fully": float(env.fully),
    }


def tables(scores: Sequence[dict[str, float]]) -> dict[str, Any]:
    """By level, by quest type and overall, with the paper's figures for people and baselines beside."""
    if not scores:
        return {"episodes": 0}
    by_level = {
        f"level {level}": row([score for score in scores if score["level"] == level]) for level in range(1, 5)
    }
    by_quest = {
        quest: row([score for score in scores if score["quest"] == number])
        for number, quest in enumerate(QUESTS)
    }
    key = f"{int(scores[0]['version'])} {'full' if scores[0]['fully'] else 'partial'}"
    paper = {
        who: {f"level {level}": _cell(value) for level, value in enumerate(values, start=1)}
        for who, values in PAPER[key].items()
    }
    return {
        **row(scores),
        "by level": {name: line for name, line in by_level.items() if line["episodes"]},
        "by quest": {name: line for name, line in by_quest.items() if line["episodes"]},
        f"paper, version {key} observability": paper,
    }


def row(scores: Sequence[dict[str, float]]) -> dict[str, Any]:
    """Averages over episodes; moves over successful ones."""
    won = [score["moves"] for score in scores if score["success"]]
    return {
        "episodes": len(scores),
        "success": _mean([100 * score["success"] for score in scores]),
        "score": _mean([score["score"] for score in scores]),
        "moves": _mean(won),
        "questions": _mean([score["questions"] for score in scores]),
    }


def _mean(values: Sequence[float]) -> float | None:
    return round(fmean(values), 2) if values else None


def _cell(value: tuple[float, float] | None) -> str:
    if value is None:
        return "N/A"
    success, moves = value
    return f"{success:g}%, {moves:g}" if moves else f"{success:g}%"
