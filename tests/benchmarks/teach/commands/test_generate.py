"""`housemates generate teach`: official games, gone on with after an interruption."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from housemates.cli.main import main

SETTINGS = ["--tasks", "Coffee,Water Plant,Plate Of Toast", "--seed", "4", "--workers", "1", "--json"]


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of three generated games."""
    return shutil.copytree(made, tmp_path / "copy")


def test_an_interrupted_run_goes_on_and_comes_out_the_same(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    last = folder / "s4-00002.game.json"
    before = last.read_bytes()
    last.unlink()
    log = folder / "log.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(lines) == 4
    log.write_text("".join(lines[:3]) + lines[3][:9], encoding="utf-8")
    main(["generate", "teach", "--episodes", "3", *SETTINGS, "--out", str(folder)])
    report = json.loads(capsys.readouterr().out)
    assert report["sessions"] == 3
    assert report["tasks"] == {"Coffee": 1, "Water Plant": 1, "Plate Of Toast": 1}
    assert last.read_bytes() == before


def test_a_finished_run_makes_nothing_more(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    main(["generate", "teach", "--episodes", "3", *SETTINGS, "--out", str(folder)])
    assert json.loads(capsys.readouterr().out)["sessions"] == 3
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--episodes", "0"], "--episodes: expected 1 or more"),
        (["--seed", "-1"], "--seed: expected 0 or more"),
        (["--pair", "nobody"], "Unknown agent 'nobody'"),
        (["--rooms", "castle"], "rooms: expected one of"),
        (["--tasks", "Fly"], "Unknown task 'Fly'"),
        (["--plans", "nowhere"], "no store there"),
    ],
)
def test_what_cannot_be_generated_is_one_sentence(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["generate", "teach", "--out", str(tmp_path / "new"), *arguments])
    assert left.value.code == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_folder_of_another_run_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["generate", "teach", "--episodes", "3", "--seed", "5", "--out", str(folder)])
    assert "another run" in capsys.readouterr().err
