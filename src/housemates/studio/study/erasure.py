"""Erasing: one person, a project, and what was kept as long as a project says."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from housemates.studio.storage.plays import NotThere
from housemates.studio.storage.tables import (
    DEMO,
    Consent,
    Entry,
    Invitation,
    Link,
    Participant,
    Play,
    Presence,
    Project,
    Refused,
    Seat,
)
from housemates.studio.study import projects

DAY_S = 86_400.0


def known(session: Session, source: str, external: str) -> Sequence[Participant]:
    """All that one person is, in whatever projects, by where they come from and who they are there."""
    wanted = (Participant.source == source, Participant.external == external)
    found = session.scalars(select(Participant).where(*wanted)).all()
    if not found:
        raise NotThere("There is no such participant.")
    return found


def forget(session: Session, source: str, external: str) -> list[str]:
    """Erase a person and every session that they took part in; the ids of these plays."""
    return _people(session, [each.id for each in known(session, source, external)])


def project(session: Session, name: str) -> list[str]:
    """Erase a project that is closed, with everything in it; the ids of its plays."""
    found = projects.get(session, name)
    if projects.is_demo(name):
        raise Refused("The demo cannot be deleted; start the studio with --no-demo.")
    if found.open:
        raise Refused("Close the project before you delete it.")
    ids = list(session.scalars(select(Play.id).where(Play.project_id == name)))
    _plays(session, ids)
    for table in (Participant, Invitation, Consent):
        session.execute(delete(table).where(table.project_id == name))
    session.execute(delete(Project).where(Project.id == name))
    return ids


def overdue(session: Session, now: float) -> list[str]:
    """Erase whatever is older than its project keeps it, counted from somebody's last session."""
    gone: list[str] = []
    for each in session.scalars(select(Project)).all():
        days = int(each.plan.get("retention_days", 0))
        if days:
            gone += _of_project(session, each.id, now - days * DAY_S)
    return gone


def _of_project(session: Session, name: str, before: float) -> list[str]:
    """Erase those who came, and the sessions that were over, before a moment."""
    last = func.coalesce(Play.ended, Play.created)
    recent = (
        select(Seat.participant_id)
        .join(Play)
        .where(Play.project_id == name, last >= before, Seat.participant_id.is_not(None))
    )
    old = select(Participant.id).where(
        Participant.project_id == name, Participant.created < before, Participant.id.not_in(recent)
    )
    gone = _people(session, list(session.scalars(old)))
    taken = select(Seat.play_id).where(Seat.participant_id.is_not(None))
    free = select(Play.id).where(
        Play.project_id == name, Play.kind != DEMO, last < before, Play.id.not_in(taken)
    )
    ids = list(session.scalars(free))
    _plays(session, ids)
    return [*gone, *ids]


def _people(session: Session, participants: Collection[str]) -> list[str]:
    ids = sorted(set(session.scalars(select(Seat.play_id).where(Seat.participant_id.in_(participants)))))
    _plays(session, ids)
    session.execute(delete(Participant).where(Participant.id.in_(participants)))
    return ids


def _plays(session: Session, ids: Collection[str]) -> None:
    for table in (Entry, Presence, Seat, Link):
        session.execute(delete(table).where(table.play_id.in_(ids)))
    session.execute(delete(Play).where(Play.id.in_(ids)))
