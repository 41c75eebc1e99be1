"""CerealBar in real browsers: a game of two people, agents as partners, and what is exported of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cards import OPTIONS, PEOPLE, acts, do, understand
from people import Visit, acted, administrator, answer, exported, links, make_project
from studio_server import Server

from housemates.benchmarks.cerealbar.formats.episodes import replay
from housemates.benchmarks.cerealbar.formats.official import read_official
from housemates.benchmarks.cerealbar.world.state import FOLLOWER
from housemates.benchmarks.cerealbar.world.visibility import visible
from housemates.core import registry
from housemates.studio.pages import page_of
from housemates.studio.pages.cerealbar import READING_S, TIME_UP
from housemates.studio.worlds.instances import find
from housemates.studio.worlds.table import Spec, Table

SETS = 3


def test_two_people_play_to_three_sets_by_keys_alone_and_the_exported_game_replays(
    visit: Visit, server: Server, tmp_path: Path
) -> None:
    admin = administrator(visit, server)
    make_project(admin, "sets", "cerealbar", OPTIONS)
    people = {role: visit(server.url + link) for role, link in links(admin, "sets").items()}
    for page in people.values():
        understand(page)
    leader, follower = people["leader"], people["follower"]
    for role, act in acts(SETS, PEOPLE):
        people[role].locator("body[data-whose=mine]").wait_for()
        if act.name == "Done":
            assert (
                follower.locator(".current").inner_text() == leader.locator(".queue .now .text").inner_text()
            )
        do(people[role], act)
    for page in people.values():
        page.locator("dd").first.filter(has_text=str(SETS)).wait_for()
    assert leader.locator(".queue li.done").count() == follower.locator(".queue li.done").count() > 0
    end(leader, follower)
    for page in people.values():
        page.get_by_role("heading", name=f"{SETS} points").wait_for()
    assert answer(follower).startswith("HM-")

    admin.get_by_role("link", name="Study sets").click()
    admin.get_by_role("heading", name="Study sets").wait_for()
    (recording,) = read_official(exported(admin, tmp_path), [])
    *_, (actions, game) = replay(recording)
    assert (game.score, game.over, actions) == (SETS, True, len(recording.actions))


@pytest.mark.parametrize("role", ["leader", "follower"])
def test_a_person_makes_a_set_with_an_agent_as_partner(visit: Visit, server: Server, role: str) -> None:
    seats = {each: "" if each == role else "talking" for each in PEOPLE}
    admin = administrator(visit, server)
    make_project(
        admin, f"as-{role}", "cerealbar", OPTIONS, {each: seats[each] for each in seats if seats[each]}
    )
    page = visit(server.url + links(admin, f"as-{role}")[role])
    understand(page)
    for whose, act in acts(1, seats):
        if whose == role:
            page.locator("body[data-whose=mine]").wait_for()
            do(page, act)
    page.locator("dd").first.filter(has_text="1").wait_for()


def end(leader: Any, follower: Any) -> None:
    """Let the turns run out: the follower finishes what waits, the leader says nothing more."""
    while (whose := leader.locator("body").get_attribute("data-whose")) != "over":
        if whose == "theirs":
            follower.locator("body[data-whose=mine]").wait_for()
        acted(leader, lambda: pass_turn(leader) if whose == "mine" else follower.keyboard.press("d"))


def pass_turn(leader: Any) -> None:
    leader.keyboard.press("n")
    if not leader.locator(".queue .now").count():
        leader.get_by_role("dialog").get_by_role("button", name="End turn").wait_for()
        leader.keyboard.press("Shift+Tab")
        leader.keyboard.press("Enter")


@pytest.mark.parametrize("told", [True, False])
def test_people_see_the_plan_of_an_agent_only_where_the_project_says_so(told: bool) -> None:
    seats = {"leader": "", "follower": f"{Path(__file__).parent / 'showing.py'}:Showing"}
    chosen = find("cerealbar", "cerealbar", OPTIONS, seats, "generated", 0, [], 0)
    table = Table(Spec("cerealbar", "cerealbar", OPTIONS, chosen.reference, 0, seats, extras=told))
    table.act("leader", {"name": "Say", "arguments": {"text": "Turn."}})
    table.act("leader", {"name": "EndTurn"})
    table.step()
    state = json.loads(table.view("leader").state)
    shown = state.get("extras", {}).get("follower", {}).get("plan", [])
    assert len(shown) == (len(state["views"]["board"]["terrain"]) if told else 0)


def test_the_follower_is_told_of_no_card_that_it_does_not_see_and_of_nothing_behind_it() -> None:
    chosen = find("cerealbar", "cerealbar", {}, PEOPLE, "generated", 0, [], 0)
    table = Table(Spec("cerealbar", "cerealbar", {}, chosen.reference, 0, PEOPLE))
    game = table.session.game  # type: ignore[attr-defined]
    board = json.loads(table.view("follower").state)["views"]["board"]
    whole = json.loads(table.view("leader").state)["views"]["board"]
    seen = visible(game.map, game.position[FOLLOWER], game.heading[FOLLOWER])
    assert [each["at"] for each in board["cards"]] == sorted(at for at in game.cards if at in seen)
    assert len(board["cards"]) < len(whole["cards"]) == len(game.cards)
    assert "." in board["terrain"] and "." not in whole["terrain"]


def test_time_passes_from_the_first_act_on_and_ends_a_persons_turn() -> None:
    now = [1000.0]
    shown = page_of("cerealbar")
    benchmark = registry.benchmark("cerealbar", **shown.options(PEOPLE))
    instance = benchmark.open(next(iter(benchmark.references("generated", 0))))[0]
    session = shown.session(benchmark, instance, PEOPLE, lambda: now[0])
    now[0] += 500
    assert shown.deadline(session) is None
    assert session.act({"name": "Say", "arguments": {"text": "Turn."}}).success
    assert shown.deadline(session) == (45.0, TIME_UP)
    now[0] += 30
    assert session.act("TurnLeft").success
    assert shown.deadline(session) == (15.0, TIME_UP)
    now[0] += 16
    assert not session.act("TurnLeft").success
    assert (session.role, shown.deadline(session)) == ("follower", (READING_S + 15.0, TIME_UP))


def test_the_first_turn_of_a_person_waits_until_they_have_read_and_a_turn_that_ends_is_no_mistake() -> None:
    now = [1000.0]
    shown = page_of("cerealbar")
    benchmark = registry.benchmark("cerealbar", **shown.options(PEOPLE))
    instance = benchmark.open(next(iter(benchmark.references("generated", 0))))[0]
    session = shown.session(benchmark, instance, PEOPLE, lambda: now[0])
    assert session.act({"name": "Say", "arguments": {"text": "Turn."}}).success
    assert session.act("EndTurn").success
    now[0] += READING_S - 1
    assert shown.views(session, "follower")["seconds_left"] is None
    assert session.act("TurnLeft").success
    assert shown.deadline(session) == (15.0, TIME_UP)
    now[0] += 15
    outcome = session.act(TIME_UP)
    assert (outcome.success, outcome.message, session.role) == (True, "Your time was up.", "leader")
    assert session.act({"name": "Say", "arguments": {"text": "Turn."}}).success
