"""Projects: what is checked, what may change, what is erased, and who is paid what."""

from __future__ import annotations

import asyncio
import csv
import io
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from housemates.errors import HousematesError
from housemates.guard.shares import Ledger
from housemates.studio.settings import Settings
from housemates.studio.storage import plays
from housemates.studio.storage.database import Database
from housemates.studio.storage.plays import NotThere
from housemates.studio.storage.tables import (
    DEMO,
    ENDED,
    LEFT,
    MAIN,
    OPEN,
    RUNNING,
    TUTORIAL,
    Base,
    Consent,
    Entry,
    Invitation,
    Participant,
    Play,
    Presence,
    Project,
    Refused,
    Seat,
)
from housemates.studio.study import (
    consents,
    erasure,
    evidence,
    invitations,
    participants,
    payments,
    projects,
    quality,
)
from housemates.studio.study.plans import NewProject, read_project
from housemates.studio.web import admin, playback
from housemates.studio.web.state import Studio

SETTINGS = Settings("sqlite://")
DAY_S = 86_400.0


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    made = Database(f"sqlite:///{tmp_path / 'projects.sqlite'}")
    yield made
    made.close()


@pytest.fixture
def session(database: Database) -> Iterator[Session]:
    with Session(database.engine) as made:
        yield made


def asked(**more: Any) -> NewProject:
    plain = {"id": "words", "title": "Words", "benchmark": "handmethat", **more}
    return read_project(plain)


def made(session: Session, **more: Any) -> Project:
    return projects.make(session, asked(**more), SETTINGS)


def come(session: Session, who: str, project: str = "words", invitation: str = "") -> Participant:
    visit = participants.visit_of({"participant": who})
    return session.get_one(Participant, participants.join(session, project, visit, "", invitation))


def played(session: Session, found: Participant | None, ago_s: float = 0.0, **more: Any) -> Play:
    """A session that somebody had; it is over, unless it is said otherwise."""
    number = session.scalar(select(func.count()).select_from(Play))
    at = time.time() - ago_s
    row = {"status": ENDED, "how": "done", "kind": MAIN, "ended": at, "scores": {}, **more}
    play = Play(
        id=f"play-{number}", project_id="words", page="handmethat", benchmark="handmethat", version="v"
    )
    play.reference, play.seats, play.created = {"id": "x"}, {"robot": ""}, at
    for key, value in row.items():
        setattr(play, key, value)
    session.add(play)
    session.flush()
    session.add(
        Seat(token=f"seat-{number}", play_id=play.id, role="robot", participant_id=found and found.id)
    )
    session.flush()
    return play


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"benchmark": "teach-tatc", "tasks": ["Coffe"]}, "tasks: .* no task 'Coffe': did you mean 'Coffee'"),
        ({"tasks": ["level 9"]}, "tasks: .* no task 'level 9': did you mean 'level "),
        ({"benchmark": "handmethatt"}, "did you mean 'handmethat'"),
        (
            {"options": {"styles": "x"}},
            "options: handmethat has no option 'styles' here: did you mean 'style'",
        ),
        ({"options": {"style": "odd"}}, "style: expected one of standard, reference"),
        ({"options": {"data": "/etc"}}, "options: handmethat has no option 'data' here"),
        ({"benchmark": "teach-tatc", "options": {"size": "huge"}}, "huge"),
        ({"seats": {"robt": "expert"}}, "seats: handmethat has no role 'robt': did you mean 'robot'"),
        ({"seats": {"robot": "evil.py:Evil"}}, "seats: the robot cannot be 'evil.py:Evil'"),
        ({"seats": {"robot": "expert"}}, "nobody is left to play"),
        ({"split": "generate"}, "split: handmethat has no 'generate' here: did you mean 'generated'"),
        ({"split": "train"}, "split: handmethat has no 'train' here"),
        ({"plan": {"return": "http://x"}}, "return: expected an address that begins with https://"),
        ({"plan": {"evidence": True}}, "evidence: is collected only with consent"),
        ({"plan": {"survey": "hello"}}, "survey: expected JSON, TOML, or a table"),
        (
            {"plan": {"quiz": [{"name": "q", "label": "?", "choices": ["a", "b"]}]}},
            "quiz: question 1 .*needs the right answer",
        ),
        ({"benchmark": "alfred-validation", "plan": {"of": "nothing"}}, "of: expected the name of a project"),
        ({"id": "demo-mine"}, "names that begin with demo-"),
    ],
)
def test_what_cannot_be_is_refused_by_its_field(session: Session, more: dict[str, Any], said: str) -> None:
    with pytest.raises(HousematesError, match=said):
        made(session, **more)
    assert session.scalar(select(func.count()).select_from(Project)) == 0


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"seed": 2**31}, "seed"),
        ({"title": "a\0b"}, "title"),
        ({"plan": {"each": 0}}, "plan.each"),
        ({"plan": {"colour": 1}}, "plan.colour"),
    ],
)
def test_values_out_of_bounds_name_their_field(more: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused, match=f"^{field}: "):
        asked(**more)


def test_settings_are_shown_again_and_a_copy_of_them_is_the_same(session: Session) -> None:
    survey = [{"name": "sure", "kind": "scale", "label": "Sure?"}]
    plan = {
        "consent": "We keep all.",
        "evidence": True,
        "survey": survey,
        "quiz": "",
        "base": 2.5,
        "return": "https://x.org",
    }
    first = made(session, tasks=["level 2"], options={"style": "reference"}, plan=plan)
    told = projects.told(session, first)
    assert (told["options"], told["tasks"], told["begun"]) == ({"style": "reference"}, ["level 2"], False)
    assert "[[question]]" in told["plan"]["survey"]
    assert told["plan"]["quiz"] == ""
    again = {key: told[key] for key in NewProject.model_fields}
    copied = projects.make(session, read_project({**again, "id": "again"}), SETTINGS)
    assert (copied.plan, copied.options, copied.tasks) == (first.plan, first.options, first.tasks)


def test_once_somebody_has_come_only_what_is_not_collected_may_change(session: Session) -> None:
    made(session)
    projects.edit(session, "words", asked(tasks=["level 1"], title="Other"), SETTINGS)
    come(session, "anna")
    for fixed in ({"tasks": ["level 2"]}, {"plan": {"each": 2}}, {"plan": {"survey": ""}}, {"seed": 4}):
        with pytest.raises(
            Refused, match=f"^{next(iter(fixed.get('plan', fixed)))}: cannot change once somebody"
        ):
            projects.edit(session, "words", asked(**{"tasks": ["level 1"], **fixed}), SETTINGS)
    free = {
        "consent": "New",
        "code": "C",
        "base": 1.0,
        "retention_days": 30,
        "invited": True,
        "patience_min": 1,
    }
    edited = projects.edit(
        session, "words", asked(tasks=["level 1"], title="Free", plays=9, plan=free), SETTINGS
    )
    assert (edited.title, edited.plays, edited.plan["retention_days"]) == ("Free", 9, 30)
    with pytest.raises(Refused, match="the name in links cannot change"):
        projects.edit(session, "words", asked(id="other"), SETTINGS)


def test_everybody_keeps_the_version_of_the_consent_that_they_agreed_to(session: Session) -> None:
    project = made(session, plan={"consent": "First."})
    anna, late = come(session, "anna"), come(session, "late")
    assert participants.stage_of(session, anna.id).name == "consent"
    assert consents.agree(session, anna, 1)
    projects.edit(session, "words", asked(plan={"consent": "Second.", "evidence": True}), SETTINGS)
    projects.edit(
        session, "words", asked(plan={"consent": "Second.", "evidence": True}, title="New"), SETTINGS
    )
    assert not consents.agree(session, late, 1), "what was read is no longer what is asked"
    assert participants.stage_of(session, late.id).name == "consent"
    assert consents.agree(session, late, 2)
    assert participants.stage_of(session, anna.id).name == "lobby"
    told = {
        each["participant"]: each["consent_version"] for each in quality.of_participants(session, "words")
    }
    assert told == {"anna": 1, "late": 2}
    kept = session.scalars(
        select(Consent).where(Consent.project_id == project.id).order_by(Consent.version)
    ).all()
    assert [each.text for each in kept] == ["First.", f"Second.\n\n{consents.EVIDENCE}"]


def test_who_does_not_agree_leaves_nothing_behind(session: Session) -> None:
    made(session, plan={"consent": "First."})
    participants.decline(session, come(session, "anna").id)
    session.flush()
    assert session.scalar(select(func.count()).select_from(Participant)) == 0
    agreed = come(session, "berta")
    consents.agree(session, agreed, 1)
    with pytest.raises(Refused, match="taken part already"):
        participants.decline(session, agreed.id)
    earlier = come(session, "came before there was a consent")
    played(session, earlier)
    with pytest.raises(Refused, match="taken part already"):
        participants.decline(session, earlier.id)


REPORT = evidence.Report(
    pastes=1,
    pasted_chars=80,
    typed_chars=3,
    left_page=2,
    left_page_s=7.5,
    gaps=[0, 0, 4, 1, 0, 0, 0, 0, 0, 2],
)


def test_evidence_is_kept_only_of_those_whose_consent_names_it(session: Session) -> None:
    made(session, plan={"consent": "Text."})
    before, after = come(session, "before"), come(session, "after")
    consents.agree(session, before, 1)
    projects.edit(session, "words", asked(plan={"consent": "Text.", "evidence": True}), SETTINGS)
    consents.agree(session, after, 2)
    for found in (before, after, None):
        played(session, found)
    for token in ("seat-0", "seat-2"):
        with pytest.raises(Refused, match="does not cover"):
            evidence.add(session, token, REPORT)
    evidence.add(session, "seat-1", REPORT)
    evidence.add(session, "seat-1", evidence.Report(pastes=1))
    told = {each["participant"]: each for each in quality.of_participants(session, "words")}
    assert [told["before"][name] for name in evidence.COLUMNS] == [None] * len(evidence.COLUMNS)
    assert [told["after"][name] for name in evidence.COLUMNS] == [2, 80, 3, 2, 7.5, 100, 2]


def test_a_quiz_of_ones_own_has_to_be_passed_in_that_project(session: Session) -> None:
    quiz = [{"name": "q", "label": "Is one one?", "choices": ["yes", "no"], "right": "yes"}]
    made(session, plan={"quiz": quiz})
    anna = come(session, "anna")
    assert participants.stage_of(session, anna.id).name == "quiz"


def test_attention_checks_are_counted(session: Session) -> None:
    survey = [{"name": "q", "label": "Choose no.", "choices": ["yes", "no"], "right": "no"}]
    made(session, plan={"survey": survey})
    for who, said in (("anna", "yes"), ("berta", "no")):
        play = played(session, come(session, who))
        seat = session.scalars(select(Seat).where(Seat.play_id == play.id)).one()
        participants.answer(session, seat.token, {"q": said})
    told = quality.of_participants(session, "words")
    assert [(each["checks"], each["checks_failed"]) for each in told] == [(1, 1), (1, 0)]


def test_payments_say_who_is_paid_what_and_why_and_hold_no_formula(session: Session) -> None:
    made(session, plan={"base": 2.0, "bonus": 0.5, "currency": "GBP", "patience_min": 10, "code": "DONE"})
    for who, success in (("won", 1.0), ("=lost()", 0.0)):
        play = played(session, come(session, who), scores={"success": success})
        seat = session.scalars(select(Seat).where(Seat.play_id == play.id)).one()
        participants.answer(session, seat.token, {})
    come(session, "gone")
    participants.leave(session, come(session, "waited").id, 601.0)
    participants.leave(session, come(session, "hasty").id, 20.0)
    rows = list(csv.reader(io.StringIO(payments.as_csv(payments.of_project(session, "words")))))
    assert rows == [
        ["participant", "source", "base", "bonus", "currency", "reason", "code"],
        ["won", "link", "2.00", "0.50", "GBP", "1 completed, 1 with success", "DONE"],
        ["'=lost()", "link", "2.00", "0.00", "GBP", "1 completed, 0 with success", "DONE"],
        ["gone", "link", "0.00", "0.00", "GBP", "nothing completed", ""],
        ["waited", "link", "2.00", "0.00", "GBP", "waited 10 min for a partner", "DONE"],
        ["hasty", "link", "0.00", "0.00", "GBP", "waited 0 min for a partner and left", ""],
    ]


def test_who_leaves_the_lobby_early_may_wait_again_and_who_waited_long_has_a_code(session: Session) -> None:
    made(session, plan={"patience_min": 10})
    hasty, patient = come(session, "hasty"), come(session, "patient")
    participants.leave(session, hasty.id, 30.0)
    assert participants.stage_of(session, hasty.id).name == "left"
    participants.come_back(session, hasty.id)
    assert participants.stage_of(session, hasty.id).name == "lobby"
    participants.leave(session, patient.id, 600.0)
    assert patient.state["left"]["code"].startswith("HM-")
    with pytest.raises(Refused, match="left with a code"):
        participants.come_back(session, patient.id)


def test_invitations_expire_are_used_up_and_can_be_withdrawn(session: Session) -> None:
    made(session, plan={"invited": True})
    with pytest.raises(Refused, match="open to those who were invited"):
        come(session, "anna")
    token = invitations.make(session, "words", 1, 1).token
    come(session, "anna", invitation=token)
    with pytest.raises(Refused, match="used as often as it may be"):
        come(session, "berta", invitation=token)
    late = invitations.make(session, "words", 1, 0)
    late.expires = time.time() - 1
    with pytest.raises(Refused, match="has expired"):
        come(session, "berta", invitation=late.token)
    good = invitations.make(session, "words", 1, 0)
    invitations.withdraw(session, "words", good.token)
    with pytest.raises(Refused, match="open to those who were invited"):
        come(session, "berta", invitation=good.token)
    assert [each["expired"] for each in invitations.of_project(session, "words")].count(True) == 1


def test_a_project_is_deleted_with_all_that_is_in_it_once_it_is_closed(session: Session) -> None:
    project = made(session, plan={"consent": "Text."})
    made(session, id="other")
    play = played(session, come(session, "anna"))
    session.add(Entry(play_id=play.id, number=0, role="robot", by="person", act={}, success=True, at=1.0))
    session.add(Presence(play_id=play.id, role="robot", came=True, at=1.0))
    invitations.make(session, "words", 1, 0)
    with pytest.raises(Refused, match="Close the project before"):
        erasure.project(session, "words")
    project.open = False
    assert erasure.project(session, "words") == [play.id]
    left = {each.__tablename__ for each in Base.__subclasses__() if session.scalars(select(each)).first()}
    assert left == {"projects"}
    assert session.scalars(select(Project.id)).all() == ["other"]


def test_what_is_older_than_a_project_keeps_it_is_erased_and_nothing_else(session: Session) -> None:
    made(session, plan={"retention_days": 30})
    made(session, id="for-ever")
    for who, ago_days in (("old", 31), ("new", 29), ("both", 40)):
        found = come(session, who)
        found.created = time.time() - 50 * DAY_S
        played(session, found, ago_days * DAY_S)
        if who == "both":
            played(session, found, 1 * DAY_S)
    played(session, None, 31 * DAY_S)
    played(session, None, 2 * DAY_S)
    ancient = come(session, "kept", "for-ever")
    ancient.created = 0.0
    gone = erasure.overdue(session, time.time())
    assert set(gone) == {"play-0", "play-4"}
    assert set(session.scalars(select(Participant.external))) == {"new", "both", "kept"}
    assert erasure.overdue(session, time.time()) == []


@pytest.mark.parametrize("who", ["a/b", "../x", "%2F", "ä ö&?#=", "'; DROP", "\u202e-", "<b>", "x" * 120])
def test_one_person_of_any_name_is_erased_and_no_namesake_from_elsewhere(session: Session, who: str) -> None:
    made(session)
    if not who.isprintable():
        with pytest.raises(Refused, match="all of which can be printed"):
            come(session, who)
        return
    other = participants.visit_of({"PROLIFIC_PID": who})
    participants.join(session, "words", other, "")
    played(session, come(session, who))
    assert erasure.forget(session, "link", who) == ["play-0"]
    with pytest.raises(NotThere):
        erasure.known(session, "link", who)
    assert len(erasure.known(session, "prolific", who)) == 1


def test_what_nobody_goes_on_with_is_abandoned_and_links_wait_until_they_expire(session: Session) -> None:
    made(session)
    now, idle_s = time.time(), 900.0
    more = {"ended": None, "how": ""}
    rows = {
        "demo": played(session, None, 1000, kind=DEMO, status=OPEN, **more),
        "demo just now": played(session, None, 10, kind=DEMO, status=OPEN, **more),
        "running": played(session, None, 1000, status=RUNNING, **more),
        "acted": played(session, None, 5000, status=RUNNING, **more),
        "link": played(session, None, 5000, status=OPEN, expires=now + 60, **more),
        "link expired": played(session, None, 5000, status=OPEN, expires=now - 60, **more),
        "tutorial": played(session, None, 5000, kind=TUTORIAL, status=RUNNING, **more),
        "old tutorial": played(session, None, 2 * DAY_S, kind=TUTORIAL, status=RUNNING, **more),
        "over": played(session, None, 5000),
    }
    acted = rows["acted"].id
    session.add(Entry(play_id=acted, number=0, role="robot", by="person", act={}, success=True, at=now - 60))
    session.flush()
    found = plays.abandoned(session, now, idle_s)
    assert {name for name, each in rows.items() if each.id in found} == {
        "demo",
        "running",
        "link expired",
        "old tutorial",
    }


def test_a_monitor_lists_what_goes_on_apart_from_what_is_over(session: Session) -> None:
    made(session)
    going = played(session, None, status=RUNNING, how="", ended=None)
    over, left = played(session, None, 60), played(session, None, 30, status=LEFT, how="left")
    assert [each["play"] for each in projects.under_way(session)] == [going.id]
    assert [each["play"] for each in projects.newest_over(session, 10)] == [left.id, over.id]


def test_a_studio_ends_and_erases_by_itself_what_is_abandoned_and_overdue(database: Database) -> None:
    def fill(session: Session) -> None:
        made(session, plan={"retention_days": 30})
        played(session, None, 1000, kind=DEMO, status=OPEN, how="", ended=None)
        found = come(session, "old")
        found.created = 0.0
        played(session, found, 31 * DAY_S)

    def kept(session: Session) -> list[tuple[str, str, str]]:
        return [(each.id, each.status, each.how) for each in session.scalars(select(Play))]

    async def run() -> None:
        studio = Studio(replace(SETTINGS, workers=1), database, Ledger(SETTINGS.bounds.shares))
        try:
            async with asyncio.timeout(60):
                while await database.run(kept) != [("play-0", LEFT, LEFT)]:
                    await asyncio.sleep(0.05)
        finally:
            studio.close()

    database.now(fill)
    thread = ThreadPoolExecutor(1)  # the browser of other tests holds the event loop of this thread
    thread.submit(asyncio.run, run()).result()
    thread.shutdown()


def test_a_link_that_has_expired_leads_nowhere(session: Session) -> None:
    made(session)
    version = plays.registry.benchmark_class("handmethat").id
    play = played(session, None, status=OPEN, how="", ended=None, version=version, expires=time.time() - 1)
    with pytest.raises(Refused, match="This link has expired"):
        plays.find(session, play.id)
    assert session.scalar(select(func.count()).select_from(Invitation)) == 0


def test_every_address_of_the_administrators_asks_who_it_is() -> None:
    open_to_all = {"/api/admin/login", "/api/admin/session"}
    guarded = [
        route
        for route in (*admin.router.routes, *playback.router.routes)
        if isinstance(route, APIRoute) and route.path.startswith("/api/admin/")
    ]
    assert len(guarded) > 20
    for route in guarded:
        asks = admin.administrator in {each.call for each in route.dependant.dependencies}
        assert asks != (route.path in open_to_all), route.path
