"""Statistics of a set of episodes, and the paper's figures 4 to 7 of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

from housemates.benchmarks.handmethat.env import HandMeThatEnv
from housemates.benchmarks.handmethat.files.episodes import Episode, read
from housemates.benchmarks.handmethat.generate.making import generate_one

PAPER = {
    "objects": 230,
    "categories": 110,
    "previous_actions": 15,
    "plan": 25,
    "demonstration": 4.5,
    "words_fully": 860,
    "words_partially": 140,
}
"""Averages that the paper gives for version 1 (appendix B)."""


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


def collect(path: Path | None, count: int) -> list[Measured]:
    """Measure the episodes of a file or folder, or new ones."""
    episodes: Iterable[Episode]
    if path is None:
        episodes = (generate_one(0, number) for number in range(count))
    else:
        episodes = islice(read(path), count)
    return [measure(episode) for episode in episodes]


def measure(episode: Episode) -> Measured:
    """Count one episode."""
    env = HandMeThatEnv([episode])
    env.begin(episode)
    scene = episode.initial.scene
    return Measured(
        episode.level,
        episode.meaning.quest,
        episode.split,
        episode.goal.number,
        scene.size,
        len(scene.instances),
        len(episode.actions),
        len(episode.solution),
        len(episode.demo),
        len(env.narrator.welcome(True).split()),
        len(env.narrator.welcome(False).split()),
    )


def summary(found: Sequence[Measured]) -> dict[str, Any]:
    """Averages beside the paper's, and how episodes spread over levels, quests and splits."""
    numbers = [field.name for field in fields(Measured) if field.name in PAPER]
    return {
        "episodes": len(found),
        **{name: round(fmean(getattr(row, name) for row in found), 1) if found else None for name in numbers},
        "paper": PAPER,
        "levels": _counts(str(row.level) for row in found),
        "quests": _counts(row.quest for row in found),
        "splits": _counts(row.split for row in found),
        "goals": _counts(str(row.goal) for row in found),
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
