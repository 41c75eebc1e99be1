"""Numbers about a set of recorded games, as the paper's Table 3."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from statistics import mean, median
from typing import Any

from housemates.benchmarks.cerealbar.formats.episodes import SPLITS, Recording
from housemates.data.replays import counted
from housemates.files import shipped

TOKEN = re.compile(r"\w+(?=n't)|n't|'\w+|\w+|[^\w\s]")
"""Words and marks as the Penn treebank cuts them: `don't` is two, a comma is one."""


def tokenise(text: str) -> list[str]:
    """Lower-case tokens of an instruction."""
    return TOKEN.findall(text.lower())


def vocabulary(recordings: Iterable[Recording]) -> set[str]:
    """Every token type of the instructions."""
    return {token for game in recordings for item in game.instructions for token in tokenise(item.text)}


def describe(recordings: Sequence[Recording]) -> dict[str, Any]:
    """Mean, median and maximum of each quantity, the paper's beside them, and the totals."""
    instructions = [item for game in recordings for item in game.instructions if item.completed]
    values: dict[str, list[float]] = {
        "game time (s)": [game.seconds for game in recordings],
        "score": [float(game.score) for game in recordings],
        "instructions / game": [float(sum(i.completed for i in game.instructions)) for game in recordings],
        "tokens / instruction": [float(len(tokenise(item.text))) for item in instructions],
        "actions / instruction": [float(len(item.actions)) for item in instructions],
    }
    paper = shipped("housemates.benchmarks.cerealbar", "published.toml")["corpus"]
    table = {
        name: {
            "mean": round(mean(found), 2) if found else 0.0,
            "median": median(found) if found else 0.0,
            "max": max(found, default=0.0),
            **dict(zip(("paper mean", "paper median", "paper max"), paper[name], strict=True)),
        }
        for name, found in values.items()
    }
    splits = {split: sum(game.split == split for game in recordings) for split in SPLITS}
    return {
        "games": len(recordings),
        **splits,
        "instructions": len(instructions),
        "vocabulary": len(vocabulary(recordings)),
        "with_point": counted(game.score > 0 for game in recordings),
        "statistics": table,
    }
