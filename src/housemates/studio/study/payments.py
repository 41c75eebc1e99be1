"""What people are to be paid: a base for each completed session, a bonus for each success, and why."""

from __future__ import annotations

import csv
import io
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from housemates.studio.storage.tables import TUTORIAL, Participant, Play, Seat
from housemates.studio.study import forms, projects

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What spreadsheets take for the beginning of a formula."""


class Payment(NamedTuple):
    """What one person is to be paid."""

    participant: str
    source: str
    base: float
    bonus: float
    currency: str
    reason: str
    code: str


def of_project(session: Session, name: str) -> list[Payment]:
    """Everybody who came to a project, in the order in which they came."""
    project = projects.get(session, name)
    rows = session.scalars(
        select(Participant)
        .where(Participant.project_id == name)
        .order_by(Participant.created, Participant.id)
    )
    base, bonus = float(project.plan.get("base", 0.0)), float(project.plan.get("bonus", 0.0))
    survey = forms.of_project(project, "survey")
    found = []
    for each in rows:
        seats = session.execute(
            select(Seat, Play).join(Play).where(Seat.participant_id == each.id, Play.kind != TUTORIAL)
        ).all()
        done = [(seat, play) for seat, play in seats if seat.answered is not None]
        won = sum(bool(play.scores.get("success")) for _, play in done)
        missed = sum(forms.wrong(survey, seat.survey) for seat, _ in done)
        left = each.state.get("left", {})
        times = len(done) + bool(left.get("code"))
        codes = [seat.code for seat, _ in done if seat.code] + ([left["code"]] if left.get("code") else [])
        reason = _reason(len(done), won, missed, left)
        found.append(
            Payment(
                each.external,
                each.source,
                round(base * times, 2),
                round(bonus * won, 2),
                str(project.plan.get("currency", "")),
                reason,
                " ".join(codes),
            )
        )
    return found


def as_csv(payments: list[Payment]) -> str:
    """Payments as a table; what a spreadsheet would take for a formula begins with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(Payment._fields)
    for each in payments:
        cells = (f"{value:.2f}" if isinstance(value, float) else _harmless(value) for value in each)
        writer.writerow(cells)
    return out.getvalue()


def _reason(done: int, won: int, missed: int, left: dict[str, object]) -> str:
    said = [f"{done} completed, {won} with success"] if done else []
    if left:
        waited = f"waited {int(str(left.get('waited_s', 0))) // 60} min for a partner"
        said.append(waited if left.get("code") else f"{waited} and left")
    if missed:
        said.append(f"{missed} attention checks failed" if missed > 1 else "1 attention check failed")
    return "; ".join(said) or "nothing completed"


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith(FORMULA) else text
