"""Watching: plays while they go on and afterwards, runs, two side by side, films and data; by link alone."""

from __future__ import annotations

import io
import json
import urllib.request
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from studio_server import PASSWORD, Player, Server, logged_in, seats_of

from housemates.benchmarks.teach.formats.episodes import parse_game
from housemates.core.loading import Seating
from housemates.evaluation.episodes import Run
from housemates.evaluation.runner import evaluate

TURNS = ("TurnLeft", "LookDown", "TurnRight", "LookUp")


@pytest.fixture(scope="module")
def studio(server: Server) -> Server:
    """A studio with two runs of the same episodes."""
    for name in ("random", "heuristic"):
        run = Run("handmethat", {"robot": Seating(name)}, "generated", 3)
        evaluate(run, workers=1, out=server.folder / "runs" / name)
    return server


@pytest.fixture(scope="module")
def admin(studio: Server) -> str:
    return logged_in(studio)


@pytest.fixture(scope="module")
def seats(studio: Server, admin: str) -> dict[str, str]:
    """The tokens of a Commander and a Follower who have begun."""
    tokens = seats_of(studio, admin, "pair")
    players = {role: Player(studio, token).connect() for role, token in tokens.items()}
    players["commander"].act("Say", text="Please <b>turn</b>.")
    for name in TURNS:
        players["follower"].act(name)
    for player in players.values():
        player.close()
    return tokens


def link(studio: Server, admin: str, **wanted: str) -> str:
    """The token by which something is watched."""
    status, found = studio.ask("POST", "/api/admin/links", wanted, Cookie=admin)
    assert status == 200, found
    return str(found["link"]).removeprefix("/watch/")


@pytest.fixture(scope="module")
def watched(studio: Server, admin: str, seats: dict[str, str]) -> str:
    """The token by which the pair is watched."""
    (play,) = studio.ask("GET", "/api/admin/projects/pair/plays", Cookie=admin)[1]
    return link(studio, admin, play=play["id"])


def test_a_play_is_seen_through_all_eyes_while_it_goes_on(studio: Server, watched: str) -> None:
    status, found = studio.ask("GET", f"/api/watch/{watched}")
    assert status == 200
    (listed,) = found["episodes"]
    status, episode = studio.ask("GET", f"/api/watch/{watched}/0")
    assert episode["ended"] == ""
    assert "coffee" in episode["briefs"]["commander"]["goal"].lower()
    acts = [each["act"]["name"] for each in episode["steps"] if each["by"] == "person"]
    assert acts == ["Say", *TURNS]
    assert listed["steps"] == len(episode["steps"])
    views = studio.ask("GET", f"/api/watch/{watched}/0/frames/0")[1]
    assert len(views["steps"]) == len(views["changes"]) == len(episode["steps"]) + 1
    assert set(views["steps"][0]) == {"commander: camera", "commander: map", "follower: view"}
    turns = [number for number, each in enumerate(episode["steps"]) if each["act"]["name"] == "TurnLeft"]
    before, after = (views["steps"][turns[0] + each]["follower: view"] for each in (0, 1))
    assert views["pictures"][before] != views["pictures"][after]
    assert studio.ask("GET", f"/api/watch/{watched}/0/frames/9")[0] == 400


def test_only_links_that_the_administrator_made_let_somebody_watch(
    studio: Server, admin: str, seats: dict[str, str], watched: str
) -> None:
    (play,) = studio.ask("GET", "/api/admin/projects/pair/plays", Cookie=admin)[1]
    for wrong in (*seats.values(), "A" * 32, play["id"], watched[:-1] + "-", watched.swapcase()):
        for path in ("", "/0", "/0/frames/0", "/0/film", "/0/data"):
            assert studio.ask("GET", f"/api/watch/{wrong}{path}")[0] == 404
    for cookie in ("", "admin=guess"):
        assert studio.ask("POST", "/api/admin/links", {"play": play["id"]}, Cookie=cookie)[0] == 401
        assert studio.ask("GET", "/api/admin/watchable", Cookie=cookie)[0] == 401
        assert studio.ask("DELETE", f"/api/admin/links/{watched}", Cookie=cookie)[0] == 401


def test_a_link_that_is_withdrawn_leads_nowhere(studio: Server, admin: str) -> None:
    token = link(studio, admin, run="runs/random")
    assert link(studio, admin, run="runs/random") == token
    assert studio.ask("GET", f"/api/watch/{token}")[0] == 200
    assert studio.ask("DELETE", f"/api/admin/links/{token}", Cookie=admin)[0] == 200
    assert studio.ask("GET", f"/api/watch/{token}")[0] == 404


def test_no_name_of_a_run_leads_out_of_the_folder_of_runs(studio: Server, admin: str) -> None:
    for name in ("runs/../..", "/etc", "../runs/random", "runs/random/", "runs/random/run.json", "random"):
        assert studio.ask("POST", "/api/admin/links", {"run": name}, Cookie=admin)[0] == 404
    for wanted in ({}, {"play": "x", "run": "runs/random"}):
        assert studio.ask("POST", "/api/admin/links", wanted, Cookie=admin)[0] == 400


def test_the_episodes_of_a_run_are_told_act_by_act_and_what_changed(studio: Server, admin: str) -> None:
    token = link(studio, admin, run="runs/heuristic")
    found = studio.ask("GET", f"/api/watch/{token}")[1]
    assert found["title"] == "runs/heuristic"
    assert len(found["episodes"]) == 3
    number, listed = max(enumerate(found["episodes"]), key=lambda each: each[1]["steps"])
    episode = studio.ask("GET", f"/api/watch/{token}/{number}")[1]
    assert len(episode["steps"]) == listed["steps"] > 0
    views = studio.ask("GET", f"/api/watch/{token}/{number}/frames/0")[1]
    assert views["texts"][0]["robot"]
    assert any("score" in each for changes in views["changes"] for each in changes)
    assert studio.ask("GET", f"/api/watch/{token}/3")[0] == 404
    status, said = studio.ask("GET", f"/api/watch/{token}/0/film")
    assert status == 400
    assert "no film" in said["error"]


def test_film_and_data_can_be_taken_away(studio: Server, watched: str) -> None:
    film = studio.download(f"/api/watch/{watched}/0/film")
    assert film[4:8] == b"ftyp"
    archive = zipfile.ZipFile(io.BytesIO(studio.download(f"/api/watch/{watched}/0/data")))
    episode = json.loads(archive.read("episode.json"))
    (official,) = (name for name in archive.namelist() if name.endswith(".game.json"))
    assert episode["steps"]
    assert parse_game(archive.read(official), official)


def test_whoever_has_a_link_moves_through_it_by_keys(
    studio: Server, admin: str, seats: dict[str, str], watched: str, visit: Callable[..., Any]
) -> None:
    page = visit(f"{studio.url}/watch/{watched}")
    page.locator(".views[data-step='0'] img").first.wait_for()
    assert page.locator(".views img").count() == 3
    page.keyboard.press("ArrowRight")
    page.locator(".views[data-step='1']").wait_for()
    page.keyboard.press("End")
    length = int(page.locator(".place").inner_text().split(" of ")[1])
    page.locator(f".views[data-step='{length}']").wait_for()
    page.get_by_text("commander: Please <b>turn</b>.").wait_for()
    player = Player(studio, seats["follower"]).connect()
    player.act("TurnLeft")
    player.close()
    page.locator(".place", has_text=f"of {length + 1}").wait_for()
    page.get_by_label("step").fill("0")
    page.get_by_text("The start.").wait_for()


def test_the_administrator_puts_two_runs_side_by_side(
    studio: Server, seats: dict[str, str], visit: Callable[..., Any]
) -> None:
    page = visit(f"{studio.url}/watch")
    page.get_by_role("link", name="Log in").click()
    page.get_by_label("Password").fill(PASSWORD["HOUSEMATES_STUDIO_PASSWORD"])
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="New project").wait_for()
    page.get_by_role("link", name="Watch", exact=True).click()
    for name in ("random", "heuristic"):
        page.get_by_label(f"Watch runs/{name}").check()
    page.get_by_role("button", name="Watch side by side").click()
    page.locator("td a").first.click()
    page.locator(".player").nth(1).wait_for()
    first, second = page.locator(".player h3").all_inner_texts()
    assert first == second
    page.keyboard.press("ArrowRight")
    for number in (0, 1):
        page.locator(".views[data-step='1']").nth(number).wait_for()


def test_what_is_deleted_with_a_participant_cannot_be_watched_any_more(studio: Server, admin: str) -> None:
    asked = {"id": "alone", "title": "Alone", "benchmark": "handmethat"}
    assert studio.ask("POST", "/api/admin/projects", asked, Cookie=admin)[0] == 200
    with urllib.request.urlopen(f"{studio.url}/join/alone?PROLIFIC_PID=carl&SESSION_ID=c") as answer:
        token = answer.url.rsplit("/", 1)[1]
    seat = studio.ask("POST", f"/api/participant/{token}/lobby")[1]["seat"]
    player = Player(studio, seat).connect()
    player.act("Stop")
    player.close()
    (play,) = studio.ask("GET", "/api/admin/projects/alone/plays", Cookie=admin)[1]
    watched = link(studio, admin, play=play["id"])
    assert studio.ask("GET", f"/api/watch/{watched}")[0] == 200
    assert (
        studio.ask("DELETE", "/api/admin/participant?source=prolific&external=carl", Cookie=admin)[0] == 200
    )
    assert studio.ask("GET", f"/api/watch/{watched}")[0] == 404
