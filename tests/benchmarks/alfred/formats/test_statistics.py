"""Counting what is in a set of demonstrations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from housemates.benchmarks.alfred.formats.episodes import Trajectory
from housemates.benchmarks.alfred.formats.statistics import tokens
from housemates.cli.main import main
from housemates.files import write_text_lines


def test_statistics_count_what_is_there(
    trajectories: list[Trajectory], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack = tmp_path / "pack.jsonl"
    write_text_lines(pack, (each.to_json().decode() for each in trajectories))
    main(["stats", "alfred", str(pack), "--report", str(tmp_path / "page"), "--json"])
    report = json.loads(capsys.readouterr().out)
    assert report["trajectories"] == len(trajectories)
    assert report["annotations"] == sum(len(each.turk_annotations.anns) for each in trajectories)
    assert report["image_action_pairs"] == sum(len(each.low_actions) for each in trajectories)
    page = (tmp_path / "page" / "index.html").read_text()
    assert "Figure F2" in page
    assert "in the paper" in page and "paper %" not in page


def test_tokens_are_words_without_punctuation() -> None:
    assert tokens("Put the mug, (it's hot) on Table-2.") == [
        "put",
        "the",
        "mug",
        "it's",
        "hot",
        "on",
        "table",
        "2",
    ]
