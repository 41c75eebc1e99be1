"""ALFRED's seat in a real browser: its tutorial, and what its menu says of what would fail."""

from __future__ import annotations

import re
from typing import Any

import pytest
from people import Visit, acted
from studio_server import Server, logged_in

from housemates.core.actions import Act
from housemates.core.episode import play
from housemates.core.loading import Seating, make_agents
from housemates.studio.pages import page
from housemates.studio.worlds.table import Spec, Table

KEYS = {"MoveAhead": "w", "RotateLeft": "a", "RotateRight": "d", "LookUp": "r", "LookDown": "f"}
LABELS = {
    "PickupObject": "Pick up the",
    "PutObject": "Put it",
    "OpenObject": "Open the",
    "CloseObject": "Close the",
    "ToggleObjectOn": "Turn on the",
    "ToggleObjectOff": "Turn off the",
}
ID = re.compile(r"\|[-+]\d")


def laid() -> Table:
    """The tutorial as everybody finds it."""
    lesson = page("alfred-tutorial").lesson(0)
    return Table(Spec("alfred-tutorial", "alfred", {}, lesson.reference, 0, lesson.seats))


def solution() -> list[Act]:
    """What reaches the goal of the tutorial."""
    table = laid()
    trace = play(
        table.session, make_agents(type(table.benchmark), {"agent": Seating("expert")}), table.instance
    )
    assert table.session.progress.met == table.session.progress.total  # type: ignore[attr-defined]
    return [step.act for step in trace.steps if step.act]


def click(browser: Any, at: tuple[float, float]) -> None:
    """Click a place of the picture."""
    canvas = browser.locator(".view canvas.screen")
    box = canvas.bounding_box()
    canvas.click(position={"x": at[0] * box["width"], "y": at[1] * box["height"]})


def do(browser: Any, act: Act) -> None:
    """Do it as people do."""
    if act.name in KEYS:
        acted(browser, lambda: browser.keyboard.press(KEYS[act.name]))
        return

    def choose() -> None:
        click(browser, act.arguments["point"])
        browser.get_by_role("menuitem", name=LABELS[act.name]).first.click()

    acted(browser, choose)


def test_the_tutorial_is_passed_by_keys_and_clicks_and_no_id_is_shown(visit: Visit, server: Server) -> None:
    asked = {"id": "learn-alfred", "title": "ALFRED", "benchmark": "alfred", "plan": {"tutorial": True}}
    assert server.ask("POST", "/api/admin/projects", asked, Cookie=logged_in(server))[0] == 200
    person = visit(f"{server.url}/join/learn-alfred?participant=alfred1")
    person.get_by_role("button", name="Begin the tutorial").click()
    person.get_by_role("button", name="Got it").click()
    person.locator(".view canvas.screen[data-turn]").wait_for()
    for act in solution():
        if act.name == "Stop":
            break
        do(person, act)
        assert not ID.search(person.locator("body").inner_text())
    assert person.get_by_text("Heat a tomato").count() == 1
    person.get_by_role("button", name="Stop").click()
    person.get_by_role("dialog").get_by_role("button", name="Stop").click()
    person.get_by_role("heading", name="The goal is reached.").wait_for()
    person.get_by_role("link", name="Go on").click()
    person.get_by_role("button", name="Begin the tutorial").wait_for(state="detached")


@pytest.fixture(scope="module")
def offered() -> dict[bool, tuple[tuple[float, float], dict[str, Any]]]:
    """A place at which a thing can be opened, and one at which that would fail: whether it fails -> which."""
    table, found = laid(), {}
    for column in range(30):
        for row in range(30):
            at = (column / 30, row / 30)
            menu = table.pointed("agent", "view", *at)
            for each in menu["acts"] if menu else ():
                if each["act"] == "OpenObject":
                    found.setdefault(bool(each["refusal"]), (at, each))
    return found


def test_to_ask_what_would_fail_changes_nothing() -> None:
    table = laid()
    before = table.session.digest(), table.session.turn
    for step in range(100):
        table.pointed("agent", "view", step % 10 / 10, step // 10 / 10)
    assert (table.session.digest(), table.session.turn) == before


def test_the_server_says_of_each_entry_whether_it_would_fail(
    offered: dict[bool, tuple[tuple[float, float], dict[str, Any]]],
) -> None:
    for fails, (at, entry) in offered.items():
        table = laid()
        table.act("agent", {"name": entry["act"], "arguments": {"point": list(at)}})
        outcome = table.episode.trace.steps[-1].outcome
        assert outcome.success is not fails
        assert not fails or outcome.message.endswith(entry["refusal"][1:])
    assert set(offered) == {True, False}


def test_what_would_fail_is_offered_with_the_reason_and_cannot_be_chosen(
    visit: Visit, server: Server, offered: dict[bool, tuple[tuple[float, float], dict[str, Any]]]
) -> None:
    asked = {"id": "learn-menus", "title": "ALFRED", "benchmark": "alfred", "plan": {"tutorial": True}}
    assert server.ask("POST", "/api/admin/projects", asked, Cookie=logged_in(server))[0] == 200
    person = visit(f"{server.url}/join/learn-menus?participant=alfred2")
    person.get_by_role("button", name="Begin the tutorial").click()
    person.get_by_role("button", name="Got it").click()
    person.locator(".view canvas.screen[data-turn]").wait_for()
    at, entry = offered[True]
    click(person, at)
    refused = person.get_by_role("menuitem", name=entry["label"])
    assert refused.is_disabled()
    assert entry["refusal"] in refused.inner_text()
    refused.click(force=True)
    assert person.locator("body").get_attribute("data-turn") == "0"
    person.keyboard.press("Escape")
    at, entry = offered[False]
    click(person, at)
    acted(person, person.get_by_role("menuitem", name=entry["label"]).click)
    assert person.locator("body").get_attribute("data-turn") == "1"
