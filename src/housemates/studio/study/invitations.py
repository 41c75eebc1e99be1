"""Invitations: links by which people may come to a project for a while, so many if that is bounded."""

from __future__ import annotations

import secrets
import time
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from housemates.studio.storage.plays import TOKEN_BYTES, NotThere
from housemates.studio.storage.tables import Invitation, Refused
from housemates.studio.study import projects

DAY_S = 86_400.0


def make(session: Session, project: str, days: float, most: int) -> Invitation:
    """A new one, for so many days and so many people (0 for any number)."""
    projects.get(session, project)
    now = time.time()
    made = Invitation(
        token=secrets.token_urlsafe(TOKEN_BYTES),
        project_id=project,
        most=most,
        used=0,
        expires=now + days * DAY_S,
        created=now,
    )
    session.add(made)
    session.flush()
    return made


def use(session: Session, project: str, token: str) -> None:
    """Let somebody come by an invitation; refused if it is not of this project, over, or used up."""
    wanted = select(Invitation).where(Invitation.token == token).with_for_update()
    found = session.scalar(wanted) if token.isprintable() else None
    if found is None or found.project_id != project:
        raise Refused("This study is open to those who were invited: follow the link that you were sent.")
    if found.expires < time.time():
        raise Refused("This invitation has expired. Ask whoever sent it for a new one.")
    if found.most and found.used >= found.most:
        raise Refused("This invitation has been used as often as it may be.")
    found.used += 1


def withdraw(session: Session, project: str, token: str) -> None:
    """Let nobody come by an invitation any more."""
    found = session.get(Invitation, token)
    if found is None or found.project_id != project:
        raise NotThere("There is no such invitation.")
    session.execute(delete(Invitation).where(Invitation.token == token))


def of_project(session: Session, project: str) -> list[dict[str, Any]]:
    """The invitations of a project, the newest first."""
    rows = select(Invitation).where(Invitation.project_id == project).order_by(Invitation.created.desc())
    return [told(each) for each in session.scalars(rows)]


def told(each: Invitation) -> dict[str, Any]:
    """An invitation as the administrator sees it."""
    return {
        "token": each.token,
        "link": f"/join/{each.project_id}?invitation={each.token}",
        "expires": each.expires,
        "expired": each.expires < time.time(),
        "most": each.most,
        "used": each.used,
    }
