"""The front door: what can be played at once, with an agent as partner."""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from sqlalchemy.orm import Session
from starlette.responses import HTMLResponse

from housemates.core import registry
from housemates.studio.demo import DEMOS, Demo, demo_options
from housemates.studio.pages import page_of
from housemates.studio.settings import Settings
from housemates.studio.storage import plays
from housemates.studio.storage.tables import DEMO, Project, Refused
from housemates.studio.web.shell import shell
from housemates.studio.web.state import address_of, studio_of
from housemates.studio.worlds.pool import DEMO as DEMO_PLACE

router = APIRouter()
IN_TURN = 60
"""So many different instances of each demo come one after the other."""


class Offered(BaseModel):
    """A seat of the demo project."""

    benchmark: str
    role: str
    title: str
    text: str
    partner: str


class Begin(BaseModel):
    """Which seat of the demo project somebody wants."""

    benchmark: Annotated[str, Field(max_length=40)]
    role: Annotated[str, Field(max_length=40)]
    seed: Annotated[int, Field(ge=0, le=10**6)] | None = None
    """Which one; the next in turn if nobody says."""


class Begun(BaseModel):
    """Where the seat is."""

    seat: str


@router.get("/", response_class=HTMLResponse)
async def front(request: Request) -> HTMLResponse:
    """Serve the home page."""
    return shell("Studio", "home.js", {"demo": "yes" if studio_of(request).settings.demo else ""})


@router.get("/health")
async def health(request: Request) -> dict[str, str]:
    """Whether it is up, and a fingerprint of its database, by which the next server knows it."""
    return {"status": "ok", "database": studio_of(request).database.fingerprint}


@router.get("/api/demo")
async def offered(request: Request) -> list[Offered]:
    """The seats of the demo project."""
    if not studio_of(request).settings.demo:
        return []
    return [
        Offered(
            benchmark=each.benchmark,
            role=role,
            title=title,
            text=text,
            partner=_partner(each.benchmark, role),
        )
        for each in DEMOS
        for role, (title, text) in each.seats.items()
    ]


@router.post("/api/demo")
async def begin(request: Request, asked: Begin) -> Begun:
    """Take a seat; an agent takes the other."""
    studio = studio_of(request)
    if not studio.settings.demo:
        raise Refused("There is no demo here.")
    demo = next((each for each in DEMOS if each.benchmark == asked.benchmark), None)
    if demo is None or asked.role not in demo.seats:
        raise Refused("The demo has no such seat.")
    seats = _seats(demo, asked.role)
    options = demo_options(demo, studio.settings)
    name = page_of(demo.benchmark).name
    holders = {"visitor": address_of(request), "demo": ""}
    studio.ledger.take("starts", holders)
    nth = 0
    if asked.seed is None:
        nth = await studio.database.run(lambda session: plays.count_of(session, demo.project)) % IN_TURN
    wanted = (name, demo.benchmark, options, seats, "generated", asked.seed or 0, (), nth)
    with studio.ledger.held("starts at once", holders):
        chosen = await studio.pool.call("find", "", *wanted, place=DEMO_PLACE)
    tokens = await studio.database.run(
        lambda session: plays.make(
            session, session.get_one(Project, demo.project), chosen, seats, DEMO, options=options
        )
    )
    return Begun(seat=f"/seat/{tokens[asked.role]}")


def see_to_demo(session: Session, settings: Settings) -> None:
    """Have the demo projects."""
    for demo in DEMOS if settings.demo else ():
        if session.get(Project, demo.project) is None:
            session.add(
                Project(id=demo.project, title=demo.title, benchmark=demo.benchmark, created=time.time())
            )


def _partner(benchmark: str, role: str) -> str:
    others = [each for each in registry.benchmark_class(benchmark).roles if each != role]
    return next((name for each in others if (name := registry.partner(benchmark, each))), "")


def _seats(demo: Demo, role: str) -> dict[str, str]:
    made = registry.benchmark_class(demo.benchmark)
    return {
        each: "" if each == role else registry.partner(demo.benchmark, each) or "first" for each in made.roles
    }
