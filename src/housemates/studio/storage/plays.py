"""Plays and seats in the database: made, found, ended."""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from housemates.core import registry
from housemates.core.benchmark import Reference
from housemates.studio.pages import page, page_of
from housemates.studio.storage import journal
from housemates.studio.storage.tables import (
    ENDED,
    LEFT,
    MAIN,
    OPEN,
    RUNNING,
    TUTORIAL,
    Entry,
    Participant,
    Play,
    Presence,
    Project,
    Refused,
    Seat,
)
from housemates.studio.worlds.instances import Chosen
from housemates.studio.worlds.table import Ending, Spec, Written

TUTORIAL_S = 86_400.0
"""For so long somebody may go on with a tutorial."""
TOKEN_BYTES = 24
"""Of randomness in a seat's token."""


MOST = 20
"""Abandoned plays that are looked after at once."""


class NotThere(Refused):
    """There is no such thing, or it is not yours."""

    status = 404


class Found(NamedTuple):
    """A play as rooms want it."""

    id: str
    project: str
    kind: str
    spec: Spec
    over: str
    """How it ended; empty if it did not."""
    success: bool = False


class Place(NamedTuple):
    """Who a token is."""

    token: str
    play: str
    role: str
    page: str
    kind: str
    project: str
    title: str
    participant: str | None
    over: str


def make(
    session: Session,
    project: Project,
    chosen: Chosen,
    seats: Mapping[str, str],
    kind: str = MAIN,
    page_name: str = "",
    options: Mapping[str, str] | None = None,
    expires: float | None = None,
) -> dict[str, str]:
    """A new play, with a token for each seat that a person is to take: role -> token.

    `expires` is until when somebody has to have come to each seat.
    """
    now = time.time()
    shown = page(page_name) if page_name else page_of(project.benchmark)
    made = Play(
        id=secrets.token_hex(12),
        project_id=project.id,
        kind=kind,
        page=shown.name,
        benchmark=project.benchmark,
        version=registry.benchmark_class(project.benchmark).id,
        options={**project.options, **(options or {})},
        reference=msgspec.to_builtins(chosen.reference),
        number=chosen.number,
        task=chosen.task,
        seats=dict(seats),
        status=OPEN,
        created=now,
        expires=expires,
    )
    session.add(made)
    session.flush()
    tokens = {role: secrets.token_urlsafe(TOKEN_BYTES) for role, agent in seats.items() if not agent}
    for role, token in tokens.items():
        session.add(Seat(token=token, play_id=made.id, role=role))
    return tokens


def next_of(
    session: Session, project_id: str, rejected: Collection[str] = (), people: Collection[str] = ()
) -> tuple[Project, Chosen | int]:
    """A project, and what its next play is about; refused when there are enough or it is closed.

    Args:
        session: Of the database.
        project_id: Which project.
        rejected: Plays that are to be played anew.
        people: The participants who are to play; nobody plays the same twice.

    Returns:
        The project, and a reference that wants more plays, or the number of a new one.
    """
    project = session.get(Project, project_id)
    if project is None:
        raise NotThere("There is no such project.")
    main = select(Play).where(Play.project_id == project_id, Play.kind == MAIN).order_by(Play.created)
    rows = session.scalars(main).all()
    good = [each for each in rows if each.status != LEFT and each.id not in rejected]
    if not project.open or (project.plays and len(good) >= project.plays):
        raise Refused("This study has all the sessions that it needs. Thank you.")
    repeats = page_of(project.benchmark).repeats
    if repeats == 1:
        return project, len(rows)
    known = set(session.scalars(select(Seat.play_id).where(Seat.participant_id.in_(people))))
    seen = {each.reference["id"] for each in rows if each.id in known}
    there = Counter(each.reference["id"] for each in good)
    by_name = {each.reference["id"]: each for each in rows}
    for name, row in by_name.items():
        if there[name] < repeats and name not in seen:
            return project, Chosen(msgspec.convert(row.reference, Reference), row.number, row.task)
    return project, len(by_name)


def count_of(session: Session, project_id: str) -> int:
    """How many plays a project has."""
    return session.scalar(select(func.count()).select_from(Play).where(Play.project_id == project_id)) or 0


def wanted(project: Project, nth: int) -> tuple[Any, ...]:
    """What `worlds.finding.find` is asked for the nth reference of a project."""
    return (
        *(page_of(project.benchmark).name, project.benchmark, project.options, project.seats),
        *(project.split, project.seed, project.tasks, nth),
    )


def find(session: Session, play: str) -> Found:
    """A play by its id."""
    row = session.get(Play, play)
    if row is None:
        raise NotThere("There is no such play.")
    if row.version != registry.benchmark_class(row.benchmark).id:
        raise Refused(f"This play is of {row.version}, which this version no longer plays.")
    if row.status == OPEN and row.expires is not None and row.expires < time.time():
        raise Refused("This link has expired. Ask whoever sent it for a new one.")
    plan = session.get_one(Project, row.project_id).plan
    spec = msgspec.structs.replace(spec_of(row), extras=bool(plan.get("extras")))
    return Found(row.id, row.project_id, row.kind, spec, row.how, row.scores.get("success") == 1.0)


def spec_of(row: Play) -> Spec:
    """What the table of a play is laid from."""
    reference = msgspec.convert(row.reference, Reference)
    return Spec(row.page, row.benchmark, row.options, reference, row.number, row.seats)


def journal_of(session: Session, play: str) -> list[Written]:
    """All that was done in a play, in order."""
    return journal.read(session, play)


def place_of(session: Session, token: str) -> Place:
    """Who a token is; NotThere if it is nobody."""
    seat = session.get(Seat, token)
    if seat is None:
        raise NotThere("There is no such seat.")
    play = session.get_one(Play, seat.play_id)
    title = title_of(session, play.id)
    return Place(
        token, play.id, seat.role, play.page, play.kind, play.project_id, title, seat.participant_id, play.how
    )


def title_of(session: Session, play: str) -> str:
    """The title of a play's project."""
    return session.get_one(Project, session.get_one(Play, play).project_id).title


def came(session: Session, play: str, role: str, is_here: bool) -> None:
    """Write down that somebody came or went; the play runs once somebody was in every seat."""
    session.add(Presence(play_id=play, role=role, came=is_here, at=time.time()))
    row = session.get_one(Play, play)
    if row.status == OPEN and is_here:
        session.flush()
        here = set(session.scalars(select(Presence.role).where(Presence.play_id == play, Presence.came)))
        if here >= {each for each, agent in row.seats.items() if not agent}:
            row.status, row.started = RUNNING, time.time()


def end(session: Session, play: str, how: str, ending: Ending | None, passed: bool = False) -> None:
    """Write down that a play is over, and whether a tutorial was passed; what is over stays as it is."""
    row = session.get_one(Play, play)
    if row.how:
        return
    row.how, row.ended = how, time.time()
    row.status = ENDED if how in ("done", "steps", "failures") else LEFT
    if ending is not None:
        row.scores, row.digest, row.task = dict(ending.scores), ending.digest, row.task or ending.task
    for seat in session.scalars(select(Seat).where(Seat.play_id == play)) if passed else ():
        if seat.participant_id:
            found = session.get_one(Participant, seat.participant_id)
            earlier = found.state.get("passed", {})
            found.state = {**found.state, "passed": {**earlier, row.page: row.ended}}


def abandoned(session: Session, now: float, idle_s: float) -> list[str]:
    """Plays that are not over although nobody has done anything for so long.

    Seats with a link of their own wait until it expires; a tutorial can be gone on with for a day.
    """
    found = []
    for row in session.scalars(select(Play).where(Play.status.in_((OPEN, RUNNING)))).all():
        if now - row.created < idle_s or (
            row.status == OPEN and row.expires is not None and now < row.expires
        ):
            continue
        acted = session.scalar(select(func.max(Entry.at)).where(Entry.play_id == row.id)) or 0.0
        seen = session.scalar(select(func.max(Presence.at)).where(Presence.play_id == row.id)) or 0.0
        patience_s = max(idle_s, TUTORIAL_S) if row.kind == TUTORIAL else idle_s
        if now - max(row.created, acted, seen) > patience_s:
            found.append(row.id)
    return found


def scores_of(session: Session, play: str) -> dict[str, Any]:
    """The numbers of a play."""
    return session.get_one(Play, play).scores
