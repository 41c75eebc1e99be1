"""Watching: plays and runs again, act by act, for the administrator and whoever was given a link."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path as FilePath
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote

import msgspec
from fastapi import APIRouter, Path, Request, Response
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session
from starlette.responses import FileResponse, HTMLResponse

from housemates.files import file_name
from housemates.studio.storage import plays
from housemates.studio.storage.plays import NotThere
from housemates.studio.storage.tables import Play, Refused
from housemates.studio.study import exports, links, runs
from housemates.studio.web.admin import Admin
from housemates.studio.web.seats import Token
from housemates.studio.web.shell import shell
from housemates.studio.web.state import Studio, studio_of
from housemates.studio.worlds.reels import CHUNK, PlaySource, Source

router = APIRouter()
Number = Annotated[int, Path(ge=0, le=1_000_000)]


class Wanted(BaseModel):
    """What somebody is to watch: a session or a run."""

    play: Annotated[str, Field(max_length=40)] = ""
    run: Annotated[str, Field(max_length=400)] = ""


class Episode(NamedTuple):
    """An episode as the page plays it, and where its pictures come from."""

    told: dict[str, Any]
    source: Source


@router.get("/watch", response_class=HTMLResponse)
async def choosing_page() -> HTMLResponse:
    """Where the administrator chooses what to watch."""
    return shell("Watch", "watch.js")


@router.get("/watch/{token}", response_class=HTMLResponse)
async def watching_page(request: Request, token: Token) -> HTMLResponse:
    """What a link leads to."""
    await studio_of(request).database.run(lambda session: links.of(session, token))
    return shell("Watch", "watch.js", {"token": token, "chunk": str(CHUNK)})


@router.get("/api/admin/watchable")
async def watchable(studio: Admin) -> dict[str, Any]:
    """What can be watched: the newest sessions, and runs; with the links that there are."""
    known = await studio.database.run(links.by_target)
    found = await asyncio.to_thread(runs.summaries, studio.settings.runs)
    return {
        "plays": await studio.database.run(links.newest),
        "runs": [{**each, "link": known.get(each["run"], "")} for each in found],
    }


@router.post("/api/admin/links")
async def make(studio: Admin, wanted: Wanted) -> dict[str, str]:
    """A link by which a session or a run can be watched."""
    if bool(wanted.play) == bool(wanted.run):
        raise Refused("Name a play or a run.")
    if wanted.run:
        await asyncio.to_thread(runs.get, studio.settings.runs, wanted.run)
    token = await studio.database.run(lambda session: links.make(session, wanted.play or None, wanted.run))
    return {"link": f"/watch/{token}"}


@router.delete("/api/admin/links/{token}")
async def remove(studio: Admin, token: Token) -> dict[str, bool]:
    """Let nobody watch by a link any more."""
    await studio.database.run(lambda session: links.remove(session, token))
    return {"there": False}


@router.get("/api/watch/{token}")
async def watched(request: Request, token: Token) -> dict[str, Any]:
    """What a link leads to: its title and its episodes."""
    studio = studio_of(request)
    link = await studio.database.run(lambda session: links.of(session, token))
    if link.play_id is not None:
        return await studio.database.run(lambda session: _play(session, link.play_id or ""))
    folder = await asyncio.to_thread(runs.get, studio.settings.runs, link.run)
    return {"title": link.run, "episodes": await asyncio.to_thread(runs.episodes, folder)}


@router.get("/api/watch/{token}/{number}")
async def episode(request: Request, token: Token, number: Number) -> dict[str, Any]:
    """One episode: what was told, done and said, and what came of it."""
    studio = studio_of(request)
    found = await _episode(studio, token, number)
    briefs = found.told.get("briefs") or await studio.screening.briefs(found.source)
    return {**found.told, "briefs": briefs}


@router.get("/api/watch/{token}/{number}/frames/{part}")
async def frames(request: Request, token: Token, number: Number, part: Number) -> Response:
    """What was to be seen in a part of an episode."""
    studio = studio_of(request)
    found = await _episode(studio, token, number)
    return Response(await studio.screening.frames(found.source, part), media_type="application/json")


@router.get("/api/watch/{token}/{number}/film")
async def film(request: Request, token: Token, number: Number) -> FileResponse:
    """An episode as a film."""
    studio = studio_of(request)
    found = await _episode(studio, token, number)
    path: FilePath = await studio.screening.film(found.source)
    return FileResponse(path, media_type="video/mp4", filename=f"{file_name(found.told['id'])}.mp4")


@router.get("/api/watch/{token}/{number}/data")
async def data(request: Request, token: Token, number: Number) -> Response:
    """An episode as a ZIP file: all that was done, and the official format if it has one."""
    studio = studio_of(request)
    found = await _episode(studio, token, number)
    files = [("episode.json", json.dumps(found.told).encode())]
    files += (await studio.screening.official(found.source)).items()
    packed = await asyncio.to_thread(exports.zipped, files)
    name = quote(f"{file_name(found.told['id'])}.zip")
    headers = {"Content-Disposition": f"attachment; filename*=utf-8''{name}"}
    return Response(packed, media_type="application/zip", headers=headers)


async def _episode(studio: Studio, token: str, number: int) -> Episode:
    link = await studio.database.run(lambda session: links.of(session, token))
    if link.play_id is None:
        folder = await asyncio.to_thread(runs.get, studio.settings.runs, link.run)
        return Episode(*await asyncio.to_thread(runs.episode, folder, number))
    if number:
        raise NotThere("There is no such episode.")
    play = link.play_id
    return await studio.database.run(lambda session: _played(session, play))


def _play(session: Session, play: str) -> dict[str, Any]:
    row = session.get_one(Play, play)
    acts = len(plays.journal_of(session, play))
    listed = {"id": play, "task": row.task, "steps": acts, "ended": row.how, "error": ""}
    title = plays.title_of(session, play)
    return {"title": title, "episodes": [{**listed, "success": row.scores.get("success")}]}


def _played(session: Session, play: str) -> Episode:
    row, found = session.get_one(Play, play), plays.find(session, play)
    entries = plays.journal_of(session, play)
    steps = [
        {**msgspec.to_builtins(each), "act": each.act if isinstance(each.act, dict) else None}
        for each in entries
    ]
    result = {"task": row.task, "scores": row.scores, "seats": row.seats, "digest": row.digest}
    told = {"id": play, "steps": steps, "ended": row.how, "result": result}
    return Episode(told, PlaySource(play, found.spec, entries))
