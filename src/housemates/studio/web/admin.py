"""The administrator: a password, projects, links, the live monitor, quality, exports."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Cookie, Depends, Query, Request, Response
from pydantic import BaseModel, Field
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse

from housemates.studio.live.lobby import new_play
from housemates.studio.pages import page_of
from housemates.studio.storage import plays as rows
from housemates.studio.storage.tables import MAIN, RUNNING
from housemates.studio.study import (
    comparison,
    erasure,
    exports,
    forms,
    invitations,
    participants,
    payments,
    pools,
    projects,
    quality,
)
from housemates.studio.study.plans import FormText, NewProject
from housemates.studio.web.gate import HOURS, NotAllowed
from housemates.studio.web.people import ProjectId
from housemates.studio.web.seats import Token
from housemates.studio.web.shell import shell
from housemates.studio.web.state import Studio, address_of, studio_of
from housemates.studio.worlds.pool import DRAWING
from housemates.studio.worlds.reels import PlaySource

router = APIRouter()
COOKIE = "admin"
WITHOUT_NUL = r"^[^\x00]+$"
Source = Annotated[str, Query(max_length=40, pattern=WITHOUT_NUL)]
External = Annotated[str, Query(max_length=participants.LONGEST, pattern=WITHOUT_NUL)]
"""Who somebody is elsewhere; it may hold any characters, so it is a parameter and no part of a path."""
NEWEST = 12
"""Sessions that are over and still listed beside what is going on."""


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


class FormAsked(BaseModel):
    """A survey or a quiz as it is being written."""

    text: FormText
    which: forms.Which


class Promotion(BaseModel):
    """Whether somebody is an expert by the administrator's word."""

    expert: bool


class Inviting(BaseModel):
    """A link that expires."""

    days: Annotated[float, Field(gt=0, le=366)] = 14.0
    most: Annotated[int, Field(ge=0, le=100_000)] = 0
    """How many may come by it; 0 for any number."""


class Opening(BaseModel):
    """Whether people may come."""

    open: bool


@router.get("/admin", response_class=HTMLResponse)
async def admin_page() -> HTMLResponse:
    """The administrator's page; what it shows is asked for with a cookie."""
    return shell("Run a study", "admin.js")


@router.get("/api/admin/session")
async def session_(request: Request, admin: Annotated[str, Cookie()] = "") -> dict[str, bool]:
    """Whether somebody is logged in."""
    return {"in": studio_of(request).gate.allows(admin)}


@router.post("/api/admin/login")
async def login(request: Request, response: Response, given: Password) -> dict[str, bool]:
    """Check the password, and set the administrator's cookie."""
    studio = studio_of(request)
    token = await studio.gate.enter(given.password, studio.settings.password, address_of(request))
    secure = studio.settings.is_secure(request.url.scheme)
    response.set_cookie(
        COOKIE, token, HOURS * 3600, httponly=True, samesite="strict", secure=secure, path="/"
    )
    return {"in": True}


@router.post("/api/admin/logout")
async def logout(studio: Admin, response: Response, admin: Annotated[str, Cookie()] = "") -> dict[str, bool]:
    """End the administrator's session and clear the cookie."""
    studio.gate.leave(admin)
    response.delete_cookie(COOKIE)
    return {"in": False}


@router.get("/api/admin/offered")
async def offered(studio: Admin) -> list[dict[str, Any]]:
    """What projects can be made of."""
    return await asyncio.to_thread(projects.offered, studio.settings)


@router.get("/api/admin/projects")
async def listed(studio: Admin) -> list[dict[str, Any]]:
    """List all projects with how they stand."""
    return await studio.database.run(projects.listed)


@router.post("/api/admin/projects")
async def create(studio: Admin, asked: NewProject) -> dict[str, Any]:
    """Check and make a project."""
    return await studio.database.run(
        lambda session: projects.told(session, projects.make(session, asked, studio.settings))
    )


@router.get("/api/admin/projects/{project}")
async def settings(studio: Admin, project: ProjectId) -> dict[str, Any]:
    """All settings of a project."""
    return await studio.database.run(lambda session: projects.told(session, projects.get(session, project)))


@router.put("/api/admin/projects/{project}")
async def edit(studio: Admin, project: ProjectId, asked: NewProject) -> dict[str, Any]:
    """Check and change a project."""
    return await studio.database.run(
        lambda session: projects.told(session, projects.edit(session, project, asked, studio.settings))
    )


@router.patch("/api/admin/projects/{project}")
async def change(studio: Admin, project: ProjectId, asked: Opening) -> dict[str, Any]:
    """Open or close a project."""

    def opened(session: Any) -> dict[str, Any]:
        row = projects.get(session, project)
        row.open = asked.open
        return projects.told(session, row)

    return await studio.database.run(opened)


@router.delete("/api/admin/projects/{project}")
async def delete(studio: Admin, project: ProjectId) -> dict[str, int]:
    """Erase a project that is closed, with everything in it."""
    gone = await studio.database.run(lambda session: erasure.project(session, project))
    await studio.housekeeping.forget(gone)
    return {"plays": len(gone)}


@router.post("/api/admin/forms")
async def form(studio: Admin, given: FormAsked) -> list[dict[str, Any]]:
    """Questions as people will be asked them; refused by the question and the field that is wrong."""
    found = forms.parse(given.text, given.which) if given.text.strip() else ()
    checked = forms.check_quiz(msgspec.to_builtins(found), "quiz") if given.which == "quiz" else found
    return [each.asked() for each in checked]


@router.get("/api/admin/projects/{project}/participants")
async def people(studio: Admin, project: ProjectId) -> list[dict[str, Any]]:
    """The participants of a project, and how well they do."""
    return await studio.database.run(lambda session: quality.of_participants(session, project))


@router.patch("/api/admin/projects/{project}/participant")
async def promote(
    studio: Admin, project: ProjectId, source: Source, external: External, asked: Promotion
) -> dict[str, bool]:
    """Take somebody into the expert pool, or out of it."""
    await studio.database.run(lambda session: pools.promote(session, project, source, external, asked.expert))
    return {"expert": asked.expert}


@router.get("/api/admin/projects/{project}/plays")
async def plays(studio: Admin, project: ProjectId) -> list[dict[str, Any]]:
    """The plays of a project, with the links of people's seats."""
    return await studio.database.run(lambda session: projects.plays_of(session, project))


@router.post("/api/admin/projects/{project}/plays")
async def begin(studio: Admin, project: ProjectId, asked: Inviting | None = None) -> dict[str, str]:
    """A new play; role -> the link of the seat, which expires if nobody comes."""
    until = time.time() + (asked or Inviting()).days * invitations.DAY_S
    tokens = await new_play(studio.services, project, MAIN, expires=until)
    return {role: f"/seat/{token}" for role, token in tokens.items()}


@router.get("/api/admin/projects/{project}/invitations")
async def invited(studio: Admin, project: ProjectId) -> list[dict[str, Any]]:
    """The invitations of a project."""
    return await studio.database.run(lambda session: invitations.of_project(session, project))


@router.post("/api/admin/projects/{project}/invitations")
async def invite(studio: Admin, project: ProjectId, asked: Inviting) -> dict[str, Any]:
    """A link by which people may come for a while."""
    return await studio.database.run(
        lambda session: invitations.told(invitations.make(session, project, asked.days, asked.most))
    )


@router.delete("/api/admin/projects/{project}/invitations/{token}")
async def withdraw(studio: Admin, project: ProjectId, token: Token) -> dict[str, bool]:
    """Let nobody come by an invitation any more."""
    await studio.database.run(lambda session: invitations.withdraw(session, project, token))
    return {"there": False}


@router.get("/api/admin/live")
async def live(studio: Admin) -> dict[str, Any]:
    """What is going on now, who waits, and what was over last."""
    now, rooms = time.monotonic(), studio.hall.rooms
    under_way = await studio.database.run(projects.under_way)
    for each in under_way:
        room = rooms.get(each["play"])
        each["people"] = sorted(room.people) if room is not None else []
        each["since_act_s"] = round(now - room.acted, 1) if room is not None else None
    return {
        "going_on": [each for each in under_way if each["people"] or each["status"] == RUNNING],
        "waiting": studio.lobby.counts(),
        "over": await studio.database.run(lambda session: projects.newest_over(session, NEWEST)),
    }


@router.get("/api/admin/projects/{project}/payments")
async def paid(studio: Admin, project: ProjectId) -> Response:
    """Who is to be paid what, and why, as CSV."""
    found = await studio.database.run(lambda session: payments.of_project(session, project))
    headers = {"Content-Disposition": f'attachment; filename="{project}-payments.csv"'}
    return Response(payments.as_csv(found), media_type="text/csv; charset=utf-8", headers=headers)


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


@router.get("/api/admin/participant")
async def participant(studio: Admin, source: Source, external: External) -> dict[str, Any]:
    """All that is kept about a participant."""
    return await studio.database.run(lambda session: exports.of_participant(session, source, external))


@router.delete("/api/admin/participant")
async def forget(studio: Admin, source: Source, external: External) -> dict[str, int]:
    """Erase all that is kept about a participant."""
    gone = await studio.database.run(lambda session: erasure.forget(session, source, external))
    await studio.housekeeping.forget(gone)
    return {"plays": len(gone)}


async def _official(studio: Studio, project: str) -> bytes:
    files: list[tuple[str, bytes]] = []
    bad = await studio.database.run(comparison.rejected)
    found = await studio.database.run(lambda session: exports.finished(session, project))
    for play, spec in (each for each in found if each[0] not in bad):
        entries = await studio.database.run(partial(rows.journal_of, play=play))
        files += (
            await studio.pool.call("official", play, PlaySource(play, spec, entries), place=DRAWING)
        ).items()
    benchmark = await studio.database.run(lambda session: projects.get(session, project).benchmark)
    votes = await studio.database.run(comparison.votes)
    files = list(page_of(benchmark).joined(files, votes))
    return await asyncio.to_thread(exports.zipped, files)
