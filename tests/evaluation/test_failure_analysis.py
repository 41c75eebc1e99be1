"""Why the reader failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from housemates.agents.reader.diagnostics import CAUSES, Interpretation, cause_of
from housemates.cli.main import main
from housemates.core.benchmark import Result
from housemates.evaluation.results import TRANSCRIPTS, read_episodes


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


def test_what_comes_next_is_read_in_edh_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = str(tmp_path / "run")
    given = ["--agents", "reader", "--agent-option", "eyes=given"]
    main(["eval", "teach-edh", *given, "--episodes", "1", "--workers", "1", "--out", run])
    episode = next(iter(read_episodes(Path(run)))).id
    capsys.readouterr()
    main(["explain", run, "--episode", episode])
    page = Path(capsys.readouterr().out.strip()).read_text(encoding="utf-8")
    assert "What was read" in page and "True: " in page
    (tmp_path / "run" / TRANSCRIPTS).write_text("")
    with pytest.raises(SystemExit):
        main(["explain", run, "--episode", episode])
    assert f"has no episode {episode!r}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("used", "right", "cause"),
    [
        ({"own eyes": 1, "missed Mug": 1}, False, "misread"),
        ({"own eyes": 1, "missed Mug": 1}, True, "not seen"),
        ({"own eyes": 1, "missed Cup": 1}, True, "not found"),
        ({"own eyes": 0, "missed Mug": 1}, True, "not found"),
        ({"own eyes": 1, "barred": 1}, True, "could not do"),
        ({"own eyes": 1}, True, "stopped early"),
    ],
)
def test_the_first_cause_that_applies_is_told(used: dict[str, float], right: bool, cause: str) -> None:
    result = Result("one", "Coffee", {"success": 0.0}, usage={"follower": used})
    assert cause_of(result, Interpretation([], "", right), lambda: {"Mug"}) == cause


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
