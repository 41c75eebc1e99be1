"""The commands: sets of episodes, agreement, statistics and the tour."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from housemates.benchmarks.handmethat.commands import demo
from housemates.benchmarks.handmethat.commands.generate import Generate
from housemates.benchmarks.handmethat.commands.stats import Stats
from housemates.benchmarks.handmethat.commands.verify import Verify
from housemates.benchmarks.handmethat.formats.places import read
from housemates.cli.main import main
from housemates.errors import HousematesError
from housemates.parallel import Crew


def test_sets_are_resumed_and_read_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    Generate(out=whole, episodes=120, crew=Crew(1), json=True).run()
    Generate(out=parts, episodes=20, crew=Crew(1), json=True).run()
    (parts / "part-00000.counts.json").unlink()
    Generate(out=parts, episodes=120, crew=Crew(1), json=True).run()
    for name in ("part-00000.jsonl.zst", "part-00001.jsonl.zst"):
        assert (whole / name).read_bytes() == (parts / name).read_bytes()
    counts = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert counts["episodes"] == 120 == sum(counts["splits"].values())
    assert len(list(read(parts, []))) == 120
    with pytest.raises(HousematesError, match="another set"):
        Generate(out=parts, episodes=120, seed=1, crew=Crew(1)).run()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["generate", "handmethat", "--episodes", "0"], "--episodes: expected 1 or more"),
        (["generate", "handmethat", "--seed", "-1"], "--seed: expected 0 or more"),
        (["stats", "handmethat", "--limit", "0"], "--limit: expected "),
    ],
    ids=str,
)
def test_numbers_that_make_no_sense_are_refused(
    words: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2
    assert says in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_statistics_use_all_that_is_there_and_say_so_where_they_do_not(tmp_path: Path, capsys) -> None:
    """Walk 12: 200 of 800 episodes were used silently."""
    Generate(out=tmp_path, episodes=205, crew=Crew(1), json=True).run()
    capsys.readouterr()
    Stats(tmp_path, json=True).run()
    found = json.loads(capsys.readouterr().out)
    assert (found["episodes"], found["there"]) == (205, 205)
    Stats(tmp_path, limit=5).run()
    assert "Averages of 5 of 205 episodes" in capsys.readouterr().out


def test_statistics_stand_beside_the_papers_and_are_plotted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Stats(limit=12, report=tmp_path, json=True).run()
    found = json.loads(capsys.readouterr().out)
    assert found["episodes"] == 12 and found["paper"]["objects"] == 230
    assert 200 < found["objects"] < 270 and found["words_fully"] > found["words_partially"]
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert found["report"] == str(tmp_path / "index.html") and page.count("<figure") == 8
    Stats(limit=2).run()
    assert "paper, version 1" in capsys.readouterr().out


def test_agreement_with_official_episodes_is_printed(
    real_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Verify(real_data / "handmethat" / "official_samples.jsonl.zst", limit=2, json=True).run()
    found = json.loads(capsys.readouterr().out)
    assert found["episodes"] == found["demos_succeed"] == 2 and found["differences"] == []


def test_the_tour_has_a_row_for_each_level() -> None:
    assert [row["level"] for row in demo.rows()] == [1, 2, 3, 4]
