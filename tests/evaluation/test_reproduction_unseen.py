"""Tables on rooms that nobody learnt from: floor plans held out of train, and the paper's unseen numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from housemates.benchmarks.teach.formats.episodes import GAMES
from housemates.benchmarks.teach.formats.ingestion import plan_of
from housemates.errors import HousematesError
from housemates.evaluation.reproduction.catalogue import find
from housemates.evaluation.reproduction.lines import Lines
from housemates.evaluation.reproduction.page import sections, write_page
from housemates.evaluation.reproduction.pipeline import Places
from housemates.evaluation.reproduction.unseen import held_out, hold_out, on_unseen

PLANS = ("FloorPlan1", "FloorPlan2", "FloorPlan10", "FloorPlan201")


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Eight games in four floor plans, and a file that is broken."""
    folder = tmp_path / "data" / "teach" / "train"
    folder.mkdir(parents=True)
    for number in range(8):
        game = {"tasks": [{"episodes": [{"world": f"{PLANS[number % 4]}_physics"}]}]}
        (folder / f"g{number}.game.json").write_text(json.dumps(game, indent=1))
    (folder / "broken.game.json").write_text("{")
    return Places(tmp_path / "out", tmp_path / "data")


def games(places: Places, split: str) -> dict[str, str]:
    """The games of a split with their floor plans."""
    assert places.data is not None
    texts = GAMES.texts([places.data / "teach" / f"{split}.jsonl.zst"], [])
    return {text.id: plan_of(text) for text in texts}


def test_plans_are_held_out_of_train_and_become_unseen(places: Places) -> None:
    paper, _ = find("teach-table4")
    apart, plans = hold_out(paper, places, 2)
    assert plans == ["FloorPlan1", "FloorPlan10"]
    assert games(apart, "valid_unseen") == {f"g{n}": PLANS[n % 4] for n in (0, 2, 4, 6)}
    assert games(apart, "train") == {f"g{n}": PLANS[n % 4] for n in (1, 3, 5, 7)}
    assert apart.out != places.out


@pytest.mark.parametrize("count", [-1, 4])
def test_as_many_plans_as_there_are_cannot_be_held_out(count: int, places: Places) -> None:
    with pytest.raises(HousematesError, match="expected 1 to 3, as train has 4 floor plans"):
        hold_out(find("teach-table4")[0], places, count)


def test_data_that_are_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(HousematesError, match="needs --data, a folder with teach"):
        hold_out(find("teach-table4")[0], Places(tmp_path), 2)


def test_the_papers_unseen_numbers_stand_beside() -> None:
    paper, table = find("teach-table4")
    unseen = on_unseen(paper, "teach-table4", table)
    assert unseen.split == "valid_unseen"
    assert unseen.published["AAAI"] == "edh_table4_aaai.valid_unseen"
    paper, table = find("alfred-table3")
    rows = {row.name: row.paper for row in on_unseen(paper, "alfred-table3", table).rows}
    assert rows["Seq2Seq + PM"] == "Seq2Seq + PM, valid_unseen"
    paper, table = find("handmethat-table6")
    with pytest.raises(HousematesError, match="handmethat-table6: expected a table of valid_seen"):
        on_unseen(paper, "handmethat-table6", table)


def test_a_page_has_a_section_for_each_kind_of_rooms(tmp_path: Path) -> None:
    page, places = tmp_path / "results.md", Places(tmp_path)
    paper, table = find("teach-table4")
    apart = held_out(on_unseen(paper, "teach-table4", table), PLANS)
    write_page(page, {"teach-table4": Lines(paper, "x", apart, places, 0)}, places, " --hold-out-plans 4")
    write_page(page, {"teach-table4": Lines(paper, "teach-table4", table, places, 0)}, places)
    found = [title for title in sections(page.read_text()) if title.startswith("teach-table4: ")]
    assert found == [
        "teach-table4: TEACh, Table 4: EDH, valid_seen",
        "teach-table4: TEACh, Table 4: EDH, 4 floor plans held out of train",
    ]
    assert "--hold-out-plans 4" in page.read_text()
