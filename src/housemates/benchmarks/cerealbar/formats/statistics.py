"""Numbers about a set of recorded games, as the paper's Table 3."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from statistics import mean, median
from typing import Any

from housemates.benchmarks.cerealbar.formats.episodes import SPLITS, Recording
from housemates.data.replays import counted
from housemates.files import shipped
from housemates.reporting.pages import Figure, Page
from housemates.reporting.plots import histogram

PARTS = 4
"""Of a set of games, in their order."""
TABLES = ("statistics", "over_time")
"""What of a description are tables."""
TOKEN = re.compile(r"\w+(?=n't)|n't|'\w+|\w+|[^\w\s]")
"""Words and marks as the Penn treebank cuts them: `don't` is two, a comma is one."""


def tokenise(text: str) -> list[str]:
    """Lower-case tokens of an instruction."""
    return TOKEN.findall(text.lower())


def vocabulary(recordings: Iterable[Recording]) -> set[str]:
    """Every token type of the instructions."""
    return {token for game in recordings for item in game.instructions for token in tokenise(item.text)}


def quantities(recordings: Sequence[Recording]) -> dict[str, list[float]]:
    """Each quantity of the paper's Table 3, once for each game or completed instruction."""
    instructions = [item for game in recordings for item in game.instructions if item.completed]
    return {
        "game time (s)": [game.seconds for game in recordings],
        "score": [float(game.score) for game in recordings],
        "instructions / game": [float(sum(i.completed for i in game.instructions)) for game in recordings],
        "tokens / instruction": [float(len(tokenise(item.text))) for item in instructions],
        "actions / instruction": [float(len(item.actions)) for item in instructions],
    }


def over_time(recordings: Sequence[Recording]) -> list[dict[str, Any]]:
    """How long instructions are, and how many words were used so far, quarter by quarter of the games."""
    found = []
    for part in range(PARTS):
        start, end = (len(recordings) * each // PARTS for each in (part, part + 1))
        lengths = [len(tokenise(item.text)) for game in recordings[start:end] for item in game.instructions]
        if lengths:
            found.append(
                {
                    "games": f"{start + 1} to {end}",
                    "tokens / instruction": round(mean(lengths), 2),
                    "vocabulary": len(vocabulary(recordings[start:end])),
                    "vocabulary so far": len(vocabulary(recordings[:end])),
                }
            )
    return found


def describe(recordings: Sequence[Recording]) -> dict[str, Any]:
    """Mean, median and maximum of each quantity, the paper's beside them, and the totals."""
    values = quantities(recordings)
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
        "instructions": len(values["tokens / instruction"]),
        "vocabulary": len(vocabulary(recordings)),
        "with_point": counted(game.score > 0 for game in recordings),
        "statistics": table,
        "over_time": over_time(recordings),
    }


def page_of(recordings: Sequence[Recording], found: Mapping[str, Any], title: str) -> Page:
    """What `describe` found, and how often each value occurs, on a page."""
    page = Page(title)
    page.facts({name: value for name, value in found.items() if name not in TABLES})
    page.section("Beside the paper's Table 3")
    page.table(found["statistics"])
    page.section("Language over time")
    page.rows(found["over_time"])
    page.section("Figures")
    page.figures(
        Figure(name, histogram(values, name, "instructions" if name.endswith("instruction") else "games"))
        for name, values in quantities(recordings).items()
        if values
    )
    return page
