"""Evidence of people who are not there: what their browser reports of pasting, leaving and typing.

It is a report of somebody's own browser, so it can be missing or forged, and none of it proves anything: it
says where to look. It is kept only of those who agreed to a consent that names it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.orm import Session

from housemates.studio.storage.plays import NotThere
from housemates.studio.storage.tables import Participant, Refused, Seat
from housemates.studio.study import consents

GAPS_MS = (0, 50, 100, 150, 200, 300, 400, 600, 1000, 2000)
"""Lower bounds of the classes in which pauses between two key presses are counted."""
PAUSE_MS = 2000
"""A longer one, within one text, is a pause."""
MOST_REPORTS = 5000
"""Of one seat; those beyond are not counted."""
Count = Annotated[int, Field(ge=0, le=100_000)]
COLUMNS = ("pastes", "pasted_chars", "typed_chars", "left_page", "left_page_s", "key_gap_ms", "typing_pauses")
"""What exports call it."""


class Report(BaseModel):
    """What has happened since the last report."""

    model_config = ConfigDict(extra="forbid")

    pastes: Count = 0
    pasted_chars: Count = 0
    typed_chars: Count = 0
    left_page: Count = 0
    """How often the page was hidden or lost the focus."""
    left_page_s: Annotated[float, Field(ge=0, le=86_400, allow_inf_nan=False)] = 0.0
    gaps: Annotated[list[Count], Field(min_length=len(GAPS_MS), max_length=len(GAPS_MS))] = [0] * len(GAPS_MS)
    """How many pauses there were in each class of `GAPS_MS`."""


def is_covered(session: Session, seat: Seat) -> bool:
    """Whether whoever sits there agreed to it."""
    found = session.get(Participant, seat.participant_id) if seat.participant_id else None
    given = consents.agreed(session, found) if found is not None else None
    return given is not None and given.evidence


def is_covered_at(session: Session, token: str) -> bool:
    """The same by the seat's token."""
    seat = session.get(Seat, token)
    return seat is not None and is_covered(session, seat)


def add(session: Session, token: str, report: Report) -> None:
    """Add a report to what is known of a seat; refused where it is not covered."""
    seat = session.get(Seat, token)
    if seat is None:
        raise NotThere("There is no such seat.")
    if not is_covered(session, seat):
        raise Refused("The consent does not cover this.")
    known = seat.evidence or {**Report().model_dump(), "reports": 0}
    if known["reports"] >= MOST_REPORTS:
        return
    new = report.model_dump()
    gaps = [before + more for before, more in zip(known["gaps"], new["gaps"], strict=True)]
    sums = {key: round(known[key] + new[key], 2) for key in new if key != "gaps"}
    seat.evidence = {**sums, "gaps": gaps, "reports": known["reports"] + 1}


def columns(kept: Mapping[str, Any]) -> dict[str, Any]:
    """What is known of a seat as columns; None where nothing was reported.

    `key_gap_ms` is the class of the median pause between two key presses, by its lower bound;
    `typing_pauses` are pauses of two seconds and more within one text.
    """
    if not kept:
        return dict.fromkeys(COLUMNS)
    found = {key: kept[key] for key in COLUMNS if key in kept}
    return {**found, "key_gap_ms": _median(kept["gaps"]), "typing_pauses": kept["gaps"][-1]}


def together(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The columns of all seats of one person; None where nothing was reported."""
    kept = [each for each in rows if each]
    if not kept:
        return columns({})
    sums = {
        key: round(sum(each[key] for each in kept), 2) for key in kept[0] if key not in ("gaps", "reports")
    }
    return columns(
        {**sums, "gaps": [sum(each) for each in zip(*(each["gaps"] for each in kept), strict=True)]}
    )


def _median(gaps: Sequence[int]) -> int | None:
    half = sum(gaps) / 2
    return next(
        (low for low, total in zip(GAPS_MS, accumulate(gaps), strict=True) if half and total >= half), None
    )
