"""What every request passes: its host, its origin, its size, its rate; and the headers of every answer."""

from __future__ import annotations

import time
from collections import OrderedDict
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from housemates.studio.settings import Settings

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
        "media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
LOCAL = ("localhost", "127.0.0.1", "::1")
TOO_MUCH = "This is too much at once."
SAFE = ("GET", "HEAD", "OPTIONS")
REMEMBERED = 10_000
"""Addresses whose rates are remembered."""


class Rate:
    """So much per second for long, and a burst; by key."""

    def __init__(self, per_s: float, burst: float) -> None:
        self.per_s, self.burst = per_s, burst
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, key: str = "", cost: float = 1.0) -> bool:
        """Whether there is enough left for one more; then it is taken."""
        now = time.monotonic()
        left, since = self._left.pop(key, (self.burst, now))
        left = min(self.burst, left + (now - since) * self.per_s)
        allowed = left >= cost
        self._left[key] = (left - cost if allowed else left, now)
        while len(self._left) > REMEMBERED:
            self._left.popitem(last=False)
        return allowed

    def give_back(self, key: str) -> None:
        """Undo what was taken last."""
        left, since = self._left.pop(key, (self.burst, time.monotonic()))
        self._left[key] = (min(self.burst, left + 1.0), since)


class Guard:
    """Middleware around the whole application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings
        self._rate = Rate(settings.bounds.requests_per_s, 10 * settings.bounds.requests_per_s)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what may not pass, and let the rest through with the headers on its answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(HTTPConnection(scope), scope["method"])
        if refusal is not None:
            await self._with_headers(refusal, scope, receive, send)
            return
        await self._with_headers(self.app, scope, self._bounded(receive), send)

    def _refusal(self, request: HTTPConnection, method: str) -> JSONResponse | None:
        length = request.headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self.settings.bounds.body_bytes:
            return _refuse(413, TOO_MUCH)
        if not is_own_host(request.headers, self.settings):
            return _refuse(400, "This is another host.")
        if method not in SAFE and not is_own_origin(request.headers, self.settings, needed=False):
            return _refuse(403, "This comes from another site.")
        address = request.client.host if request.client else ""
        if not self._rate.allows(address):
            return _refuse(429, "Too many requests; wait a moment.")
        return None

    def _bounded(self, receive: Receive) -> Receive:
        taken = 0

        async def bounded() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self.settings.bounds.body_bytes:
                raise HTTPException(413, TOO_MUCH)
            return message

        return bounded

    async def _with_headers(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await app(scope, receive, sent)


def is_own_host(headers: Headers, settings: Settings) -> bool:
    """Whether a request names this server; on loopback no other name will do, whoever resolves it."""
    if not settings.loopback:
        return True
    host = urlsplit(f"//{headers.get('host', '')}").hostname or ""
    return host in LOCAL or any(urlsplit(each).hostname == host for each in settings.origins)


def is_own_origin(headers: Headers, settings: Settings, needed: bool = True) -> bool:
    """Whether a page of this server asks; `needed` also refuses what does not say where it comes from."""
    origin = headers.get("origin")
    if origin is None:
        return not needed and headers.get("sec-fetch-site", "none") in ("same-origin", "none")
    return urlsplit(origin).netloc == headers.get("host") or origin in settings.origins


def _refuse(status: int, sentence: str) -> JSONResponse:
    return JSONResponse({"error": sentence}, status)
