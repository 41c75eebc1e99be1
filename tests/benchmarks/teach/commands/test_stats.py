"""`housemates stats teach`: numbers and a page."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

from housemates.cli.main import main
from housemates.files import read_text_lines


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    main([str(word) for word in words])
    return capsys.readouterr().out


def test_statistics_have_a_page_with_every_plot(
    capsys: pytest.CaptureFixture[str], real_data: Path, tmp_path: Path
) -> None:
    lines = read_text_lines(real_data / "teach" / "valid_seen.jsonl.zst")
    (tmp_path / "few.jsonl").write_text("".join(text for _, text in islice(lines, 12)))
    summary = json.loads(
        printed(capsys, "stats", "teach", tmp_path / "few.jsonl", "--report", tmp_path, "--json")
    )
    assert summary["sessions"] == 12
    assert summary["skipped"] == 0
    assert summary["tasks"]["overall"]["complete"] == 1.0
    text = (tmp_path / "index.html").read_text()
    assert text.count("<figure") == 13
    assert "Follower actions in a session" in text
    assert "in the paper" in text and "paper %" not in text
