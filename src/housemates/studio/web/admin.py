"""The administrator: a password, projects, links, the live monitor, quality, exports."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Cookie, Depends, Path, Request, Response
from pydantic import BaseModel, Field
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from housemates.studio.live.lobby import new_play
from housemates.studio.pages import page_of
from housemates.studio.storage import plays as rows
from housemates.studio.storage.tables import MAIN
from housemates.studio.study import comparing, exports, pools, projects, quality
from housemates.studio.web.gate import HOURS, NotAllowed
from housemates.studio.web.people import ProjectId
from housemates.studio.web.shell import shell
from housemates.studio.web.state import Studio, studio_of
from housemates.studio.worlds.reels import PlaySource

router = APIRouter()
COOKIE = "admin"
Word = Annotated[str, Field(max_length=80)]
Value = Annotated[str, Field(max_length=400)]
"""What may be a path."""
External = Annotated[str, Path(min_length=1, max_length=120)]


async def administrator(request: HTTPConnection, admin: Annotated[str, Cookie()] = "") -> Studio:
    """The studio, for whoever is logged in."""
    studio = studio_of(request)
    if not studio.gate.allows(admin):
        raise NotAllowed("Log in first.")
    return studio


Admin = Annotated[Studio, Depends(administrator)]


class Password(BaseModel):
    """A try to log in."""

    password: Annotated[str, Field(max_length=200)]


class Plan(BaseModel):
    """What people go through besides playing."""

    tutorial: bool = False
    consent: Annotated[str, Field(max_length=8000)] = ""
    code: Word = ""
    return_to: Annotated[str, Field(max_length=400, alias="return")] = ""
    each: Annotated[int, Field(ge=1, le=100)] = 1
    of: Word = ""
    """The project whose plays are compared in this one."""
    pool: Literal["", "novice", "expert"] = ""
    """Who may take part; everybody if empty."""
    extras: bool = False
    """Whether people are shown what agents at their table tell of their plans."""


class NewProject(BaseModel):
    """A project that is asked for."""

    id: Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[a-z0-9-]+$")]
    title: Annotated[str, Field(min_length=1, max_length=120)]
    benchmark: Word
    options: Annotated[dict[Word, Value], Field(max_length=20)] = {}
    split: Word = "generated"
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0
    tasks: Annotated[list[Word], Field(max_length=50)] = []
    seats: Annotated[dict[Word, Value], Field(max_length=8)] = {}
    plays: Annotated[int, Field(ge=0, le=100_000)] = 0
    plan: Plan = Plan()


class Promotion(BaseModel):
    """Whether somebody is an expert by the administrator's word."""

    expert: bool


class Opening(BaseModel):
    """Whether people may come."""

    open: bool


@router.get("/admin", response_class=HTMLResponse)
async def admin_page() -> HTMLResponse:
    """The administrator's page; what it shows is asked for with a cookie."""
    return shell("Run a study", "admin.js")


@router.post("/api/admin/login")
async def login(request: Request, response: Response, given: Password) -> dict[str, bool]:
    """Log in."""
    studio = studio_of(request)
    address = request.client.host if request.client else ""
    token = await studio.gate.enter(given.password, studio.settings.password, address)
    secure = request.url.scheme == "https"
    response.set_cookie(
        COOKIE, token, HOURS * 3600, httponly=True, samesite="strict", secure=secure, path="/"
    )
    return {"in": True}


@router.post("/api/admin/logout")
async def logout(studio: Admin, response: Response, admin: Annotated[str, Cookie()] = "") -> dict[str, bool]:
    """Log out."""
    studio.gate.leave(admin)
    response.delete_cookie(COOKIE)
    return {"in": False}


@router.get("/api/admin/offered")
async def offered(studio: Admin) -> list[dict[str, Any]]:
    """What projects can be made of."""
    return await asyncio.to_thread(projects.offered, studio.settings)


@router.get("/api/admin/projects")
async def listed(studio: Admin) -> list[dict[str, Any]]:
    """All projects."""
    return await studio.database.run(projects.listed)


@router.post("/api/admin/projects")
async def create(studio: Admin, asked: NewProject) -> dict[str, Any]:
    """Make a project."""
    given = asked.model_dump(by_alias=True)
    return await studio.database.run(
        lambda session: projects.told(projects.make(session, given, studio.settings))
    )


@router.patch("/api/admin/projects/{project}")
async def change(studio: Admin, project: ProjectId, asked: Opening) -> dict[str, Any]:
    """Open or close a project."""

    def opened(session: Any) -> dict[str, Any]:
        row = projects.get(session, project)
        row.open = asked.open
        return projects.told(row)

    return await studio.database.run(opened)


@router.get("/api/admin/projects/{project}/participants")
async def participants(studio: Admin, project: ProjectId) -> list[dict[str, Any]]:
    """The participants of a project, and how well they do."""
    return await studio.database.run(lambda session: quality.of_participants(session, project))


@router.patch("/api/admin/projects/{project}/participants/{external}")
async def promote(studio: Admin, project: ProjectId, external: External, asked: Promotion) -> dict[str, bool]:
    """Take somebody into the expert pool, or out of it."""
    await studio.database.run(lambda session: pools.promote(session, project, external, asked.expert))
    return {"expert": asked.expert}


@router.get("/api/admin/projects/{project}/plays")
async def plays(studio: Admin, project: ProjectId) -> list[dict[str, Any]]:
    """The plays of a project, with the links of people's seats."""
    return await studio.database.run(lambda session: projects.plays_of(session, project))


@router.post("/api/admin/projects/{project}/plays")
async def begin(studio: Admin, project: ProjectId) -> dict[str, str]:
    """A new play; role -> the link of the seat."""
    tokens = await new_play(studio.services, project, MAIN)
    return {role: f"/seat/{token}" for role, token in tokens.items()}


@router.get("/api/admin/live")
async def live(studio: Admin) -> list[dict[str, Any]]:
    """What is going on now."""
    now = time.monotonic()
    return [
        {
            "play": room.play.id,
            "project": room.play.project,
            "people": sorted(room.people),
            "seats": room.play.spec.seats,
            "over": room.over,
            "since_act_s": round(now - room.acted, 1),
        }
        for room in studio.hall.rooms.values()
    ]


@router.get("/api/admin/projects/{project}/export/{kind}")
async def export(
    studio: Admin, project: ProjectId, kind: Literal["official", "parquet", "jsonl"]
) -> Response:
    """Everything of a project as a ZIP file: in the official formats, or as tables."""
    if kind == "official":
        data = await _official(studio, project)
    else:
        tables = await studio.database.run(lambda session: exports.tables_of(session, project))
        data = await asyncio.to_thread(exports.parquet if kind == "parquet" else exports.jsonl, tables)
    headers = {"Content-Disposition": f'attachment; filename="{project}-{kind}.zip"'}
    return Response(data, media_type="application/zip", headers=headers)


@router.get("/api/admin/participants/{external}")
async def participant(studio: Admin, external: External) -> dict[str, Any]:
    """All that is kept about a participant."""
    return await studio.database.run(lambda session: exports.of_participant(session, external))


@router.delete("/api/admin/participants/{external}")
async def forget(studio: Admin, external: External) -> dict[str, int]:
    """Delete all that is kept about a participant."""
    gone = await studio.database.run(lambda session: exports.forget(session, external))
    for play in gone:
        await studio.hall.forget(play)
        studio.screening.forget(play)
    return {"plays": len(gone)}


async def _official(studio: Studio, project: str) -> bytes:
    files: list[tuple[str, bytes]] = []
    bad = await studio.database.run(comparing.rejected)
    found = await studio.database.run(lambda session: exports.finished(session, project))
    for play, spec in (each for each in found if each[0] not in bad):
        entries = await studio.database.run(partial(rows.journal_of, play=play))
        files += (await studio.pool.call("official", play, PlaySource(play, spec, entries))).items()
    benchmark = await studio.database.run(lambda session: projects.get(session, project).benchmark)
    votes = await studio.database.run(comparing.votes)
    files = list(page_of(benchmark).joined(files, votes))
    return await asyncio.to_thread(exports.zipped, files)
