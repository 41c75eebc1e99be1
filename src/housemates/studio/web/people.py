"""Participants: the link they come by, their page, the lobby, the survey."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Cookie, Path, Request
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session
from starlette.responses import HTMLResponse, RedirectResponse

from housemates.studio.pages import page
from housemates.studio.storage import plays
from housemates.studio.storage.tables import Play, Project, Seat
from housemates.studio.study import participants, pools, surveys
from housemates.studio.web.seats import Token
from housemates.studio.web.shell import shell
from housemates.studio.web.state import studio_of

router = APIRouter()
ProjectId = Annotated[str, Path(min_length=1, max_length=40, pattern=r"^[a-z0-9-]+$")]
COOKIE = "participant"


class Question(BaseModel):
    """One question of a survey or a quiz."""

    name: str
    kind: str
    label: str
    choices: list[str] = []


class Where(BaseModel):
    """Where a participant is, and what they are told there."""

    stage: str
    title: str
    seat: str = ""
    text: str = ""
    waiting: int = 0
    code: str = ""
    link: str = ""
    questions: list[Question] = []
    """Of the quiz."""
    rules: list[str] = []
    """What one should know before it."""


class Survey(BaseModel):
    """What somebody is asked, and their code once they have answered."""

    title: str
    questions: list[Question]
    over: bool
    code: str = ""
    link: str = ""
    next: str = "/"


class Answers(BaseModel):
    """What somebody answers."""

    answers: dict[Annotated[str, Field(max_length=40)], Annotated[str, Field(max_length=4000)]] = {}


@router.get("/join/{project}")
async def join(
    request: Request, project: ProjectId, participant: Annotated[str, Cookie()] = ""
) -> RedirectResponse:
    """Come by a link of a study; who comes is in the parameters of the link."""
    visit = participants.visit_of(dict(request.query_params))
    studio = studio_of(request)
    token = await studio.database.run(lambda session: participants.join(session, project, visit, participant))
    answer = RedirectResponse(f"/p/{token}", 303)
    secure = request.url.scheme == "https"
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
async def consent(request: Request, token: Token) -> Where:
    """Agree to take part."""
    database = studio_of(request).database
    await database.run(lambda session: participants.consented(session, token))
    return await database.run(lambda session: _where(session, token))


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
        found, _, shown = participants.known(session, token)
        pools.examine(session, found, surveys.read(shown.quiz, given.answers, longest))
        return _where(session, token)

    return await studio.database.run(examined)


@router.post("/api/participant/{token}/lobby")
async def lobby(request: Request, token: Token) -> Where:
    """Wait for a partner; asked again every few seconds."""
    studio = studio_of(request)
    await studio.lobby.wait(token)
    found = await studio.database.run(lambda session: _where(session, token))
    _, project, _ = await studio.database.run(lambda session: participants.known(session, token))
    return found.model_copy(update={"waiting": studio.lobby.waiting(project.id)})


@router.get("/survey/{token}", response_class=HTMLResponse)
async def survey_page(request: Request, token: Token) -> HTMLResponse:
    """The survey at the end of a play."""
    await studio_of(request).database.run(lambda session: plays.place_of(session, token))
    return shell("Survey", "survey.js", {"token": token})


@router.get("/api/seat/{token}/survey")
async def survey(request: Request, token: Token) -> Survey:
    """What is asked."""
    return await studio_of(request).database.run(lambda session: _survey(session, token))


@router.post("/api/seat/{token}/survey")
async def answer(request: Request, token: Token, given: Answers) -> Survey:
    """Answer, and be given a completion code."""
    studio = studio_of(request)
    longest = studio.settings.bounds.text_chars

    def kept(session: Session) -> Survey:
        place = plays.place_of(session, token)
        participants.answer(session, token, surveys.read(page(place.page).survey, given.answers, longest))
        return _survey(session, token)

    return await studio.database.run(kept)


def _where(session: Session, token: str) -> Where:
    _, project, shown = participants.known(session, token)
    stage = participants.stage_of(session, token)
    code, link = _reward(session, project, token) if stage.name == "done" else ("", "")
    texts = {
        "consent": str(project.plan.get("consent", "")),
        "closed": pools.CLOSED.get(str(project.plan.get("pool", "")), ""),
    }
    asked = stage.name == "quiz"
    return Where(
        stage=stage.name,
        title=project.title,
        seat=stage.seat,
        text=texts.get(stage.name, ""),
        code=code,
        link=link,
        questions=_asked(shown.quiz) if asked else [],
        rules=list(shown.rules) if asked else [],
    )


def _asked(questions: Sequence[Mapping[str, Any]]) -> list[Question]:
    """Questions as people are asked them; which answer is right is left out."""
    return [
        Question(
            name=each["name"],
            kind=each.get("kind", "choice"),
            label=each["label"],
            choices=list(each.get("choices", ())),
        )
        for each in questions
    ]


def _reward(session: Session, project: Project, token: str) -> tuple[str, str]:
    codes = [seat.code for seat in session.query(Seat).where(Seat.participant_id == token) if seat.code]
    return (codes[-1] if codes else ""), str(project.plan.get("return", ""))


def _survey(session: Session, token: str) -> Survey:
    place = plays.place_of(session, token)
    seat = session.get_one(Seat, token)
    project = session.get_one(Project, session.get_one(Play, seat.play_id).project_id)
    asked = _asked(page(place.page).survey)
    following = f"/p/{place.participant}" if place.participant else "/"
    link = str(project.plan.get("return", "")) if seat.code else ""
    return Survey(
        title=place.title, questions=asked, over=bool(place.over), code=seat.code, link=link, next=following
    )
