"""Real demonstrations, and a store that knows their floor plans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from housemates.benchmarks.alfred.formats.episodes import Trajectory, read_texts
from housemates.benchmarks.alfred.formats.ingestion import import_trajectories
from housemates.benchmarks.teach.formats.ingestion import import_games
from housemates.data.store import Store
from housemates.files import read_text_lines, write_text_lines

TRAJECTORIES = 24
GAMES = 250
DEMONSTRATIONS = 12
PLAN = re.compile(r'"floor_plan": ?"(\w+)"')


@pytest.fixture(scope="session")
def trajectories(real_data: Path) -> list[Trajectory]:
    """Every tenth of the real demonstrations."""
    found = read_texts([real_data / "alfred" / "valid_seen.jsonl.zst"], [])
    return [text.parse() for text in islice(found, 0, None, 10)][:TRAJECTORIES]


@pytest.fixture(scope="session")
def store(real_data: Path, trajectories: list[Trajectory], tmp_path_factory: pytest.TempPathFactory) -> Store:
    """One TEACh game of each of their plans, the layouts, and some train demonstrations there."""
    folder = tmp_path_factory.mktemp("store")
    plans = {f'"{each.scene.floor_plan}_physics"' for each in trajectories}
    games = []
    for _, text in read_text_lines(real_data / "teach" / "train.jsonl.zst"):
        plan = next((plan for plan in plans if plan in text), None)
        if plan is not None:
            plans.remove(plan)
            games.append(text.strip())
        if not plans or len(games) >= GAMES:
            break
    write_text_lines(folder / "games.jsonl", games)
    write_text_lines(
        folder / "train.jsonl", _train(real_data, {each.scene.floor_plan for each in trajectories})
    )
    store = Store(folder / "s")
    store.learn_layouts(real_data / "alfred" / "layouts.json.zst")
    import_games(store, folder / "games.jsonl")
    import_trajectories(store, folder / "train.jsonl")
    return store


def _train(real_data: Path, plans: set[str]) -> Iterator[str]:
    """The first train demonstrations of each plan."""
    left = dict.fromkeys(plans, DEMONSTRATIONS)
    for _, text in read_text_lines(real_data / "alfred" / "train.jsonl.zst"):
        found = PLAN.search(text)
        if found and left.get(found.group(1), 0) > 0:
            left[found.group(1)] -= 1
            yield text.strip()
