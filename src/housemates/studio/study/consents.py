"""Consent: every version of what people of a project agree to, and which one somebody agreed to."""

from __future__ import annotations

import time

from sqlalchemy import select
from sqlalchemy.orm import Session

from housemates.studio.storage.tables import Consent, Participant, Project

EVIDENCE = (
    "While you take part, your browser also reports when you paste text and how long it is, when and for how "
    "long you leave the page, and how long the pauses between your key presses are. It does not report which "
    "keys you press."
)
"""Added to the consent of projects that collect this."""


def shown_text(project: Project) -> str:
    """What people of a project are asked to agree to; empty if to nothing."""
    text = str(project.plan.get("consent", "")).strip()
    return f"{text}\n\n{EVIDENCE}" if text and project.plan.get("evidence") else text


def see_to(session: Session, project: Project) -> None:
    """Keep a new version if what is shown has changed."""
    text, last = shown_text(project), newest(session, project.id)
    if text and (last is None or last.text != text):
        session.add(
            Consent(
                project_id=project.id,
                version=1 if last is None else last.version + 1,
                text=text,
                evidence=bool(project.plan.get("evidence")),
                created=time.time(),
            )
        )
        session.flush()


def newest(session: Session, project: str) -> Consent | None:
    """The version that who comes now is shown."""
    rows = select(Consent).where(Consent.project_id == project).order_by(Consent.version.desc())
    return session.scalars(rows).first()


def is_needed(participant: Participant, project: Project) -> bool:
    """Whether somebody has still to agree; who agreed to an earlier version is not asked again."""
    return bool(shown_text(project)) and not participant.state.get("consent")


def agree(session: Session, participant: Participant, version: int) -> bool:
    """Write down that somebody agrees to a version, unless there is a newer one; whether it was written."""
    last = newest(session, participant.project_id)
    if last is None or last.version != version:
        return False
    participant.state = {**participant.state, "consent": {"version": version, "at": time.time()}}
    return True


def agreed(session: Session, participant: Participant) -> Consent | None:
    """The version that somebody agreed to."""
    given = participant.state.get("consent")
    return session.get(Consent, (participant.project_id, given["version"])) if given else None
