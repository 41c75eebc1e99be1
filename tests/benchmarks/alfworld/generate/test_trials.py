"""Games of ALFRED's trajectories: text, people's words and pictures of the same home."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from housemates.agents.alfworld.expert import next_command
from housemates.benchmarks.alfred.commands.import_ import Import
from housemates.core import registry
from housemates.errors import HousematesError
from housemates.parallel import Crew


@pytest.fixture(scope="module")
def trials(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The trajectories of valid_seen, and a store of the floor plans that they tell of."""
    store = tmp_path_factory.mktemp("trials") / "store"
    packed = real_data / "alfred" / "valid_seen.jsonl.zst"
    Import([packed], packed.with_name("layouts.json.zst"), store, Crew(workers=1), json=True).run()
    return {"trials": packed, "store": store, "size": "60"}


def test_games_of_trajectories_can_be_won_and_seen(trials: dict[str, Any]) -> None:
    benchmark, won, refused = registry.benchmark("alfworld", **trials), 0, []
    for reference in islice(benchmark.references("trials", 0), 0, 240, 10):
        try:
            (instance,) = benchmark.open(reference)
        except HousematesError as error:
            refused.append(str(error))
            continue
        session = benchmark.session(instance)
        for _ in range(50):
            if session.role is not None:
                assert session.act(next_command(session.play)).success
        won += session.won
        assert session.won
        if won == 1:
            assert session.drawn("agent", "view").shape == (60, 60, 3)
    assert won >= 8
    assert all("its rebuilt home has no" in each or "are no games" in each for each in refused)


def test_the_task_can_be_in_the_words_of_those_who_described_it(trials: dict[str, Any]) -> None:
    plain, people = (
        registry.benchmark("alfworld", words=words, **trials) for words in ("template", "people")
    )
    reference = next(each for each in plain.references("trials", 0) if _opens(plain, each))
    asked = [each.session(each.open(reference)[0]).goal("agent") for each in (plain, people)]
    assert asked[0].startswith("Your task is to: ") and asked[1].startswith("Your task is to: ")
    assert asked[0] != asked[1]


def _opens(benchmark: Any, reference: Any) -> bool:
    try:
        return bool(benchmark.open(reference))
    except HousematesError:
        return False


def test_the_split_needs_trajectories() -> None:
    with pytest.raises(HousematesError, match="needs trajectories"):
        next(registry.benchmark("alfworld").references("trials", 0))
