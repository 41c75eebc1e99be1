"""Seats on a phone: what is needed is on the first screen, and nothing goes unread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from studio_server import Player, Server, logged_in, seats_in, seats_of

PHONE = {"has_touch": True, "is_mobile": True}
SAID = "It is on the counter, left of the sink."
OUT_OF_VIEW = """([each, whole]) => {
    const box = each.getBoundingClientRect();
    const seen = box.width > 0 && box.top >= 0 && box.left >= 0 && box.right <= innerWidth;
    return seen && (whole ? box.bottom : box.top + 40) <= innerHeight ? "" : JSON.stringify(box);
}"""
VIEWS = {
    "teach-follower": ".view canvas.screen[data-turn]",
    "teach-commander": ".eye canvas.screen[data-turn]",
    "alfred": ".view canvas.screen[data-turn]",
    "leader": ".board .sheet:has(canvas)",
    "follower": ".eyes canvas[data-turn]",
    "robot": ".request:not(:empty)",
    "any": ".pictures canvas.screen[data-turn]",
}
CONTROLS = {
    **dict.fromkeys(("teach-follower", "teach-commander", "alfred"), ".pad button"),
    **dict.fromkeys(("leader", "follower"), ".moves button"),
    "robot": ".commands button",
    "any": ".offers button",
}
NEWEST = {
    **dict.fromkeys(("teach-follower", "teach-commander"), ".said li:last-child .text"),
    "alfred": ".asked .goal",
    "leader": ".say input",
    "follower": ".current",
    "robot": ".said li:last-child .text",
}


@pytest.fixture(scope="module")
def seats(server: Server) -> dict[str, str]:
    """A seat of every page by its address; in TEACh something was said."""
    cookie = logged_in(server)
    tokens = seats_of(server, cookie, "phones")
    commander = Player(server, tokens["commander"]).connect()
    for text in ("Please make coffee.", "Take a mug.", SAID):
        commander.act("Say", text=text)
    commander.close()
    (general,) = seats_in(server, cookie, "phones-any", "home", options={"size": "200"}).values()
    asked = {
        "alfred": ("alfred", "agent"),
        "leader": ("cerealbar", "leader"),
        "follower": ("cerealbar", "follower"),
        "robot": ("handmethat", "robot"),
    }
    taken = {name: server.demo(benchmark, role).token for name, (benchmark, role) in asked.items()}
    found = {**{f"teach-{role}": token for role, token in tokens.items()}, **taken, "any": general}
    return {name: f"/seat/{token}" for name, token in found.items()}


def upright(visit: Callable[..., Any], server: Server, path: str) -> Any:
    """A seat on a phone."""
    return visit(f"{server.url}{path}", 390, 844, **PHONE)


def out_of_view(page: Any, selector: str, whole: bool = True) -> str:
    """Where something is, if not on the screen."""
    found: str = page.evaluate(OUT_OF_VIEW, [page.locator(selector).first.element_handle(), whole])
    return found


@pytest.mark.parametrize("seat", VIEWS)
def test_a_phones_first_screen_has_view_controls_and_what_was_said_last(
    visit: Callable[..., Any], server: Server, seats: dict[str, str], seat: str
) -> None:
    page = upright(visit, server, seats[seat])
    if seat != "any":
        page.get_by_role("button", name="Got it").wait_for()
        assert not out_of_view(page, "dialog[open] button")
        page.get_by_role("button", name="Got it").click()
    page.locator(VIEWS[seat]).first.wait_for()
    page.locator(CONTROLS[seat]).first.wait_for()
    for selector in (VIEWS[seat], CONTROLS[seat], NEWEST.get(seat, CONTROLS[seat])):
        assert not out_of_view(page, selector, whole=seat != "any"), selector
    assert page.locator("kbd:visible, .keyed:visible").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 844, "height": 390})
    page.wait_for_timeout(200)
    for selector in (VIEWS[seat], CONTROLS[seat]):
        assert not out_of_view(page, selector, whole=False), f"sideways: {selector}"


def test_labels_do_not_touch_the_borders_of_their_buttons(
    visit: Callable[..., Any], server: Server, seats: dict[str, str]
) -> None:
    page = upright(visit, server, seats["leader"])
    page.get_by_role("button", name="Got it").click()
    page.locator("body[data-turn]").wait_for(state="attached")
    tight = page.evaluate("""() => [...document.querySelectorAll(".moves button")].filter((each) => {
        const range = document.createRange();
        range.selectNodeContents(each);
        const [text, box] = [range.getBoundingClientRect(), each.getBoundingClientRect()];
        return text.left - box.left < 3 || box.right - text.right < 3;
    }).map((each) => each.textContent)""")
    assert tight == []


def test_what_was_said_out_of_view_is_counted_until_it_is_shown(
    visit: Callable[..., Any], server: Server
) -> None:
    tokens = seats_of(server, logged_in(server), "unread")
    follower = upright(visit, server, f"/seat/{tokens['follower']}")
    follower.get_by_role("button", name="Got it").click()
    follower.locator(VIEWS["teach-follower"]).wait_for()
    commander = Player(server, tokens["commander"]).connect()
    for number in range(8):
        commander.act("Say", text=f"Hello {number}.")
    follower.get_by_text("Hello 7.").wait_for()
    assert follower.locator(".unread").is_hidden()
    follower.get_by_role("log", name="Chat").evaluate("each => { each.scrollTop = 0; }")
    follower.wait_for_timeout(200)
    for text in ("Please make coffee.", SAID):
        commander.act("Say", text=text)
    mark = follower.get_by_role("button", name="2 new messages: show them")
    mark.click()
    mark.wait_for(state="hidden")
    assert not out_of_view(follower, ".said li:last-child")
    commander.close()


def test_what_went_wrong_is_not_the_newest_red_line_once_something_succeeds(
    visit: Callable[..., Any], server: Server
) -> None:
    tokens = seats_of(server, logged_in(server), "calm")
    page = visit(f"{server.url}/seat/{tokens['follower']}")
    page.get_by_role("button", name="Got it").click()
    page.locator(VIEWS["teach-follower"]).wait_for()
    page.keyboard.press("2")
    page.locator(".console li.bad").filter(has_text="Your hand is empty.").wait_for()
    page.keyboard.press("a")
    page.locator(".console li.bad").wait_for(state="detached")
    commander = Player(server, tokens["commander"]).connect()
    commander.act("Say", text="Go on.")
    page.get_by_text("Go on.").wait_for()
    assert page.locator(".console li").count() == 1
    commander.act("Stop")
    commander.close()
    page.get_by_role("heading", name="The session has ended.").wait_for()


def test_nobody_sits_there_before_the_instructions_are_read(
    visit: Callable[..., Any], server: Server
) -> None:
    player = server.demo("cerealbar", "follower", 5)
    page = visit(f"{server.url}/seat/{player.token}")
    page.get_by_role("button", name="Got it").wait_for()
    page.wait_for_timeout(1500)
    assert page.locator("body").get_attribute("data-turn") is None
    page.get_by_role("button", name="Got it").click()
    page.locator("body[data-whose=mine]").wait_for()
    assert page.locator(".figures dd").last.inner_text() == "–"
    assert page.locator(".console li").count() == 0
    page.reload()
    page.locator("body[data-turn]").wait_for(state="attached")
