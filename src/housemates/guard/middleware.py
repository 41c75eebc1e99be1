"""What every request passes: its host, its origin, its shares, its size; and the headers of every answer."""

from __future__ import annotations

import asyncio
from typing import NoReturn

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from housemates.errors import HousematesError
from housemates.guard.names import client_of, household, is_own_host, is_own_origin
from housemates.guard.policy import Policy
from housemates.guard.shares import Busy, Ledger

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
TOO_MUCH = "This is too much at once."
SAFE = ("GET", "HEAD", "OPTIONS")
LAST = {"Connection": "close"}
"""So that nobody listens to the rest of a body that is refused."""


class NotLetIn(HousematesError):
    """A request that may not pass."""

    def __init__(self, status: int, sentence: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status, self.headers = status, headers or {}


class Guard:
    """Middleware around a whole application, which sees only requests that may pass and have come whole."""

    def __init__(self, app: ASGIApp, policy: Policy, ledger: Ledger | None = None) -> None:
        self.app, self.policy = app, policy
        self.ledger = ledger or Ledger(policy.shares)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse what may not pass, and let the rest through with the headers on its answer."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        address, scheme = client_of(scope, self.policy.proxies)
        scope = {**scope, "client": (address, 0), "scheme": scheme}
        passed = self._request if scope["type"] == "http" else self._socket
        await passed(scope, receive, send, {"address": household(address), "server": ""})

    async def _request(self, scope: Scope, receive: Receive, send: Send, holders: dict[str, str]) -> None:
        answering = _with_headers(send)
        try:
            self._check(scope, holders, scope["method"] in SAFE)
            with self.ledger.held("requests at once", holders):
                whole = await self._whole(Headers(scope=scope), receive, holders)
                await self.app(scope, whole, answering)
        except (NotLetIn, Busy) as refusal:
            await _answer(refusal)(scope, receive, answering)

    async def _socket(self, scope: Scope, receive: Receive, send: Send, holders: dict[str, str]) -> None:
        try:
            self._check(scope, holders, False, self.policy.pages)
            self.ledger.enter("connections", holders)
        except (NotLetIn, Busy) as refusal:
            await WebSocket(scope, receive, send).send_denial_response(_answer(refusal))
            return
        try:
            await self.app(scope, receive, send)
        finally:
            self.ledger.leave("connections", holders)

    def _check(self, scope: Scope, holders: dict[str, str], safe: bool, needed: bool = False) -> None:
        headers = Headers(scope=scope)
        if not is_own_host(scope, self.policy.origins):
            raise NotLetIn(400, "This is another host.")
        if not safe and not is_own_origin(headers, self.policy.origins, needed):
            raise NotLetIn(403, "This comes from another site.")
        self.ledger.take("requests", holders)
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdecimal() and int(length[:20]) <= self.policy.body_bytes):
            _too_much()

    async def _whole(self, headers: Headers, receive: Receive, holders: dict[str, str]) -> Receive:
        """The request once all of its body is there: in time, not too long, within the address's share."""
        body = bytearray()
        try:
            async with asyncio.timeout(self.policy.body_s):
                more = "content-length" in headers or "transfer-encoding" in headers
                while more:
                    message = await receive()
                    if message["type"] != "http.request":
                        break
                    part = message.get("body", b"")
                    if len(body) + len(part) > self.policy.body_bytes:
                        _too_much()
                    self.ledger.take("bytes", holders, len(part))
                    body += part
                    more = message.get("more_body", False)
        except TimeoutError:
            raise NotLetIn(408, "The request took too long to come.", LAST) from None
        told = False

        async def receive_whole() -> Message:
            nonlocal told
            if told:
                return await receive()
            told = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        return receive_whole


def _too_much() -> NoReturn:
    raise NotLetIn(413, TOO_MUCH, LAST)


def _answer(refusal: NotLetIn | Busy) -> Response:
    return JSONResponse({"error": str(refusal)}, refusal.status, {**refusal.headers, **LAST})


def _with_headers(send: Send) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sent
