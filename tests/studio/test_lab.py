"""A lab's week over HTTP: projects from the first day to the last, and people who come, wait and go."""

from __future__ import annotations

import csv
import io
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import quote

import pytest
from studio_server import PASSWORD, STOPPED, Player, Server, logged_in

from housemates.studio.storage.database import Database
from housemates.studio.storage.tables import Invitation, Play

Admin = dict[str, str]
ROBOT = {"benchmark": "handmethat", "title": "Hand me that"}


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    made = Server(tmp_path_factory.mktemp("lab"), "", "--workers", "1", env=PASSWORD).start()
    yield made
    assert made.stop() in STOPPED


@pytest.fixture(scope="module")
def admin(studio: Server) -> Admin:
    """The administrator's cookie, as a header."""
    return {"Cookie": logged_in(studio)}


def make(studio: Server, admin: Admin, name: str, **more: Any) -> dict[str, Any]:
    status, found = studio.ask("POST", "/api/admin/projects", {**ROBOT, "id": name, **more}, **admin)
    assert status == 200, found
    return found


def come(studio: Server, project: str, who: str = "anna", more: str = "") -> str:
    """Somebody comes by the link; their token."""
    said, _, rest = more.partition("&")
    address = (
        f"{studio.url}/join/{project}?PROLIFIC_PID={quote(who, safe='')}&SESSION_ID=s{quote(said)}&{rest}"
    )
    with urllib.request.urlopen(address) as answer:
        return str(answer.url).rsplit("/", 1)[1]


def at(studio: Server, token: str, what: str = "", body: Any = None) -> dict[str, Any]:
    path = f"/api/participant/{token}{f'/{what}' if what else ''}"
    status, found = studio.ask("POST" if what else "GET", path, body)
    assert status == 200, found
    return found


def played(studio: Server, token: str) -> str:
    """Somebody plays and stops at once; their seat."""
    seat: str = at(studio, token, "lobby")["seat"]
    player = Player(studio, seat).connect()
    player.act("Stop")
    player.wait_for("ended") if not player.ended else None
    player.close()
    return seat


def test_a_misspelt_task_is_refused_with_what_was_meant(studio: Server, admin: Admin) -> None:
    asked = {"id": "coffee", "title": "Coffee", "benchmark": "teach-tatc", "tasks": ["Coffe"]}
    status, found = studio.ask("POST", "/api/admin/projects", asked, **admin)
    assert status == 400
    assert found["error"].startswith("tasks: teach-tatc has no task 'Coffe': did you mean 'Coffee'?")
    assert studio.ask("GET", "/api/admin/projects/coffee", **admin)[0] == 404


def test_a_project_is_changed_closed_and_deleted(studio: Server, admin: Admin) -> None:
    told = make(studio, admin, "week", plan={"consent": "One."})
    assert (told["begun"], told["consent_version"]) == (False, 1)
    keys = ("id", "title", "benchmark", "options", "split", "seed", "tasks", "seats", "plays", "plan")
    asked = {key: told[key] for key in keys}
    changed = {**asked, "title": "Other", "plan": {**asked["plan"], "consent": "Two."}}
    status, told = studio.ask("PUT", "/api/admin/projects/week", changed, **admin)
    assert (status, told["title"], told["consent_version"]) == (200, "Other", 2)
    come(studio, "week")
    status, found = studio.ask("PUT", "/api/admin/projects/week", {**changed, "seed": 9}, **admin)
    assert (status, found["error"]) == (
        400,
        "seed: cannot change once somebody has come; copy the project instead.",
    )
    assert studio.ask("DELETE", "/api/admin/projects/week", **admin)[0] == 400
    assert studio.ask("PATCH", "/api/admin/projects/week", {"open": False}, **admin)[1]["open"] is False
    assert studio.ask("DELETE", "/api/admin/projects/week", **admin) == (200, {"plays": 0})
    assert studio.ask("GET", "/join/week")[0] == 404
    assert studio.ask("DELETE", "/api/admin/projects/demo-teach", **admin)[0] == 400


def test_options_are_explained_and_forms_are_tried_before_they_are_used(studio: Server, admin: Admin) -> None:
    offered = {each["benchmark"]: each for each in studio.ask("GET", "/api/admin/offered", **admin)[1]}
    assert all(each["help"] for made in offered.values() for each in made["options"].values())
    assert "Coffee" in offered["teach-tatc"]["tasks"]
    for made in offered.values():
        text = {"text": made["survey"], "which": "survey"}
        assert studio.ask("POST", "/api/admin/forms", text, **admin)[0] == 200
    bad = {"text": "[[question]]\nname = 'q'\nlable = 'x'", "which": "survey"}
    status, found = studio.ask("POST", "/api/admin/forms", bad, **admin)
    assert status == 400
    assert found["error"].startswith("survey: question 1 (q): a choice has no 'lable': did you mean 'label'?")


def test_a_person_agrees_passes_the_quiz_plays_answers_and_is_paid(studio: Server, admin: Admin) -> None:
    quiz = '[[question]]\nname = "one"\nlabel = "Is it one?"\nchoices = ["yes", "no"]\nright = "yes"\n'
    survey = "name,label,choices,right\ncheck,Choose b.,a|b,b\n"
    plan = {
        "consent": "Text.",
        "quiz": quiz,
        "survey": survey,
        "code": "DONE",
        "base": 1.5,
        "return": "https://x.org/c",
    }
    make(studio, admin, "whole", plan=plan)
    token = come(studio, "whole")
    where = at(studio, token)
    assert (where["stage"], where["text"], where["version"]) == ("consent", "Text.", 1)
    assert at(studio, token, "consent", {"version": 7})["stage"] == "consent"
    where = at(studio, token, "consent", {"version": 1})
    assert (where["stage"], [each["name"] for each in where["questions"]]) == ("quiz", ["one"])
    assert "right" not in where["questions"][0]
    assert studio.ask("POST", f"/api/participant/{token}/quiz", {"answers": {"one": "no"}})[0] == 400
    assert at(studio, token, "quiz", {"answers": {"one": "yes"}})["stage"] == "lobby"
    seat = played(studio, token)
    asked = studio.ask("GET", f"/api/seat/{seat}/survey")[1]
    assert ([each["name"] for each in asked["questions"]], asked["answered"]) == (["check"], False)
    assert studio.ask("POST", f"/api/seat/{seat}/survey", {"answers": {"check": "a"}})[1]["code"] == "DONE"
    where = at(studio, token)
    assert (where["stage"], where["code"], where["link"]) == ("done", "DONE", "https://x.org/c")
    paid = studio.download("/api/admin/projects/whole/payments", **admin).decode()
    (row,) = csv.DictReader(io.StringIO(paid))
    assert (row["participant"], row["base"], row["code"]) == ("anna", "1.50", "DONE")
    assert row["reason"].endswith("; 1 attention check failed")


@pytest.mark.parametrize("who", ["a/b", "../up", "%2F?#&=", "ö ß 漢", "a+b@c.d", "..", "'\"<b>"])
def test_an_id_of_any_characters_is_exported_promoted_and_deleted(
    studio: Server, admin: Admin, who: str
) -> None:
    name = f"ids-{abs(hash(who)) % 10**8}"
    make(studio, admin, name)
    come(studio, name, who)
    query = f"source=prolific&external={quote(who, safe='')}"
    promoted = studio.ask(
        "PATCH", f"/api/admin/projects/{name}/participant?{query}", {"expert": True}, **admin
    )
    assert promoted == (200, {"expert": True})
    assert studio.ask("GET", f"/api/admin/projects/{name}/participants", **admin)[1][0]["pool"] == "expert"
    found = studio.ask("GET", f"/api/admin/participant?{query}", **admin)[1]
    assert [each["external"] for each in found["participants"]] == [who]
    assert studio.ask("DELETE", f"/api/admin/participant?{query}", **admin)[0] == 200
    assert studio.ask("GET", f"/api/admin/participant?{query}", **admin)[0] == 404


def test_an_id_that_cannot_be_printed_is_refused_in_one_sentence(studio: Server, admin: Admin) -> None:
    make(studio, admin, "odd-ids")
    status, found = studio.ask("GET", "/join/odd-ids?PROLIFIC_PID=a%00b")
    assert (status, found["error"]) == (
        400,
        "PROLIFIC_PID: expected at most 120 characters, all of which can be printed.",
    )


def test_whoever_comes_back_proves_it_with_any_characters(studio: Server, admin: Admin) -> None:
    make(studio, admin, "back-again", plan={"consent": "Text."})
    token = come(studio, "back-again", "anna", "é漢")
    assert come(studio, "back-again", "anna", "é漢") == token
    path = "/join/back-again?PROLIFIC_PID=anna&SESSION_ID=%C3%A9"
    assert studio.ask("GET", path, Cookie="participant=\xe9")[0] == 403
    assert studio.ask("GET", f"{path}&invitation=%00")[0] == 403
    assert studio.ask("GET", "/join/back-again?invitation=%00")[0] == 400
    odd = "/api/admin/participant?source=link&external=a%00"
    assert studio.ask("GET", odd, **admin)[0] == 422


def test_who_waits_is_told_how_long_and_may_leave(studio: Server, admin: Admin) -> None:
    make(studio, admin, "pairs", benchmark="cerealbar", plan={"patience_min": 0})
    token = come(studio, "pairs")
    assert at(studio, token, "lobby")["waiting"] == 1
    time.sleep(0.3)
    where = at(studio, token, "lobby")
    assert (where["waiting"], where["patience_s"]) == (1, 0)
    assert 0.2 < where["waited_s"] < 30
    assert studio.ask("GET", "/api/admin/live", **admin)[1]["waiting"] == {"pairs": 1}
    assert at(studio, token, "leave")["stage"] == "left"
    assert studio.ask("GET", "/api/admin/live", **admin)[1]["waiting"] == {}
    assert at(studio, token, "back")["stage"] == "lobby"


def test_only_who_is_invited_comes_and_not_for_ever(studio: Server, admin: Admin) -> None:
    make(studio, admin, "closed-circle", plan={"invited": True})
    path = "/api/admin/projects/closed-circle/invitations"
    status, found = studio.ask("GET", "/join/closed-circle?PROLIFIC_PID=anna")
    assert status == 400
    assert "open to those who were invited" in found["error"]
    made = studio.ask("POST", path, {"days": 3, "most": 1}, **admin)[1]
    token = come(studio, "closed-circle", more=f"&{made['link'].partition('?')[2]}")
    assert come(studio, "closed-circle") == token, "whoever has come needs no second invitation"
    status, found = studio.ask("GET", f"{made['link']}&PROLIFIC_PID=berta")
    assert (status, "used as often" in found["error"]) == (400, True)
    made = studio.ask("POST", path, {"days": 3}, **admin)[1]
    with closing(Database(studio.db)) as database:
        database.now(lambda session: setattr(session.get_one(Invitation, made["token"]), "expires", 1.0))
    status, found = studio.ask("GET", f"{made['link']}&PROLIFIC_PID=berta")
    assert (status, found["error"]) == (
        400,
        "This invitation has expired. Ask whoever sent it for a new one.",
    )
    assert studio.ask("DELETE", f"{path}/{made['token']}", **admin)[0] == 200
    assert len(studio.ask("GET", path, **admin)[1]) == 1


def test_a_seats_link_expires_if_nobody_comes(studio: Server, admin: Admin) -> None:
    make(studio, admin, "short-links")
    seat = studio.ask("POST", "/api/admin/projects/short-links/plays", {"days": 1}, **admin)[1]["robot"]
    (play,) = studio.ask("GET", "/api/admin/projects/short-links/plays", **admin)[1]
    assert 0.9 < (play["expires"] - time.time()) / 86_400 < 1.1
    with closing(Database(studio.db)) as database:
        database.now(lambda session: setattr(session.get_one(Play, play["id"]), "expires", 1.0))
    player = Player(studio, seat.removeprefix("/seat/"))
    with pytest.raises(Exception, match=r"1011|closed|close"):
        player.connect()


def test_the_monitor_tells_going_on_from_over(studio: Server, admin: Admin) -> None:
    make(studio, admin, "monitor")
    seats = [
        studio.ask("POST", "/api/admin/projects/monitor/plays", {}, **admin)[1]["robot"] for _ in range(2)
    ]
    players = [Player(studio, seat.removeprefix("/seat/")).connect() for seat in seats]
    ids = [each["id"] for each in studio.ask("GET", "/api/admin/projects/monitor/plays", **admin)[1]]
    players[0].act("Stop")
    now = studio.ask("GET", "/api/admin/live", **admin)[1]
    going = {each["play"]: each for each in now["going_on"]}
    over = {each["play"]: each for each in now["over"]}
    (still,) = set(ids) & set(going)
    assert going[still]["people"] == ["robot"]
    assert (set(ids) - {still}) & set(over)
    assert not set(going) & set(over)
    for player in players:
        player.close()


def test_every_demo_has_another_task_and_promises_no_code(studio: Server) -> None:
    tasks = []
    for _ in range(4):
        asked = {"benchmark": "teach-tatc", "role": "commander"}
        seat = studio.ask("POST", "/api/demo", asked)[1]["seat"].removeprefix("/seat/")
        player = Player(studio, seat).connect()
        tasks.append(player.state["views"]["task"])
        if len(tasks) == 1:
            player.act("Stop")
            assert player.ended or player.wait_for("ended")
            assert (player.ended, player.success) == ("done", False)
            answers = {"clear": "2", "helpful": "2", "together": "2", "done": "no"}
            found = studio.ask("POST", f"/api/seat/{seat}/survey", {"answers": answers})[1]
            assert (found["answered"], found["code"], found["link"]) == (True, "", "")
        player.close()
    assert len(set(tasks)) == 4


def test_what_browsers_report_is_taken_only_with_consent_and_within_bounds(
    studio: Server, admin: Admin
) -> None:
    make(studio, admin, "reports", plan={"consent": "Text.", "evidence": True})
    make(studio, admin, "no-reports", plan={"consent": "Text."})
    for name, status in (("reports", 200), ("no-reports", 400)):
        token = come(studio, name)
        assert at(studio, token, "consent", {"version": 1})["stage"] == "lobby"
        seat = at(studio, token, "lobby")["seat"]
        page = studio.download(f"/seat/{seat}").decode()
        assert ("evidence.js" in page) == (status == 200)
        path = f"/api/seat/{seat}/evidence"
        assert studio.ask("POST", path, {"pastes": 1, "pasted_chars": 40})[0] == status
        for bad in ({"pastes": -1}, {"gaps": [1]}, {"keys": "abc"}, {"left_page_s": 1e9}):
            assert studio.ask("POST", path, bad)[0] == 422
    found = studio.ask("GET", "/api/admin/projects/reports/participants", **admin)[1][0]
    assert (found["pastes"], found["pasted_chars"], found["consent_version"]) == (1, 40, 1)


def test_nobody_is_told_to_log_in_before_they_have_tried(studio: Server, admin: Admin) -> None:
    assert studio.ask("GET", "/api/admin/session") == (200, {"in": False})
    assert studio.ask("GET", "/api/admin/session", **admin) == (200, {"in": True})
