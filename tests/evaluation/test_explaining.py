"""Why the reader failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from housemates.agents.reader.accounts import CAUSES
from housemates.cli.main import main


def test_a_run_of_the_reader_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    main(
        [
            "eval",
            "alfred",
            "--agents",
            "reader",
            "--agent-option",
            "eyes=given",
            "--episodes",
            "1",
            "--out",
            str(run),
            "--workers",
            "1",
        ]
    )
    capsys.readouterr()
    main(["explain", str(run)])
    told = capsys.readouterr().out
    assert all(cause in told for cause in CAUSES)
    main(["explain", str(run), "--episode", "0-0"])
    page = Path(capsys.readouterr().out.strip()).read_text(encoding="utf-8")
    assert "What was read" in page and "acts, " in page and "believed" in page
    assert "Step(" not in page


def test_options_of_one_agent_are_none_of_its_partners(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, pages = str(tmp_path / "run"), tmp_path / "pages"
    seats = ["commander=talk", "follower=reader", "--agent-option", "eyes=given"]
    main(
        [
            "eval",
            "teach-tatc",
            "--agents",
            *seats,
            "--episodes",
            "1",
            "--seed",
            "3",
            "--workers",
            "1",
            "--out",
            run,
        ]
    )
    main(["explain", run, "--episode", "s3-00000", "--report", str(pages)])
    assert "acts, " in (pages / "s3-00000.html").read_text(encoding="utf-8")


def test_other_runs_and_episodes_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["explain", str(tmp_path)])
    assert "expected a folder of results" in capsys.readouterr().err
