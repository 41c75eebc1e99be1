"""HandMeThat in a real browser: an episode by clicking what can be done, with questions and without."""

from __future__ import annotations

import pytest
from people import Visit, administrator, links, make_project
from studio_server import Server, logged_in

from housemates.core.episode import play
from housemates.core.loading import Seating, make_agents
from housemates.studio.pages import page
from housemates.studio.worlds.instances import find
from housemates.studio.worlds.table import Spec, Table

ROBOT = {"robot": ""}


def commands(options: dict[str, str]) -> list[str]:
    """What does what the human meant, in the first play of a project with these options."""
    chosen = find("handmethat", "handmethat", options, ROBOT, "generated", 0, [], 0)
    table = Table(Spec("handmethat", "handmethat", options, chosen.reference, chosen.number, ROBOT))
    trace = play(
        table.session, make_agents(type(table.benchmark), {"robot": Seating("expert")}), table.instance
    )
    return [step.act.arguments["command"] for step in trace.steps if step.act and step.act.name == "Command"]


@pytest.mark.parametrize("questions", ["2", "none"])
def test_an_episode_is_played_by_clicking_what_can_be_done(
    visit: Visit, server: Server, questions: str
) -> None:
    admin = administrator(visit, server)
    name, options = f"that-{questions}", {"questions": questions}
    make_project(admin, name, "handmethat", options)
    robot = visit(server.url + links(admin, name)["robot"])
    robot.get_by_role("button", name="Got it").click()
    robot.locator(".room .stop").first.wait_for()
    assert robot.locator(".trail li").count() == robot.locator(".room .stop").count()
    asking = robot.get_by_role("group", name="What you can ask")
    paid = 0
    if questions == "none":
        assert asking.is_hidden()
    else:
        asking.get_by_role("button").first.click()
        robot.get_by_role("log", name="Questions and answers").get_by_role("listitem").nth(2).wait_for()
        paid = 2
    steps = commands(options)
    for command in steps:
        robot.get_by_role("button", name=command, exact=True).click()
        robot.get_by_role("status").filter(has_text=f"{40 - steps.index(command) - 1} moves left").wait_for()
        assert robot.evaluate("document.activeElement !== document.body"), "whoever uses the keyboard is lost"
    robot.get_by_role("heading", name="That is what she meant.").wait_for()
    robot.get_by_role("dialog").get_by_text(f"Score {100 - len(steps) - paid},").wait_for()
    robot.get_by_role("link", name="To the survey").click()
    robot.get_by_role("heading", name="How did it go?").wait_for()


def test_the_tutorial_is_passed_by_what_its_lessons_say(visit: Visit, server: Server) -> None:
    asked = {"id": "learn-that", "title": "That", "benchmark": "handmethat", "plan": {"tutorial": True}}
    assert server.ask("POST", "/api/admin/projects", asked, Cookie=logged_in(server))[0] == 200
    lesson = page("handmethat-tutorial").lesson(0)
    table = Table(Spec("handmethat-tutorial", "handmethat", {}, lesson.reference, 0, lesson.seats))
    steps = table.session.episode.demo  # type: ignore[attr-defined]
    person = visit(f"{server.url}/join/learn-that?participant=that1")
    person.get_by_role("button", name="Begin the tutorial").click()
    person.get_by_role("button", name="Got it").click()
    lessons = person.locator(".learning .lessons li")
    for number, command in enumerate(steps):
        person.get_by_role("button", name=command, exact=True).click()
        person.get_by_role("status").filter(has_text=f"{40 - number - 1} moves left").wait_for()
        if number + 1 < len(steps):
            assert 0 < lessons.count() <= 5 - number
    person.get_by_role("heading", name="That is what she meant.").wait_for()
    person.get_by_role("link", name="Go on").click()
    person.get_by_role("button", name="Begin the tutorial").wait_for(state="detached")
