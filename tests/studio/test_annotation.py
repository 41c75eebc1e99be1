"""ALFRED's language in real browsers: described by people, compared by others, read by the benchmark."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from people import Visit, administrator, exported, links, make_project
from studio_server import Server

from housemates.benchmarks.alfred.benchmark import AlfredOptions
from housemates.core import registry


def describe(page: Any, words: str) -> None:
    """Write something about every part while it is shown, then hand it in."""
    boxes = page.get_by_role("textbox")
    boxes.first.click()
    page.get_by_role("button", name="Pause").wait_for()
    assert page.locator(".film .quiet").inner_text().startswith("Part 1")
    page.get_by_role("button", name="Submit").click()
    page.get_by_role("alert").filter(has_text="describe every part").wait_for()
    boxes.first.fill("asdf")
    boxes.last.click()
    page.get_by_role("alert").filter(has_text="“asdf” is not kept. Please write a sentence").wait_for()
    for number, box in enumerate(boxes.all(), 1):
        box.fill(f"{words} {number}")
    page.get_by_label("The goal of it all").fill(f"{words}, all in all")
    page.get_by_role("button", name="Submit").click()
    page.get_by_text("Your description is kept.").wait_for()
    page.get_by_role("link", name="To the survey").click()
    page.get_by_text("This is your completion code").wait_for()
    page.locator(".code").wait_for()
    page.context.close()


def test_three_describe_while_the_film_plays_two_compare_and_alfred_reads_what_they_wrote(
    visit: Visit, server: Server, tmp_path: Path
) -> None:
    admin = administrator(visit, server)
    make_project(admin, "films", "alfred-annotation")
    compared = "The project of alfred-annotation that is compared"
    make_project(admin, "odd-film", "alfred-validation", fields={compared: "films"})
    for words in ("Take it", "Take the thing", "Dance on the table"):
        describe(visit(server.url + links(admin, "films")["annotator"]), words)
    for _ in range(2):
        judge = visit(server.url + links(admin, "odd-film")["judge"])
        judge.get_by_role("region", name="Directive 3").wait_for()
        assert judge.get_by_role("heading", level=2).all_inner_texts()[:2] == [
            "Take it, all in all",
            "Take the thing, all in all",
        ]
        judge.get_by_role("region", name="Directive 3").get_by_role("button").click()
        judge.get_by_role("heading", name="Thank you").wait_for()
    admin.get_by_role("link", name="Study films").click()
    said = json.loads(exported(admin, tmp_path / "train").read_text())["turk_annotations"]["anns"]
    goals = ["Take it, all in all", "Take the thing, all in all"]
    assert [(each["task_desc"], each["votes"]) for each in said] == [(goal, [1, 1]) for goal in goals]
    assert said[0]["high_descs"][:2] == ["Take it 1", "Take it 2"]
    benchmark = registry.benchmark_class("alfred")(AlfredOptions(data=tmp_path, directive="all"))
    opened = [each for found in benchmark.references("train", 0) for each in benchmark.open(found)]
    assert [each.data.goal for each in opened] == goals
