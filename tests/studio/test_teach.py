"""TEACh in real browsers: from the link of a study to the survey, and what is exported of it."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from following import coffee, do, tutorial
from people import Visit, administrator, answer, exported, make_project
from studio_server import Server

from housemates.benchmarks.teach.formats.episodes import parse_game
from housemates.benchmarks.teach.formats.replay import replay
from housemates.benchmarks.teach.formats.scenes import scene_of
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.generate.sessions import session_of
from housemates.core.actions import Act
from housemates.studio.pages.teach import doing

OPTIONS = {"rooms": "seen", "size": "300"}
CONSENT = "We keep what you do and write."


def pass_tutorial(page: Any) -> None:
    token = page.url.rsplit("/", 1)[1]
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("button", name="Begin the tutorial").click()
    page.get_by_role("button", name="Got it").click()
    page.locator(".steps li").first.wait_for()
    for deed in tutorial(OPTIONS, random.Random(token).randrange(1000)):
        do(page, deed)
    page.get_by_role("link", name="Go on").click()


def test_two_people_make_coffee_from_the_tutorial_to_the_survey(
    visit: Visit, server: Server, tmp_path: Path
) -> None:
    admin = administrator(visit, server)
    asked = {"Tasks, separated by commas": "Coffee", "Consent, shown first if there is one": CONSENT}
    make_project(admin, "coffee", options=OPTIONS, fields=asked)
    people = [
        visit(f"{server.url}/join/coffee?PROLIFIC_PID=person{each}&SESSION_ID=s{each}") for each in "ab"
    ]
    for page in people:
        pass_tutorial(page)
    for page in people:
        page.get_by_role("button", name="Got it").click()
    commander = next(page for page in people if page.locator("main.commander").count())
    follower = next(page for page in people if page is not commander)

    commander.get_by_role("button", name="Progress check").click()
    commander.locator(".progress button.step").first.click()
    commander.locator(".found canvas.screen[data-turn]").first.wait_for()
    commander.get_by_label("Search for an object").fill("coffee machine")
    commander.keyboard.press("Enter")
    commander.get_by_text("The coffee machine is").wait_for()
    commander.keyboard.press("Escape")
    commander.get_by_label("Write to the Follower").fill("Please make <i>coffee</i> in a clean mug.")
    commander.keyboard.press("Enter")
    follower.get_by_text("Please make <i>coffee</i> in a clean mug.").wait_for()
    assert follower.locator(".said i").count() == 0
    follower.get_by_label("Write to the Commander").fill("On my way.")
    follower.keyboard.press("Enter")
    commander.get_by_text("On my way.").wait_for()
    follower.locator(".view canvas.screen").focus()
    for deed in coffee(OPTIONS, 0):
        do(follower, deed)
    commander.get_by_text("All is done. You can finish.").wait_for()
    commander.get_by_role("button", name="Finish").click()
    commander.get_by_role("dialog").get_by_role("button", name="Finish").click()
    codes = [answer(page) for page in people]
    assert all(code.startswith("HM-") for code in codes)

    admin.get_by_role("link", name="Study coffee").click()
    admin.get_by_role("heading", name="Study coffee").wait_for()
    admin.get_by_role("cell", name="100 %").first.wait_for()
    for code in codes:
        assert admin.get_by_role("cell", name=code).count() == 1
    file = exported(admin, tmp_path)
    game = parse_game(file.read_bytes(), file.name)
    replayed = replay(game, scene_of(game, None), by="point")
    assert replayed.success
    assert all(each.agree for each in replayed.compared)


def test_the_commander_sees_what_the_follower_is_doing() -> None:
    session = session_of(sampling.draws(7, 1, ["Coffee"])[0])
    seen = [doing(session)]
    for act in ("Pass", "TurnLeft", Act("ToggleOn", {"point": (0.5, 0.5)}), "Pass"):
        session.act(act)
        seen.append(doing(session))
    assert seen == ["waits", "thinks", "walks", "works", "waits"]
