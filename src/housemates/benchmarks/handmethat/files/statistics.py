"""Statistics of a set of episodes, and the paper's figures 4 to 7 of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

from housemates.benchmarks.handmethat.files.places import read
from housemates.benchmarks.handmethat.generate.making import generate_one
from housemates.benchmarks.handmethat.tasks.episodes import Episode
from housemates.benchmarks.handmethat.world.narration import STANDARD, Narrator
from housemates.errors import HousematesError
from housemates.files import shipped


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


def collect(path: Path | None, limit: int) -> list[Measured]:
    """Measure the episodes of a file or folder, or new ones; no more than a limit."""
    episodes: Iterable[Episode]
    if path is None:
        episodes = (generate_one(0, number) for number in range(limit))
    else:
        episodes = islice(read(path), limit)
    found = [measure(episode) for episode in episodes]
    if not found:
        raise HousematesError(f"{path}: holds no episodes.")
    return found


def measure(episode: Episode) -> Measured:
    """Count one episode."""
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
    paper = published()["averages"]
    return {
        "episodes": len(found),
        **{name: round(fmean(getattr(each, name) for each in found), 1) for name in paper},
        "paper": paper,
        "levels": _counts(str(each.level) for each in found),
        "quests": _counts(each.quest for each in found),
        "splits": _counts(each.split for each in found),
        "goals": _counts(str(each.goal) for each in found),
    }


def _counts(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items(), key=lambda pair: (len(pair[0]), pair[0])))


FIGURES = {
    "figure-4-scenes": (("categories", "Categories"), ("objects", "Objects")),
    "figure-5-human-actions": (("previous_actions", "Actions before she asks"), ("plan", "Whole plan")),
    "figure-6-demonstrations": (("demonstration", "Expert's commands"),),
    "figure-7-words": (("words_fully", "Words, fully observable"), ("words_partially", "Words, partially")),
    "levels": (("level", "Hardness level"),),
}


def plot(found: Sequence[Measured], folder: Path) -> list[Path]:
    """Draw the figures as PNG files."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, panels in FIGURES.items():
        figure = Figure(figsize=(4.2 * len(panels), 3.2), layout="constrained")
        FigureCanvasAgg(figure)
        for position, (column, title) in enumerate(panels, start=1):
            axes = figure.add_subplot(1, len(panels), position)
            values = [getattr(row, column) for row in found]
            few = len(set(values)) <= 30
            bins = [edge - 0.5 for edge in range(min(values), max(values) + 2)] if few else 30
            axes.hist(values, bins=bins, color="#3b6ea5", edgecolor="white", linewidth=0.4)
            axes.set_xlabel(title)
            axes.set_ylabel("episodes")
            if few:
                axes.set_xticks(range(min(values), max(values) + 1, max(1, len(set(values)) // 8)))
        path = folder / f"{name}.png"
        figure.savefig(path, dpi=120)
        written.append(path)
    return written
