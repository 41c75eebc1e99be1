"""Statistics of a set of episodes, and the paper's figures 4 to 7 of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

from housemates.benchmarks.handmethat.formats.places import places, read
from housemates.benchmarks.handmethat.generate.synthesis import generate_one
from housemates.benchmarks.handmethat.tasks.episodes import Episode
from housemates.benchmarks.handmethat.world.narration import STANDARD, Narrator
from housemates.data.records import Skipped, nothing_done
from housemates.files import shipped
from housemates.reporting.pages import Figure, Page
from housemates.reporting.plots import histogram
from housemates.reporting.words import several

PACKAGE = "housemates.benchmarks.handmethat"
NEW = 200
"""Episodes that are made where none are given and nobody says how many."""


@dataclass(frozen=True)
class Measured:
    """What is counted in one episode."""

    level: int
    quest: str
    split: str
    goal: int
    objects: int
    categories: int
    previous_actions: int
    plan: int
    demonstration: int
    words_fully: int
    words_partially: int


def collect(path: Path | None, limit: int | None, skipped: list[Skipped]) -> list[Measured]:
    """Measure the episodes of a file or folder, or `NEW` new ones; no more than a limit, if there is one.

    Those that cannot be read are added to `skipped`.
    """
    episodes: Iterable[Episode]
    if path is None:
        episodes = (generate_one(0, number) for number in range(limit or NEW))
    else:
        episodes = islice(read(path, skipped), limit)
    found = [measure(episode) for episode in episodes]
    if not found:
        raise nothing_done(path, skipped)
    return found


def count(path: Path) -> int:
    """How many episodes a file or folder has."""
    return sum(1 for _ in places(path))


def part_of(used: int, there: int) -> str:
    """How many episodes were used of those that there are, in words."""
    return several(used, "episode") if used == there else f"{used:,} of {several(there, 'episode')}"


def measure(episode: Episode) -> Measured:
    """The numbers of one episode, by name."""
    narrator = Narrator(episode.current, STANDARD)
    scene = episode.scene
    return Measured(
        episode.level,
        episode.meaning.quest,
        episode.split,
        episode.goal_number,
        scene.size,
        len(scene.instances),
        len(episode.actions),
        len(episode.solution),
        len(episode.demo),
        len(narrator.welcome(True).split()),
        len(narrator.welcome(False).split()),
    )


def summary(found: Sequence[Measured]) -> dict[str, Any]:
    """Averages beside the paper's, and how episodes spread over levels, quests and splits."""
    published = shipped(PACKAGE, "published.toml")
    paper, levels = published["averages"], published["levels"]["version_2"]
    return {
        "episodes": len(found),
        **{name: round(fmean(getattr(each, name) for each in found), 1) for name in paper},
        "paper": paper,
        "levels": _counts(str(each.level) for each in found),
        "level_percent": _percent([sum(each.level == level for each in found) for level in range(1, 5)]),
        "level_percent_paper": _percent([sum(column) for column in zip(*levels.values(), strict=True)]),
        "quests": _counts(each.quest for each in found),
        "splits": _counts(each.split for each in found),
        "goals": _counts(str(each.goal) for each in found),
    }


def _percent(counts: Sequence[int]) -> dict[str, float]:
    """The shares of levels 1 to 4."""
    return {str(level): round(100 * count / sum(counts), 1) for level, count in enumerate(counts, start=1)}


def _counts(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items(), key=lambda pair: (len(pair[0]), pair[0])))


FIGURES = {
    "categories": "Categories in a home (Figure 4)",
    "objects": "Objects in a home (Figure 4)",
    "previous_actions": "Actions before she asks (Figure 5)",
    "plan": "Actions of the whole plan (Figure 5)",
    "demonstration": "Commands of the expert (Figure 6)",
    "words_fully": "Words of the first text, fully observable (Figure 7)",
    "words_partially": "Words of the first text, partially observable (Figure 7)",
    "level": "Hardness level",
}
"""What is plotted, and what the values are."""


def page_of(found: Sequence[Measured], there: int, title: str) -> Page:
    """Averages, shares of levels and how often each value occurs, and of how many episodes, on a page."""
    told = summary(found)
    page = Page(title)
    page.section(f"Averages of {part_of(len(found), there)}")
    page.table(beside(told))
    page.section("Levels, in percent")
    page.table(levels_beside(told))
    page.section("Quests and splits")
    page.facts({"quests": told["quests"], "splits": told["splits"]})
    page.section("Figures")
    page.figures(
        Figure(measured, histogram([getattr(each, name) for each in found], measured, "episodes"))
        for name, measured in FIGURES.items()
    )
    return page


def beside(told: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The averages of a summary with the paper's."""
    return {
        name.replace("_", " "): {"here": told[name], "paper, version 1": value}
        for name, value in told["paper"].items()
    }


def levels_beside(told: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    """The shares of levels of a summary with the paper's."""
    return {"here": told["level_percent"], "paper, version 2": told["level_percent_paper"]}
