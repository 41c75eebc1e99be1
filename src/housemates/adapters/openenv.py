"""OpenEnv's wire, spoken by an app of our own: trainers of language models play any seat over a WebSocket.

An episode lives as long as its connection. Beside the protocol's own messages there are `snapshot`, which is
answered by a handle, `restore`, which takes it, and `fork`, whose `episode` another connection takes in
`reset`. Plain HTTP has no session in this protocol: `/reset` shows a new episode, and `/step` and `/state`
say where to go instead.
"""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import AsyncIterator, Sequence
from typing import Any

from fastapi import FastAPI, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import JSONResponse

from housemates import __version__
from housemates.adapters.hosting import Full, Host, Visit
from housemates.adapters.threads import aside, at_last
from housemates.core.wire import PARTS, brief_of, outcome_of, percept_of
from housemates.errors import HousematesError
from housemates.guard import http_server
from housemates.guard.middleware import Guard
from housemates.guard.policy import Policy
from housemates.guard.shares import Flow, Shares

LONGEST = 1_000_000
"""Bytes of a message."""
SHARES: Shares = {
    "address": {
        "requests": Flow(100, 1000),
        "requests at once": 64,
        "bytes": Flow(10 * LONGEST, 100 * LONGEST),
    }
}
"""What one address may have: trainers open many episodes, of which the host has no more than it was told."""
SPARE = 200
"""Connections beside those of episodes."""
WORDS = tuple(part for part in PARTS if part != "pictures")
ACTION = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
    "required": ["name"],
}
OBSERVATION = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "offers": {"type": "array"},
        "said": {"type": "array"},
        "pictures": {"type": "object", "description": "PNG files in base64, if `reset` asked for them."},
        "last": {"type": ["object", "null"]},
        "brief": {"type": "object", "description": "After `reset` alone: all that the role is told."},
        "role": {"type": "string"},
        "turn": {"type": "integer"},
    },
}
STATE = {
    "type": "object",
    "properties": {
        "episode_id": {"type": ["string", "null"]},
        "step_count": {"type": "integer"},
        "done": {"type": "boolean"},
        "scores": {"type": "object"},
        "branches": {"type": "integer", "description": "Forks and restored snapshots before this moment."},
    },
}
TOLD = ("state", "snapshot", "fork")
"""Types of messages whose answer is no observation."""


class Line:
    """One connection and the episode that it is in."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._visit: Visit | None = None
        self._parts: tuple[str, ...] = WORDS

    def answer(self, text: str) -> dict[str, Any] | None:
        """What is answered to a message; None to one that hangs up."""
        try:
            message = json.loads(text)
            kind, data = message["type"], message.get("data") or {}
            if kind == "close":
                return None
            return {"type": kind if kind in TOLD else "observation", "data": self._do(kind, data)}
        except Full as error:
            return _error(str(error), "CAPACITY_REACHED")
        except HousematesError as error:
            return _error(str(error), "EXECUTION_ERROR")
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return _error("Expected a JSON object with `type` and `data`.", "INVALID_JSON")

    def close(self) -> None:
        """Give the episode up."""
        if self._visit is not None:
            self._host.end(self._visit.handle)
            self._visit = None

    def _do(self, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        if kind == "reset":
            return self._reset(data)
        if kind == "step":
            return self._step(data)
        if kind == "state":
            return self.state()
        if kind == "snapshot":
            return {"snapshot": self._begun().snapshot()}
        if kind == "fork":
            return {"episode": self._host.fork(self._begun().handle).handle}
        if kind == "restore":
            self._begun().restore(str(data.get("snapshot")))
            return self._shown({}, 0.0, {})
        known = "reset, step, state, snapshot, restore, fork or close"
        raise HousematesError(f"Unknown type {str(kind)[:60]!r}: expected {known}.")

    def _reset(self, data: dict[str, Any]) -> dict[str, Any]:
        seed, name = data.get("seed"), data.get("episode_id")
        if not (seed is None or (type(seed) is int and seed >= 0)):
            raise HousematesError("seed: expected a whole number from 0 on.")
        if not (name is None or isinstance(name, str)):
            raise HousematesError("episode_id: expected the id of an instance.")
        forked = data.get("episode")
        self.close()
        self._visit = self._host.begin(seed, name) if forked is None else self._host.find(str(forked))
        self._parts = PARTS if data.get("pictures") is True else WORDS
        return self._shown({"brief": brief_of(self._visit.brief)}, 0.0, {})

    def _step(self, data: dict[str, Any]) -> dict[str, Any]:
        visit = self._begun()
        outcome = visit.act(data.get("action", data))
        scores = {"scores": visit.scores()} if visit.over else {}
        return self._shown({}, visit.reward, {"outcome": outcome_of(outcome), **scores})

    def state(self) -> dict[str, Any]:
        """Where the episode stands."""
        visit = self._visit
        if visit is None:
            return {"episode_id": None, "step_count": 0, "done": False, "scores": {}, "branches": 0}
        scores = {"scores": visit.scores() if visit.over else {}, "branches": visit.branches}
        return {"episode_id": visit.id, "step_count": visit.acts, "done": visit.over, **scores}

    def _shown(self, more: dict[str, Any], reward: float, metadata: dict[str, Any]) -> dict[str, Any]:
        visit = self._begun()
        with visit.percept() as percept:
            parts = [part for part in self._parts if part != "offers" or not visit.over]
            observation = {**percept_of(percept, parts), **more}
        return {"observation": observation, "reward": reward, "done": visit.over, "metadata": metadata}

    def _begun(self) -> Visit:
        if self._visit is None:
            raise HousematesError("There is no episode yet: reset first.")
        return self._visit


def app_of(host: Host) -> FastAPI:
    """The app that serves the seat of a host."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        await aside(host.close)

    app = FastAPI(title=f"housemates {host.benchmark.name}", version=__version__, lifespan=lifespan)
    _describe(app, host)

    @app.post("/reset")
    async def reset(request: Request) -> JSONResponse:
        """A new episode as its guest would see it; it is not kept."""
        line = Line(host)
        try:
            body = (await request.body()).decode(errors="replace") or "{}"
            return _http(await aside(line.answer, f'{{"type": "reset", "data": {body}}}'))
        finally:
            await at_last(line.close)

    @app.post("/step")
    @app.get("/state")
    async def sessionless() -> JSONResponse:
        """Plain HTTP has no session."""
        return _http(_error("There is no episode here: connect to /ws.", "NO_SESSION"))

    @app.websocket("/ws")
    async def session(socket: WebSocket) -> None:
        """An episode after another, as long as the connection lasts."""
        await socket.accept()
        line = Line(host)
        try:
            while True:
                answer = await aside(line.answer, await socket.receive_text())
                if answer is None:
                    break
                await socket.send_text(json.dumps(answer))
            await socket.close()
        except (WebSocketDisconnect, RuntimeError, KeyError):
            pass
        finally:
            await at_last(line.close)

    return app


def _describe(app: FastAPI, host: Host) -> None:
    """The routes that tell what is served."""
    about = f"The {host.role} of {host.benchmark.name}: {type(host.benchmark).__doc__}"

    @app.get("/health")
    async def health() -> dict[str, str]:
        """Whether it is up."""
        return {"status": "healthy"}

    @app.get("/metadata")
    async def metadata() -> dict[str, Any]:
        """The environment's name, description and version, as OpenEnv asks for it."""
        return {"name": host.benchmark.id, "description": about, "version": __version__}

    @app.get("/schema")
    async def schema() -> dict[str, Any]:
        """What is sent and answered."""
        return {"action": ACTION, "observation": OBSERVATION, "state": STATE}

    @app.post("/mcp")
    async def mcp(request: Request) -> dict[str, Any]:
        """There are no tools on this wire; `housemates mcp` has them."""
        try:
            number = json.loads(await request.body() or b"{}").get("id")
        except (ValueError, AttributeError, RecursionError):
            number = None
        error = {"code": -32601, "message": "There are no tools here: `housemates mcp` serves them."}
        return {"jsonrpc": "2.0", "id": number, "error": error}


def policy_of(host: Host, origins: Sequence[str] = ()) -> Policy:
    """What the guard of a host lets through; one address may have all of its episodes."""
    most = 2 * host.most + SPARE
    return Policy(
        origins=tuple(origins),
        body_bytes=LONGEST,
        message_bytes=LONGEST,
        connections=most,
        connections_each=most,
        shares=SHARES,
    )


def serve(host: Host, listener: socket.socket, origins: Sequence[str] = ()) -> None:
    """Serve at a socket that listens, until Ctrl-C, as this machine and under the names of origins."""
    policy = policy_of(host, origins)
    http_server.run(Guard(app_of(host), policy), listener, policy)


def _error(message: str, code: str) -> dict[str, Any]:
    return {"type": "error", "data": {"message": message, "code": code}}


def _http(answer: dict[str, Any] | None) -> JSONResponse:
    assert answer is not None
    return JSONResponse(answer["data"], 400 if answer["type"] == "error" else 200)
