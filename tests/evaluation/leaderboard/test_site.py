"""The board: what is on it, what is not, and that it opens from disk."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from housemates.cli.main import main
from housemates.evaluation.leaderboard import board
from housemates.evaluation.leaderboard.submission import write_submission
from housemates.evaluation.runner import evaluate

CARD = 'name = "{}"\nauthors = ["A. & B."]\neyes = "none"\ntraining = "nothing"\nlink = "https://example.org/a?b&c"\n'


@pytest.fixture
def submissions(counting, tmp_path: Path) -> Path:
    """Three submissions, of which one does not hold, and one file that is none."""
    folder = tmp_path / "submissions"
    folder.mkdir()
    for name in ("good", "bad", "forged"):
        run = tmp_path / name
        evaluate(counting.run_of("bad" if name == "bad" else "good", episodes=10), workers=1, out=run)
        if name == "forged":
            path = run / "episodes.jsonl"
            path.write_text(path.read_text().replace('"success":1.0', '"success":0.0', 1))
        (tmp_path / "card.toml").write_text(CARD.format(name))
        write_submission([run], tmp_path / "card.toml", folder / f"{name}.zip")
    (folder / "torn.zip").write_bytes(b"PK")
    return folder


@pytest.fixture
def site(submissions: Path, tmp_path: Path, capsys) -> Path:
    main(
        [
            "leaderboard",
            "build",
            str(submissions),
            "--out",
            str(tmp_path / "site"),
            "--workers",
            "1",
            "--json",
        ]
    )
    found = json.loads(capsys.readouterr().out)
    assert found["rows"] == 2
    assert [each["file"] for each in found["refused"]] == ["forged.zip", "torn.zip"]
    return tmp_path / "site"


def test_rows_are_those_that_hold_and_the_others_are_named_with_the_reason(site) -> None:
    page = (site / "index.html").read_text()
    assert re.findall(r'<td><a href="(r\d)\.html">(\w+)</a></td>', page) == [("r1", "good"), ("r0", "bad")]
    assert "count-0: scores: success was 0.0, is now 1.0" in page
    assert "torn.zip" in page
    assert "A. &amp; B." in page


def test_a_check_is_not_done_twice(site, submissions, monkeypatch, capsys) -> None:
    monkeypatch.setattr(board, "check_opened", None)
    (submissions / "torn.zip").unlink()
    main(["leaderboard", "build", str(submissions), "--out", str(site), "--workers", "1"])
    assert "rows  2" in capsys.readouterr().out


def test_two_rows_are_compared_with_what_decided_them(site) -> None:
    text = (site / "data" / "pairs0.js").read_text().removeprefix("housemates.got(").removesuffix(");\n")
    name, pairs = json.loads(text)
    assert name == "pairs0"
    (pair,) = pairs.values()
    assert pair["differs"] == ['agents: counter: name was "good", is now "bad"']
    assert pair["numbers"]["success %"]["difference"] == "-90.0"


def test_rows_that_act_alike_are_marked(submissions, tmp_path, capsys) -> None:
    shutil.copy(submissions / "good.zip", submissions / "other.zip")
    main(["leaderboard", "build", str(submissions), "--out", str(tmp_path / "site"), "--workers", "1"])
    assert "every act is that of good" in (tmp_path / "site" / "index.html").read_text()


@pytest.fixture
def tab(site) -> Iterator[Any]:
    """A page of Chromium in which every error and every request that is none of a file is noted."""
    sync = pytest.importorskip("playwright.sync_api")
    if not shutil.which("chromium"):
        pytest.skip("needs Chromium")
    wrong: list[str] = []
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 390, "height": 800})
        tab.on("pageerror", lambda error: wrong.append(str(error)))
        tab.on("request", lambda one: one.url.startswith(("file:", "data:")) or wrong.append(one.url))
        yield tab
        browser.close()
    assert wrong == []


def test_the_board_filters_plays_and_compares_from_disk(site, tab) -> None:
    tab.goto((site / "index.html").as_uri())
    rows = tab.locator("section[data-track] td:first-child:visible")
    assert rows.count() == 2
    tab.get_by_label("name, agent, author").fill("goo")
    assert rows.all_inner_texts() == ["good"]
    rows.first.locator("a").click()
    tab.locator("#list tr", has_text="count-3").click()
    tab.locator("#player h3", has_text="count-3").wait_for()
    tab.get_by_text("compare with another row").click()
    tab.locator("#list tr", has_text="count-3").click()
    tab.get_by_title("one act on").click()
    assert tab.locator(".both .step").all_inner_texts()[0].startswith("counter: Take 1")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
