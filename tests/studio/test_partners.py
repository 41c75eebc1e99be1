"""From the front door on, in a real browser: agents as partners in TEACh, and the plain page of any seat."""

from __future__ import annotations

import json
import re
from typing import Any

from people import Visit, acted
from studio_server import Server, logged_in, seats_in

REPORTS = 5
"""How often a talkative Follower may say in the middle of its work what it has done."""


def first(route: Any) -> None:
    """Ask for the demo's first instance, whatever was played before."""
    asked = route.request.post_data_json if route.request.method == "POST" else None
    route.continue_(post_data=None if asked is None else json.dumps({**asked, "seed": 0}))


def take(visit: Visit, server: Server, seat: str) -> Any:
    """Take a seat at the front door, the same one each time."""
    page = visit(server.url)
    page.route("**/api/demo", first)
    page.get_by_role("button", name=seat).first.click()
    return page


def test_an_agent_commands_a_person_who_follows(visit: Visit, server: Server) -> None:
    page = take(visit, server, "Be the Follower")
    page.get_by_role("button", name="Got it").click()
    page.locator(".view canvas.screen[data-turn]").wait_for()
    page.get_by_label("Write to the Commander").fill("What should I do today?")
    page.keyboard.press("Enter")
    heard = page.get_by_role("log", name="Chat").get_by_role("listitem").filter(has_text="Commander")
    heard.first.wait_for()
    assert "coffee" in " ".join(heard.all_inner_texts()).lower()
    page.locator(".view canvas.screen").focus()
    acted(page, lambda: page.keyboard.press("d"))


def test_an_agent_follows_a_person_who_commands(visit: Visit, server: Server) -> None:
    page = take(visit, server, "Be the Commander")
    page.get_by_role("button", name="Got it").click()
    page.locator(".partner canvas.screen[data-turn]").wait_for()
    page.get_by_role("button", name="Progress check").click()
    page.locator(".progress button.step").first.click()
    page.locator(".found canvas.blink[data-turn]").wait_for()
    heard = page.get_by_role("log", name="Chat").get_by_role("listitem").filter(has_text="Follower")
    for number, words in enumerate(("Please make coffee in a clean mug.", *["go on"] * REPORTS)):
        page.get_by_label("Write to the Follower").fill(words)
        page.keyboard.press("Enter")
        heard.nth(number).wait_for()
        if "turned on the coffee machine" in heard.nth(number).inner_text():
            break
    page.get_by_role("button", name="Finish").click()
    page.get_by_role("dialog").get_by_role("button", name="Finish").click()
    page.get_by_role("link", name="To the survey").wait_for()
    assert page.get_by_role("dialog").get_by_role("heading").inner_text() == "Well done."


def test_any_other_seat_has_a_page_from_its_offers_alone_with_names_for_ids(
    visit: Visit, server: Server
) -> None:
    (token,) = seats_in(server, logged_in(server), "any-seat", "home", options={"size": "200"}).values()
    page = visit(f"{server.url}/seat/{token}")
    page.get_by_role("img", name="View").wait_for()
    told = page.locator(".percept").inner_text()
    assert re.search(r"\[[a-z ]+ 1\]", told)
    page.get_by_role("button", name="Open by pointing").click()
    view = page.get_by_role("img", name="View")
    acted(page, lambda: view.click(position={"x": 40, "y": 40}))
    assert page.get_by_role("log", name="Console").get_by_role("listitem").count() > 0
    for name in ["Turn Left"] * 2 + ["Look Down"]:
        acted(page, page.get_by_role("button", name=name, exact=True).click)
    assert page.locator(".percept").inner_text() != told
    assert not re.search(r"\|[-+]\d", page.locator("body").inner_text())
