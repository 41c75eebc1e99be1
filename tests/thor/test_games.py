"""AI2-THOR's own records, and recorded games played with its calls alone."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

from housemates.benchmarks.teach.formats.ingestion import import_games
from housemates.cli.main import main
from housemates.data.store import Store
from housemates.files import read_text_lines, write_text_lines
from housemates.thor.ids import thor_id

GAMES = 3


@pytest.fixture(scope="module")
def few(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of three games."""
    folder = tmp_path_factory.mktemp("few")
    lines = islice(read_text_lines(real_data / "teach" / "valid_seen.jsonl.zst"), GAMES)
    write_text_lines(folder / "few.jsonl.zst", [text.strip() for _, text in lines])
    import_games(Store(folder / "store"), folder / "few.jsonl.zst")
    return folder / "store"


def test_recorded_states_are_told_as_they_are_recorded(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["thor", "records", str(few), "--store", str(few), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["states"] == GAMES
    assert found["fields"]["share"] == found["types"]["share"] == 1.0
    assert found["static"]["share"] >= 0.98


def test_recorded_games_end_as_they_do_in_the_home(few: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["thor", "games", str(few), "--store", str(few), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == GAMES
    assert found["differ"] == []
    assert found["complete"]["share"] == 1.0


def test_ids_are_rounded_as_unity_rounds() -> None:
    assert thor_id("Desk", (2.318000078201294, -0.009999999776482582, -3.2149999141693115)) == (
        "Desk|+02.32|-00.01|-03.22"
    )
    assert thor_id("Mug", (0.8649981021881104, -0.001, 12.0)) == "Mug|+00.86|00.00|+12.00"
