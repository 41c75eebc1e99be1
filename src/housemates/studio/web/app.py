"""The application: routes, guards, and what happens when it starts and stops."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles

from housemates import __version__
from housemates.errors import HousematesError
from housemates.guard.middleware import Guard
from housemates.guard.shares import Busy, Ledger
from housemates.studio.settings import Settings
from housemates.studio.storage.database import Database
from housemates.studio.storage.tables import Refused
from housemates.studio.study.protocols import open_protocols
from housemates.studio.web import admin, home, people, playback, seats
from housemates.studio.web.shell import STATIC, shell
from housemates.studio.web.state import Studio

ROUTERS = (home.router, seats.router, people.router, admin.router, playback.router)

PLAYER = ("housemates.reporting", "player")
"""Whose files are served beside our own: the player of episodes."""


class Files(StaticFiles):
    """The files of pages: asked about each time, sent when they have changed."""

    def file_response(self, *arguments: object, **named: object) -> Response:
        """A file, or that it has not changed."""
        response = super().file_response(*arguments, **named)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "no-cache"
        return response


def make_app(settings: Settings, database: Database | None = None) -> FastAPI:
    """The application of a studio; nothing runs before it is served."""

    ledger = Ledger(settings.bounds.shares)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        studio = Studio(settings, database or Database(settings.db), ledger)
        await studio.database.run(lambda session: home.see_to_demo(session, settings))
        await studio.database.run(lambda session: open_protocols(session, settings.projects, settings))
        app.state.studio = studio
        yield
        studio.close()

    app = FastAPI(
        title="Housemates studio",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.add_middleware(Guard, policy=settings.policy, ledger=ledger)
    app.mount("/static", Files(directory=STATIC, packages=[PLAYER]), name="static")
    for router in ROUTERS:
        app.include_router(router)
    app.add_exception_handler(HousematesError, _refused)
    app.add_exception_handler(HTTPException, _failed)
    app.add_exception_handler(RequestValidationError, _invalid)
    return app


async def _refused(request: Request, error: Exception) -> Response:
    status = error.status if isinstance(error, Refused | Busy) else 400
    return _answer(request, status, str(error), error.headers if isinstance(error, Busy) else None)


async def _failed(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    said = "There is nothing here." if error.status_code == 404 else str(error.detail)
    return _answer(request, error.status_code, said, dict(error.headers or {}))


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(each) for each in first["loc"][1:])
    return _answer(request, 422, f"{where}: {first['msg']}".lstrip(": "))


def _answer(request: Request, status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    """A refusal: a page for whoever looks at pages, JSON for whoever asks for it."""
    if "text/html" in request.headers.get("accept", "") and request.method == "GET":
        page = shell("Sorry", "sorry.js", {"sentence": sentence}, status)
        page.headers.update(headers or {})
        return page
    return JSONResponse({"error": sentence.encode(errors="backslashreplace").decode()}, status, headers)
