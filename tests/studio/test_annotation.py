"""ALFRED's language: described by people in browsers, compared by others, exported as official files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from people import Visit, administrator, exported, links, make_project
from studio_server import Server, logged_in

from housemates.benchmarks import registry
from housemates.benchmarks.alfred.benchmark import AlfredOptions

pytestmark = pytest.mark.xdist_group("browser")


def describe(page: Any, words: str) -> None:
    """Write something about every part while it is shown, then hand it in."""
    boxes = page.get_by_role("textbox")
    boxes.first.click()
    page.get_by_role("button", name="Pause").wait_for()
    assert page.locator(".film .quiet").inner_text().startswith("Part 1")
    page.get_by_role("button", name="Submit").click()
    page.get_by_role("alert").filter(has_text="describe every part").wait_for()
    for number, box in enumerate(boxes.all(), 1):
        box.fill(f"{words} {number}")
    page.get_by_label("The goal of it all").fill(f"{words}, all in all")
    page.get_by_role("button", name="Submit").click()
    page.get_by_text("Your description is kept.").wait_for()
    page.get_by_role("link", name="To the survey").click()
    page.get_by_text("This is your completion code").wait_for()
    page.context.close()


def test_three_describe_two_compare_and_the_odd_one_is_left_out(
    visit: Visit, server: Server, tmp_path: Path
) -> None:
    admin = administrator(visit, server)
    make_project(admin, "words", "alfred-annotation")
    compared = "The project of alfred-annotation that is compared"
    make_project(admin, "odd", "alfred-validation", fields={compared: "words"})
    for words in ("Take it", "Take the thing", "Dance"):
        describe(visit(server.url + links(admin, "words")["annotator"]), words)
    for _ in range(2):
        judge = visit(server.url + links(admin, "odd")["judge"])
        assert judge.get_by_role("heading", level=2).all_inner_texts()[:2] == [
            "Take it, all in all",
            "Take the thing, all in all",
        ]
        judge.get_by_role("region", name="Directive 3").get_by_role("button").click()
        judge.get_by_role("heading", name="Thank you").wait_for()
    admin.get_by_role("button", name="Study words").click()
    said = json.loads(exported(admin, tmp_path / "train").read_text())["turk_annotations"]["anns"]
    goals = ["Take it, all in all", "Take the thing, all in all"]
    assert [(each["task_desc"], each["votes"]) for each in said] == [(goal, [1, 1]) for goal in goals]
    assert said[0]["high_descs"][:2] == ["Take it 1", "Take it 2"]
    benchmark = registry.benchmark_class("alfred")(AlfredOptions(data=tmp_path, directive="all"))
    opened = [each for found in benchmark.references("train", 0) for each in benchmark.open(found)]
    assert [each.data.goal for each in opened] == goals


def test_a_comparison_names_the_project_that_it_is_about(server: Server) -> None:
    asked = {"id": "lost", "title": "lost", "benchmark": "alfred-validation", "plan": {"of": "nowhere"}}
    status, said = server.ask("POST", "/api/admin/projects", asked, Cookie=logged_in(server))
    assert status == 400 and "alfred-annotation" in said["error"]
