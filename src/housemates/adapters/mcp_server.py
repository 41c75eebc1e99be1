"""Assistants in a seat: a server of the Model Context Protocol, over standard input and output or HTTP.

The protocol keeps no session, so whoever begins an episode is given a handle that nobody can guess.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from mcp.server.mcpserver import Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from housemates import __version__
from housemates.adapters.hosting import Host
from housemates.agents.llm.conversation import tool_of
from housemates.core.actions import Offer
from housemates.core.percepts import Percept
from housemates.core.wire import outcome_of
from housemates.errors import HousematesError
from housemates.guard import http_server
from housemates.guard.middleware import Guard
from housemates.guard.policy import Policy

INSTRUCTIONS = """You take the seat of the {role} in episodes of {benchmark}. Call `begin` first: it gives \
a handle, the rules and the goal. Then `observe` and `act` in turn until the episode is over; `score` tells \
how it went."""
LONGEST = 1_000_000
"""Bytes of a request."""
Given = ParamSpec("Given")
Found = TypeVar("Found")


def server_of(host: Host) -> MCPServer:
    """A server whose tools let a guest play in the seat of a host."""
    told = INSTRUCTIONS.format(role=host.role, benchmark=host.benchmark.name)
    server = MCPServer("housemates", version=__version__, instructions=told, log_level="WARNING")

    @server.tool()
    @_refusing
    def begin(seed: int | None = None, instance: str | None = None) -> dict[str, Any]:
        """Begin an episode: the next one, the one that a seed decides, or the instance of this id."""
        visit = host.begin(seed, instance)
        brief = visit.brief
        limits = {"steps": brief.limits.steps, "failures": brief.limits.failures}
        told = {"role": brief.role, "rules": brief.rules, "goal": brief.goal, "limits": limits}
        return {"handle": visit.handle, **told}

    @server.tool()
    @_refusing
    def observe(handle: str, pictures: bool = True) -> list:  # type: ignore[type-arg]
        """What you perceive now, in words and pictures, and what you can do."""
        visit = host.find(handle)
        with visit.percept() as percept:
            drawn = [draw() for draw in percept.pictures.values()] if pictures else []
            text = described(percept, visit.over)
        return [text, *map(_image, drawn)]

    @server.tool()
    @_refusing
    def act(handle: str, name: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
        """Do one of the things that `observe` offers; the others act before this comes back."""
        visit = host.find(handle)
        outcome = visit.act({"name": name, "arguments": arguments or {}})
        return {**outcome_of(outcome), "over": visit.over}

    @server.tool()
    @_refusing
    def score(handle: str, end: bool = False) -> dict[str, Any]:
        """How an episode that is over went; with `end`, it is given up first and its handle is forgotten."""
        visit = host.find(handle)
        if end:
            visit.give_up()
            host.end(handle)
        told = {"instance": visit.id} if visit.over else {}
        scores = {"scores": visit.scores(), "branches": visit.branches}
        return {"over": visit.over, "acts": visit.acts, **scores, **told}

    _branching(server, host)
    return server


def _branching(server: MCPServer, host: Host) -> None:
    """The tools by which a guest tries several things from the same moment; `score` counts their use."""

    @server.tool()
    @_refusing
    def fork(handle: str) -> dict[str, str]:
        """Begin a second episode that goes on from this moment; neither changes the other."""
        return {"handle": host.fork(handle).handle}

    @server.tool()
    @_refusing
    def snapshot(handle: str) -> dict[str, str]:
        """Keep this moment of an episode, to come back to by `restore`."""
        return {"snapshot": host.find(handle).snapshot()}

    @server.tool()
    @_refusing
    def restore(handle: str, snapshot: str) -> dict[str, Any]:
        """Go back to a moment that was kept, as often as you like."""
        visit = host.find(handle)
        visit.restore(snapshot)
        return {"over": visit.over, "acts": visit.acts}


def serve(host: Host, listener: socket.socket | None) -> None:
    """Serve until the other side hangs up, or over HTTP at a socket that listens until Ctrl-C."""
    server = server_of(host)
    try:
        if listener is None:
            server.run("stdio")
        else:
            policy = Policy(body_bytes=LONGEST)
            address = listener.getsockname()[0]
            app = Guard(server.streamable_http_app(host=address, max_request_body_size=LONGEST), policy)
            http_server.run(app, listener, policy)
    finally:
        host.close()


def described(percept: Percept, over: bool) -> str:
    """What a role perceives and what it can do, in words."""
    offers = [] if over else [_line(offer) for offer in percept.offers]
    can = "\n".join(["You can do:", *offers]) if offers else "The episode is over."
    return f"{percept.text}\n\n{can}"


def _line(offer: Offer) -> str:
    tool = tool_of(offer)
    properties = tool.parameters["properties"]
    return f"- {tool.name}: {tool.help}" + (f" {json.dumps(properties)}" if properties else "")


def _image(picture: Any) -> Image:
    from housemates.core.pictures import png

    return Image(data=png(picture), format="png")


def _refusing(tool: Callable[Given, Found]) -> Callable[Given, Found]:
    """What a guest does wrong is a sentence for it, not an error of the server."""

    @wraps(tool)
    def called(*arguments: Given.args, **named: Given.kwargs) -> Found:
        try:
            return tool(*arguments, **named)
        except HousematesError as error:
            raise ToolError(str(error)) from None

    return called
