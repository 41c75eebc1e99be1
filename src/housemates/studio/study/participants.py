"""Participants: how they come, what they pass, whom they play with, and what they are given at the end."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from housemates.studio.pages import Page, page_of
from housemates.studio.storage.plays import TOKEN_BYTES, NotThere
from housemates.studio.storage.tables import DEMO, ENDED, TUTORIAL, Participant, Play, Project, Refused, Seat
from housemates.studio.study import consents, forms, invitations, pools, projects

SOURCES: Mapping[str, tuple[str, str, str]] = {
    "prolific": ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
    "mturk": ("workerId", "hitId", "assignmentId"),
    "sona": ("survey_code", "experiment_id", "credit_token"),
    "link": ("participant", "study", "session"),
}
"""Where people come from: the URL parameters for who they are, which study, and which visit."""
PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""What Mechanical Turk says while somebody only looks."""
LONGEST = 120
"""Characters of an id from elsewhere."""


class Elsewhere(Refused):
    """Somebody with this id has begun in another browser."""

    status = 403


class Visit(NamedTuple):
    """Who comes, by the parameters of the link."""

    source: str
    external: str
    study: str
    session: str


def visit_of(parameters: Mapping[str, str]) -> Visit:
    """Who a link says that somebody is; somebody new if it does not say."""
    for source, names in SOURCES.items():
        if parameters.get(names[0]):
            external, study, visit = (_word(name, parameters.get(name, "")) for name in names)
            return Visit(source, external, study, visit)
    return Visit("link", f"guest-{secrets.token_hex(6)}", "", "")


def _same(kept: str, given: str) -> bool:
    """Whether a secret is the one that is kept, in a time that tells nothing; it may hold any characters."""
    return secrets.compare_digest(kept.encode(), given.encode(errors="surrogatepass"))


def _word(name: str, value: str) -> str:
    """An id from elsewhere: any characters that can be printed."""
    if len(value) > LONGEST or not value.isprintable():
        raise Refused(f"{name}: expected at most {LONGEST} characters, all of which can be printed.")
    return value


def join(session: Session, project_id: str, visit: Visit, cookie: str, invitation: str = "") -> str:
    """The token of a participant, who is new or proves to be the one who came before."""
    project = session.get(Project, project_id)
    if project is None or projects.is_demo(project_id):
        raise NotThere("There is no such study.")
    if visit.session == PREVIEW:
        raise Refused("This is a preview: accept the task to begin.")
    wanted = (Participant.project_id == project_id, Participant.source == visit.source)
    known = session.scalar(select(Participant).where(*wanted, Participant.external == visit.external))
    if known is not None:
        same_visit = bool(visit.session) and _same(known.session, visit.session)
        if not same_visit and not _same(known.id, cookie):
            raise Elsewhere("You have begun this study in another browser; go on there.")
        return known.id
    if not project.open:
        raise Refused("This study is closed. Thank you for your interest.")
    if project.plan.get("invited") or invitation:
        invitations.use(session, project_id, invitation)
    made = Participant(
        id=secrets.token_urlsafe(TOKEN_BYTES),
        project_id=project_id,
        source=visit.source,
        external=visit.external,
        study=visit.study,
        session=visit.session,
        state={},
        created=time.time(),
    )
    session.add(made)
    try:
        session.flush()
    except IntegrityError:
        raise Elsewhere("You have begun this study in another window; go on there.") from None
    return made.id


class Stage(NamedTuple):
    """Where a participant is."""

    name: str
    """`consent`, `tutorial`, `quiz`, `closed`, `lobby`, `play`, `survey`, `left` or `done`."""
    seat: str = ""
    """The token of the seat that is to be played or asked about."""
    page: str = ""
    """Of the tutorial."""


def known(session: Session, token: str) -> tuple[Participant, Project, Page]:
    """A participant, their project, and its page."""
    found = session.get(Participant, token)
    if found is None:
        raise NotThere("There is no such participant.")
    project = session.get_one(Project, found.project_id)
    return found, project, page_of(project.benchmark)


def stage_of(session: Session, token: str) -> Stage:
    """What a participant has to do next."""
    found, project, _ = known(session, token)
    if consents.is_needed(found, project):
        return Stage("consent")
    rows = session.execute(
        select(Seat, Play).join(Play).where(Seat.participant_id == token).order_by(Play.created)
    ).all()
    main = [(seat, play) for seat, play in rows if play.kind != TUTORIAL]
    first = _before_playing(session, found)
    if first is not None:
        lessons = (seat.token for seat, play in rows if play.page == first.page and not play.how)
        return first._replace(seat=next(lessons, ""))
    pool = project.plan.get("pool")
    if pool and not main and pools.pool_of(session, found) != pool:
        return Stage("closed")
    for seat, play in main:
        if not play.how:
            return Stage("play", seat.token)
        if seat.answered is None and (forms.of_project(project, "survey") or play.status == ENDED):
            return Stage("survey", seat.token)
    if len(main) >= int(project.plan.get("each", 1)):
        return Stage("done")
    return Stage("left" if found.state.get("left") else "lobby")


def _before_playing(session: Session, found: Participant) -> Stage | None:
    """The next tutorial, or the quiz, where a project wants them passed."""
    missing = pools.lessons(session, found)
    if not missing:
        return None
    return Stage("quiz") if missing[0].startswith(pools.QUIZ) else Stage("tutorial", page=missing[0])


def decline(session: Session, token: str) -> None:
    """Somebody does not agree to take part: nothing is kept of them."""
    found, project, _ = known(session, token)
    sat = session.scalars(select(Seat).where(Seat.participant_id == token)).first()
    if sat is not None or not consents.is_needed(found, project):
        raise Refused("You have taken part already. Whoever runs this study can erase what was kept.")
    session.delete(found)


def leave(session: Session, token: str, waited_s: float) -> None:
    """Somebody leaves the lobby; with a code, if they have waited as long as the project asks of them."""
    found, project, _ = known(session, token)
    if stage_of(session, token).name != "lobby":
        raise Refused("You are not waiting.")
    patience_s = 60 * int(project.plan.get("patience_min", 0))
    code = _code(project) if patience_s and waited_s >= patience_s else ""
    found.state = {**found.state, "left": {"at": time.time(), "waited_s": round(waited_s), "code": code}}


def come_back(session: Session, token: str) -> None:
    """Somebody who left the lobby without a code waits again."""
    found, _, _ = known(session, token)
    if found.state.get("left", {}).get("code"):
        raise Refused("You have left with a code; this study is over for you.")
    found.state = {key: value for key, value in found.state.items() if key != "left"}


def sit(session: Session, tokens: Mapping[str, str], people: Mapping[str, str]) -> None:
    """Give people their seats: role -> token of the seat, role -> participant."""
    for role, participant in people.items():
        session.get_one(Seat, tokens[role]).participant_id = participant


def answer(session: Session, token: str, answers: Mapping[str, Any]) -> str:
    """Keep what somebody answered at the end of a play; their completion code, which the demo has not."""
    seat = session.get(Seat, token)
    if seat is None:
        raise NotThere("There is no such seat.")
    play = session.get_one(Play, seat.play_id)
    if not play.how:
        raise Refused("The session is not over yet.")
    if seat.answered is None:
        seat.survey, seat.answered = dict(answers), time.time()
        seat.code = "" if play.kind == DEMO else _code(session.get_one(Project, play.project_id))
    return seat.code


def _code(project: Project) -> str:
    return str(project.plan.get("code") or f"HM-{secrets.token_hex(4).upper()}")
