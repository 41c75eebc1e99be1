"""What may be watched, and by whom: the administrator makes a link, and whoever has it may look."""

from __future__ import annotations

import secrets
import time
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from housemates.studio.storage.plays import TOKEN_BYTES, NotThere
from housemates.studio.storage.tables import Entry, Link, Play, Project

NEWEST = 100
"""Plays that are listed."""


def make(session: Session, play: str | None, run: str) -> str:
    """The token of a link to a play or a run; there is one link to each."""
    if play is not None and session.get(Play, play) is None:
        raise NotThere("There is no such session.")
    found = session.scalars(select(Link).where(Link.play_id == play, Link.run == run)).first()
    if found is None:
        found = Link(token=secrets.token_urlsafe(TOKEN_BYTES), play_id=play, run=run, created=time.time())
        session.add(found)
    return found.token


def of(session: Session, token: str) -> Link:
    """What a token leads to."""
    found = session.get(Link, token)
    if found is None:
        raise NotThere("There is no such link.")
    return found


def remove(session: Session, token: str) -> None:
    """Let nobody watch by this link any more."""
    of(session, token)
    session.execute(delete(Link).where(Link.token == token))


def by_target(session: Session) -> dict[str, str]:
    """The links that there are: the id of a play, or the name of a run -> where it is watched."""
    return {each.play_id or each.run: f"/watch/{each.token}" for each in session.scalars(select(Link))}


def newest(session: Session) -> list[dict[str, Any]]:
    """The plays in which something was done, the newest first."""
    begun = select(Entry.play_id).where(Entry.play_id == Play.id).exists()
    rows = session.execute(
        select(Play, Project.title).join(Project).where(begun).order_by(Play.created.desc()).limit(NEWEST)
    )
    known = by_target(session)
    return [
        {
            "play": play.id,
            "project": title,
            "task": play.task,
            "seats": play.seats,
            "ended": play.how,
            "success": play.scores.get("success"),
            "created": play.created,
            "link": known.get(play.id, ""),
        }
        for play, title in rows
    ]
