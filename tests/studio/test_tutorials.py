"""CerealBar's tutorials, its quiz and its pools of players, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cards import do, understand
from people import Visit, administrator, make_project
from studio_server import Server

from housemates.agents.cerealbar.follower import to_card
from housemates.benchmarks.cerealbar.session import ACTS, FINISHED
from housemates.benchmarks.cerealbar.world.cards import sets
from housemates.benchmarks.cerealbar.world.observe import observe
from housemates.benchmarks.cerealbar.world.state import LEADER
from housemates.core.actions import Act
from housemates.studio.pages import page
from housemates.studio.pages.cerealbar_tutorial import TutorialGame, wanted
from housemates.studio.worlds.table import Spec, Table

QUIZ = page("cerealbar").quiz


def game_of(name: str) -> TutorialGame:
    """A tutorial as everybody finds it."""
    lesson = page(name).lesson(0)
    session = Table(Spec(name, "cerealbar", {}, lesson.reference, 0, lesson.seats)).session
    assert isinstance(session, TutorialGame)
    return session


def onto(session: TutorialGame, at: int) -> Iterator[Act]:
    """The steps onto a card, around all others."""
    way = to_card(observe(session.game, session.person), at, back=True)
    while move := way.next(observe(session.game, session.person)):
        assert session.act(ACTS[move]).success
        yield ACTS[move]


def leading() -> Iterator[Act]:
    """What passes the leader's tutorial."""
    session = game_of("cerealbar-leader")
    told = Act("Say", {"text": "Get the nearest card."})
    session.act(told)
    yield told
    asked: tuple[int, ...] = wanted().target
    while session.role:
        for at in asked:
            yield from onto(session, at)
        cards = sorted(session.game.cards)
        asked = tuple(cards[i] for i in next(iter(sets([session.game.cards[at] for at in cards]))))


def following() -> Iterator[Act]:
    """What passes the follower's."""
    session = game_of("cerealbar-follower")
    first, second, third = wanted().target
    for at in (first, wanted().wrong, wanted().wrong, second, third):
        yield from onto(session, at)
        session.act(FINISHED)
        yield FINISHED
    assert session.role is None


def test_no_step_of_a_tutorial_runs_out_and_no_turn_ends() -> None:
    session = game_of("cerealbar-leader")
    for _ in range(30):
        assert session.act(ACTS["RL"]).success
    assert session.act(Act("EndTurn")).success
    assert (session.role, session.game.role) == ("leader", LEADER)
    assert [done for *_, done in session.lessons] == [True, False, False, False]


def test_who_passes_tutorials_and_quiz_is_a_novice_and_the_administrator_makes_experts(
    visit: Visit, server: Server
) -> None:
    admin = administrator(visit, server)
    make_project(admin, "learn", "cerealbar", fields={"Who may take part": "novice"})
    make_project(admin, "experts", "cerealbar", fields={"Who may take part": "expert"})
    person = visit(f"{server.url}/join/learn?participant=p1")
    for acts in (leading(), following()):
        person.get_by_role("button", name="Begin the tutorial").click()
        understand(person)
        person.locator("body[data-whose=mine]").wait_for()
        for act in acts:
            do(person, act)
        person.get_by_role("link", name="Go on").click()
    answer(person, wrong=QUIZ[0]["name"])
    person.get_by_role("alert").filter(has_text=f"1 of {len(QUIZ)} answers").wait_for()
    answer(person)
    person.get_by_role("heading", name="Looking for a partner").wait_for()

    person.goto(f"{server.url}/join/experts?participant=p1")
    person.get_by_role("heading", name="Not this time").wait_for()
    admin.get_by_role("link", name="Study learn").click()
    admin.get_by_role("row").filter(has_text="Novice").get_by_role("button", name="Make expert").click()
    admin.get_by_role("row").filter(has_text="p1").filter(has_text="Expert").wait_for()
    person.reload()
    person.get_by_role("heading", name="Looking for a partner").wait_for()


def answer(person: Any, wrong: str = "") -> None:
    """Answer the quiz, one question wrongly if it is named."""
    for each in QUIZ:
        other = next(choice for choice in each["choices"] if choice != each["right"])
        asked = person.get_by_role("group", name=each["label"])
        asked.get_by_label(other if each["name"] == wrong else each["right"], exact=True).check()
    person.get_by_role("button", name="Send").click()
