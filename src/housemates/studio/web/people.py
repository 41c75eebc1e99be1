"""Participants: the link they come by, their page, the lobby, the survey."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Cookie, Path, Request
from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import HTMLResponse, RedirectResponse

from housemates.studio.storage import plays
from housemates.studio.storage.tables import TUTORIAL, Participant, Project, Seat
from housemates.studio.study import consents, evidence, forms, participants, pools
from housemates.studio.web.seats import Token
from housemates.studio.web.shell import shell
from housemates.studio.web.state import address_of, studio_of

router = APIRouter()
ProjectId = Annotated[str, Path(min_length=1, max_length=40, pattern=r"^[a-z0-9-]+$")]
COOKIE = "participant"
Text = Annotated[str, Field(max_length=4000)]


class Where(BaseModel):
    """Where a participant is, and what they are told there."""

    stage: str
    title: str
    seat: str = ""
    text: str = ""
    version: int = 0
    """Of the consent."""
    waiting: int = 0
    """How many people wait, whoever asks among them."""
    waited_s: float = 0.0
    patience_s: int = 0
    """After which one may leave the lobby with a code; 0 for never."""
    code: str = ""
    link: str = ""
    questions: list[dict[str, Any]] = []
    """Of the quiz."""
    rules: list[str] = []
    """What one should know before it."""


class Survey(BaseModel):
    """What somebody is asked, and their code once they have answered."""

    title: str
    questions: list[dict[str, Any]]
    over: bool
    answered: bool = False
    code: str = ""
    link: str = ""
    next: str = "/"


class Answers(BaseModel):
    """The answers to a form, by the names of its questions."""

    answers: Annotated[
        dict[Annotated[str, Field(max_length=40)], Text | list[Text]], Field(max_length=100)
    ] = {}


class Agreed(BaseModel):
    """Which version of the consent somebody has read."""

    version: int


@router.get("/join/{project}")
async def join(
    request: Request, project: ProjectId, participant: Annotated[str, Cookie()] = ""
) -> RedirectResponse:
    """Come by a link of a study; who comes is in the parameters of the link."""
    visit = participants.visit_of(dict(request.query_params))
    studio = studio_of(request)
    invitation = request.query_params.get("invitation", "")[:64]
    studio.ledger.take("starts", {"address": address_of(request), "study": project})
    token = await studio.database.run(
        lambda session: participants.join(session, project, visit, participant, invitation)
    )
    answer = RedirectResponse(f"/p/{token}", 303)
    secure = studio.settings.is_secure(request.url.scheme)
    answer.set_cookie(COOKIE, token, max_age=7 * 86400, httponly=True, samesite="lax", secure=secure)
    return answer


@router.get("/p/{token}", response_class=HTMLResponse)
async def participant_page(request: Request, token: Token) -> HTMLResponse:
    """The page that leads a participant on."""
    _, project, _ = await studio_of(request).database.run(lambda session: participants.known(session, token))
    return shell(project.title, "participant.js", {"token": token})


@router.get("/api/participant/{token}")
async def where(request: Request, token: Token) -> Where:
    """Where a participant is."""
    return await studio_of(request).database.run(lambda session: _where(session, token))


@router.post("/api/participant/{token}/consent")
async def consent(request: Request, token: Token, given: Agreed) -> Where:
    """Agree to take part; what has changed meanwhile is shown again."""

    def agreed(session: Session) -> Where:
        found, _, _ = participants.known(session, token)
        consents.agree(session, found, given.version)
        return _where(session, token)

    return await studio_of(request).database.run(agreed)


@router.post("/api/participant/{token}/decline")
async def decline(request: Request, token: Token) -> dict[str, bool]:
    """Do not agree; nothing is kept."""
    await studio_of(request).database.run(lambda session: participants.decline(session, token))
    return {"kept": False}


@router.post("/api/participant/{token}/tutorial")
async def tutorial(request: Request, token: Token) -> Where:
    """Begin the tutorial, or go on with it."""
    studio = studio_of(request)
    await studio.lobby.tutorial(token)
    return await studio.database.run(lambda session: _where(session, token))


@router.post("/api/participant/{token}/quiz")
async def quiz(request: Request, token: Token, given: Answers) -> Where:
    """Answer the quiz; refused unless every answer is right."""
    studio = studio_of(request)
    longest = studio.settings.bounds.text_chars

    def examined(session: Session) -> Where:
        found, project, _ = participants.known(session, token)
        asked = forms.of_project(project, "quiz")
        pools.examine(session, found, forms.read(asked, given.answers, longest))
        return _where(session, token)

    return await studio.database.run(examined)


@router.post("/api/participant/{token}/lobby")
async def lobby(request: Request, token: Token) -> Where:
    """Wait for a partner; asked again every few seconds."""
    studio = studio_of(request)
    await studio.lobby.wait(token)
    found = await studio.database.run(lambda session: _where(session, token))
    _, project, _ = await studio.database.run(lambda session: participants.known(session, token))
    known = {"waiting": studio.lobby.waiting(project.id), "waited_s": studio.lobby.waited_s(token)}
    return found.model_copy(update=known)


@router.post("/api/participant/{token}/leave")
async def leave(request: Request, token: Token) -> Where:
    """Let somebody go who does not want to wait any more."""
    studio = studio_of(request)
    await studio.lobby.leave(token)
    return await studio.database.run(lambda session: _where(session, token))


@router.post("/api/participant/{token}/back")
async def back(request: Request, token: Token) -> Where:
    """Let somebody who left wait again."""
    database = studio_of(request).database
    await database.run(lambda session: participants.come_back(session, token))
    return await database.run(lambda session: _where(session, token))


@router.get("/survey/{token}", response_class=HTMLResponse)
async def survey_page(request: Request, token: Token) -> HTMLResponse:
    """The survey at the end of a play."""
    database = studio_of(request).database
    await database.run(lambda session: plays.place_of(session, token))
    more = (
        ("evidence.js",) if await database.run(lambda session: evidence.is_covered_at(session, token)) else ()
    )
    return shell("Survey", "survey.js", {"token": token}, more=more)


@router.get("/api/seat/{token}/survey")
async def survey(request: Request, token: Token) -> Survey:
    """The questions that a participant is asked after playing."""
    return await studio_of(request).database.run(lambda session: _survey(session, token))


@router.post("/api/seat/{token}/survey")
async def answer(request: Request, token: Token, given: Answers) -> Survey:
    """Answer, and be given a completion code."""
    studio = studio_of(request)
    longest = studio.settings.bounds.text_chars

    def kept(session: Session) -> Survey:
        place = plays.place_of(session, token)
        participants.answer(session, token, forms.read(_questions(session, place), given.answers, longest))
        return _survey(session, token)

    return await studio.database.run(kept)


@router.post("/api/seat/{token}/evidence")
async def report(request: Request, token: Token, given: evidence.Report) -> dict[str, bool]:
    """What a browser reports of typing, pasting and attention, of those who agreed to it."""
    await studio_of(request).database.run(lambda session: evidence.add(session, token, given))
    return {"kept": True}


def _where(session: Session, token: str) -> Where:
    found, project, shown = participants.known(session, token)
    stage = participants.stage_of(session, token)
    code = _code(session, found) if stage.name in ("done", "left") else ""
    agreeing = consents.newest(session, project.id) if stage.name == "consent" else None
    texts = {
        "consent": agreeing.text if agreeing else "",
        "closed": pools.CLOSED.get(str(project.plan.get("pool", "")), ""),
    }
    asked = stage.name == "quiz"
    own = project.plan.get("quiz")
    return Where(
        stage=stage.name,
        title=project.title,
        seat=stage.seat,
        text=texts.get(stage.name, ""),
        version=agreeing.version if agreeing else 0,
        patience_s=60 * int(project.plan.get("patience_min", 0)),
        code=code,
        link=str(project.plan.get("return", "")) if code else "",
        questions=[each.asked() for each in forms.of_project(project, "quiz")] if asked else [],
        rules=list(shown.rules) if asked and not own else [],
    )


def _code(session: Session, found: Participant) -> str:
    """The completion code of somebody who has finished, or who waited in vain for long enough."""
    seats = select(Seat.code).where(Seat.participant_id == found.id, Seat.answered.is_not(None))
    codes = session.scalars(seats.order_by(Seat.answered)).all()
    return str(codes[-1] if codes else found.state.get("left", {}).get("code", ""))


def _questions(session: Session, place: plays.Place) -> forms.Form:
    """What is asked at the end of a play; nothing after a tutorial."""
    if place.kind == TUTORIAL:
        return ()
    return forms.of_project(session.get_one(Project, place.project), "survey")


def _survey(session: Session, token: str) -> Survey:
    place = plays.place_of(session, token)
    seat = session.get_one(Seat, token)
    project = session.get_one(Project, place.project)
    return Survey(
        title=place.title,
        questions=[each.asked() for each in _questions(session, place)],
        over=bool(place.over),
        answered=seat.answered is not None,
        code=seat.code,
        link=str(project.plan.get("return", "")) if seat.code else "",
        next=f"/p/{place.participant}" if place.participant else "/",
    )
