"""A report of runs: one page that opens from disk, with every episode beside it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from housemates.cli.main import main
from housemates.evaluation.runner import evaluate
from housemates.reporting.intervals import Bar, plot_intervals
from housemates.reporting.pages import Page


@pytest.fixture
def runs(counting, tmp_path: Path) -> list[Path]:
    folders = [tmp_path / "one", tmp_path / "two"]
    evaluate(counting.run_of("good", episodes=4), workers=1, out=folders[0])
    evaluate(counting.run_of("bad", episodes=4), workers=1, out=folders[1])
    return folders


def written(runs: list[Path], *flags: str) -> Path:
    out = runs[0].parent / "page"
    main(["report", *map(str, runs), "--out", str(out), "--workers", "1", "--json", *flags])
    return out


def script(path: Path) -> Any:
    text = path.read_text(encoding="utf-8")
    return json.loads(text.removeprefix("housemates.got(").removesuffix(");\n"))


def test_a_page_has_tables_pairs_and_a_script_for_each_episode(runs, capsys) -> None:
    page = written(runs, "--pictures", "2")
    html = (page / "index.html").read_text(encoding="utf-8")
    for said in (
        "<td>good</td>",
        "<td>bad</td>",
        "by task: success %",
        "Pairs of runs",
        "more than chance",
        'class="plot"',
    ):
        assert said in html
    assert "http://" not in html and "https://" not in html
    key, listed = script(page / "data" / "r0.js")
    assert (key, [each["id"] for each in listed]) == ("r0", [f"count-{number}" for number in range(4)])
    assert [each["pictures"] for each in listed] == [False, True, False, False]
    key, number, episode = script(page / "data" / "r0" / "1.js")
    assert (key, number, episode["id"]) == ("r0", 1, "count-1")
    views = episode["views"]
    assert len(views["steps"]) == len(episode["steps"]) + 1
    assert views["pictures"][0].startswith("data:image/jpeg;base64,")
    assert [list(each) for each in views["steps"]] == [["counter: view"]] * 2
    assert len(views["changes"]) == len(views["steps"])


def test_runs_of_one_name_are_told_apart_by_their_folders(counting, runs, capsys) -> None:
    evaluate(counting.run_of("good", episodes=4), workers=1, out=runs[0].with_name("three"))
    html = (written([*runs, runs[0].with_name("three")]) / "index.html").read_text(encoding="utf-8")
    assert "<td>good (one)</td>" in html and "<td>good (three)</td>" in html and "<td>bad</td>" in html


def test_words_from_elsewhere_cannot_end_a_script(runs, capsys) -> None:
    path = runs[0] / "episodes.jsonl"
    path.write_text(path.read_text().replace('"ended":"done"', '"ended":"</script><b>"'))
    page = written(runs, "--pictures", "0")
    for path in (page / "data").rglob("*.js"):
        assert "<" not in path.read_text(encoding="utf-8")


def test_other_versions_are_one_sentence_and_nothing_is_written(runs, capsys) -> None:
    header = runs[1] / "run.json"
    header.write_text(header.read_text().replace("counting-v1", "counting-v0"))
    with pytest.raises(SystemExit, match="2"):
        written(runs)
    assert (
        "holds results of housemates/counting-v0, and this is housemates/counting-v1."
        in capsys.readouterr().err
    )
    assert not (runs[0].parent / "page").exists()


def test_a_plot_holds_each_row_on_one_scale() -> None:
    drawn = plot_intervals([Bar("a & b", 50.0, (40.0, 60.0)), Bar("paper", 100.0, paper=True)])
    assert "a &amp; b" in drawn
    assert (drawn.count('class="dot"'), drawn.count('class="range"')) == (2, 1)


@pytest.fixture
def opened() -> Iterator[Callable[..., Any]]:
    """Opens a page from disk in Chromium; an error in it fails the test."""
    sync = pytest.importorskip("playwright.sync_api")
    if not shutil.which("chromium"):
        pytest.skip("needs Chromium")
    wrong: list[str] = []
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])

        def open_page(path: Path, width: int = 1280, scheme: str = "light") -> Any:
            context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
            tab = context.new_page()
            tab.on("pageerror", lambda error: wrong.append(str(error)))
            tab.goto(path.as_uri())
            return tab

        yield open_page
        browser.close()
    assert wrong == []


def test_back_closes_an_episode_that_was_opened(runs, capsys, opened) -> None:
    tab = opened(written(runs, "--pictures", "0") / "index.html")
    player = tab.locator("#player")
    for way in ("back", "close", "link"):
        if way == "link":
            tab.goto(f"{tab.url.partition('#')[0]}#r0/1")
            tab.reload()
        else:
            tab.locator("#list tr").nth(2).click()
        player.locator("h3", has_text="count-1").wait_for()
        assert tab.url.endswith("#r0/1")
        if way == "back":
            tab.go_back()
        else:
            tab.get_by_role("button", name="close").click()
        player.wait_for(state="hidden")
        assert tab.url.partition("#")[0].endswith("index.html") and "#r0" not in tab.url


def test_what_was_read_is_whole_in_the_player(counting, tmp_path, capsys, monkeypatch, opened) -> None:
    monkeypatch.setattr(counting.Good, "act", lambda self, percept: percept.text and "Take 1")
    monkeypatch.setattr(
        counting.Countdown, "text", lambda self, role: f"The same.\nThe number is {self.number}."
    )
    evaluate(counting.run_of("good", episodes=4), workers=1, out=tmp_path / "one")
    page = written([tmp_path / "one"], "--pictures", "0")
    assert (page / "data" / "r0" / "3.js").read_text().count("The same.") == 1
    tab = opened(page / "index.html")
    tab.locator("#list tr", has_text="count-3").click()
    tab.get_by_title("one act on").click()
    tab.get_by_text("what the counter reads then").click()
    assert tab.locator(".step pre").inner_text() == "The same.\nThe number is 2."


def test_a_page_is_dark_where_one_wants_it_dark(runs, capsys, opened) -> None:
    page = written(runs, "--pictures", "0") / "index.html"
    for scheme, bright in (("light", True), ("dark", False)):
        tab = opened(page, scheme=scheme)
        shown = tab.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
        assert (sum(shown[:3]) > 380) is bright


@pytest.mark.parametrize("width", [1280, 390])
def test_wide_tables_scroll_in_their_box_and_charts_fit(runs, capsys, opened, width) -> None:
    tab = opened(written(runs, "--pictures", "0") / "index.html", width)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    for box in tab.locator(".plot, .plot *, .scroll").all():
        if place := box.bounding_box():
            assert place["x"] >= 0 and place["x"] + place["width"] <= width + 1
    for table in tab.locator(".scroll").all():
        assert table.get_attribute("tabindex") == "0"


@pytest.mark.parametrize("width", [1280, 390])
def test_the_controls_of_a_video_lie_below_its_caption(tmp_path, opened, width) -> None:
    page = Page("A film")
    page.video(b"no film", np.full((300, 500, 3), 90, np.uint8))
    tab = opened(page.write(tmp_path / "index.html"), width)
    wide, tall = tab.evaluate(
        "(({clientWidth, clientHeight}) => [clientWidth, clientHeight])(document.querySelector('video'))"
    )
    assert tall - wide * 300 / 500 == pytest.approx(72, abs=2)
    assert tab.evaluate("getComputedStyle(document.querySelector('video')).objectPosition") == "50% 0%"


@pytest.mark.skipif(not shutil.which("chromium"), reason="needs Chromium")
def test_the_page_opens_from_disk_without_errors_or_requests(runs, capsys) -> None:
    sync = pytest.importorskip("playwright.sync_api")
    page = written(runs, "--pictures", "2") / "index.html"
    wrong: list[str] = []
    with sync.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        tab = browser.new_page()
        tab.on("pageerror", lambda error: wrong.append(str(error)))
        tab.on("request", lambda one: one.url.startswith(("file:", "data:")) or wrong.append(one.url))
        tab.goto(page.as_uri())
        tab.locator("#list tr").nth(2).click()
        tab.get_by_title("one act on").click()
        assert tab.locator(".place").inner_text() == "1 of 1"
        assert "counter: Take 1" in tab.locator(".step").inner_text()
        tab.locator(".views img").wait_for()
        tab.get_by_label("run", exact=True).select_option("r1")
        tab.locator("#list td", has_text="failures").first.wait_for()
        tab.locator("#list tr", has_text="count-2").click()
        tab.locator("#player h3", has_text="count-2").wait_for()
        tab.get_by_text("next failure").click()
        assert "2 is not 1." in tab.locator(".step").inner_text()
        tab.goto(f"{page.as_uri()}#nowhere/0")
        tab.locator("#player").wait_for(state="hidden")
        browser.close()
    assert wrong == []
