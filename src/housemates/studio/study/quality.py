"""How well participants do: success, idle time, attention, and how much the words of two become alike."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from housemates.studio.storage.tables import TUTORIAL, Entry, Participant, Play, Project, Seat
from housemates.studio.study import evidence, forms, pools

IDLE_S = 30.0
"""Longer than this without an act is idle."""
CONTENT = re.compile("[a-z]{4,}")
"""Words that say what two talk of, for the most part."""


def of_participants(session: Session, project: str) -> list[dict[str, Any]]:
    """Every participant of a project, with the numbers of what they played."""
    rows = session.scalars(
        select(Participant).where(Participant.project_id == project).order_by(Participant.created)
    )
    return [_session_row(session, each) for each in rows]


def _session_row(session: Session, participant: Participant) -> dict[str, Any]:
    seats = session.execute(
        select(Seat, Play).join(Play).where(Seat.participant_id == participant.id, Play.kind != TUTORIAL)
    ).all()
    survey = forms.of_project(session.get_one(Project, participant.project_id), "survey")
    agreed = participant.state.get("consent") or {}
    numbers = [of_seat(session, seat, play) for seat, play in seats]
    ended = [play for _, play in seats if play.how]
    return {
        "participant": participant.external,
        "source": participant.source,
        "study": participant.study,
        "came": participant.created,
        "pool": pools.pool_of(session, participant),
        "consent_version": agreed.get("version"),
        "consent_at": agreed.get("at"),
        "plays": len(seats),
        "success": _mean([float(play.scores.get("success", 0.0)) for play in ended]),
        "idle_s": round(sum(each["idle_s"] for each in numbers), 1),
        "acts": sum(each["acts"] for each in numbers),
        "failed": sum(each["failed"] for each in numbers),
        "said": sum(each["said"] for each in numbers),
        "alignment": _mean([each["alignment"] for each in numbers if each["alignment"] is not None]),
        "checks": sum(bool(each.right) for each in survey) * len([1 for seat, _ in seats if seat.survey]),
        "checks_failed": sum(forms.wrong(survey, seat.survey) for seat, _ in seats if seat.survey),
        **evidence.together([seat.evidence for seat, _ in seats]),
        "codes": [seat.code for seat, _ in seats if seat.code],
    }


def of_seat(session: Session, seat: Seat, play: Play) -> dict[str, Any]:
    """The numbers of one seat of a play.

    `alignment` is the share of the different words one has used that the partner used before: how much two
    come to call things by the same names.
    """
    entries = session.scalars(select(Entry).where(Entry.play_id == play.id).order_by(Entry.number)).all()
    own = [each for each in entries if each.role == seat.role and each.by == "person"]
    times = [play.started or play.created, *(each.at for each in own), play.ended or 0.0]
    gaps = [later - earlier for earlier, later in pairwise(times) if later > earlier]
    return {
        "acts": len(own),
        "failed": sum(not each.success for each in own),
        "said": sum(_text(each) is not None for each in own),
        "idle_s": round(sum(gap - IDLE_S for gap in gaps if gap > IDLE_S), 1),
        "alignment": alignment(entries, seat.role),
        **evidence.columns(seat.evidence),
    }


def alignment(entries: Sequence[Entry], role: str) -> float | None:
    """The share of a role's words that another had used before it did; None if it said nothing."""
    heard: set[str] = set()
    used: dict[str, bool] = {}
    for each in entries:
        words = _words(_text(each))
        if each.role == role:
            for word in words:
                used.setdefault(word, word in heard)
        else:
            heard |= words
    return round(sum(used.values()) / len(used), 3) if used else None


def _text(entry: Entry) -> str | None:
    act = entry.act.get("act")
    arguments = act.get("arguments") if isinstance(act, dict) and act.get("name") == "Say" else None
    text = arguments.get("text") if isinstance(arguments, dict) else None
    return text if isinstance(text, str) and entry.success else None


def _words(text: str | None) -> set[str]:
    return set(CONTENT.findall((text or "").lower()))


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 3) if values else None
