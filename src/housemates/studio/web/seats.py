"""Seats: the page of one, and the WebSocket over which it is played."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import HTMLResponse
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketDisconnected

from housemates.errors import HousematesError
from housemates.studio.live.outbox import FULL, REFUSED, Outbox
from housemates.studio.live.room import Room
from housemates.studio.pages import page
from housemates.studio.storage import plays
from housemates.studio.storage.plays import Place
from housemates.studio.study import evidence
from housemates.studio.web.guard import Rate, is_own_host, is_own_origin
from housemates.studio.web.messages import BadMessage, Doing, Pinging, Pointing, read
from housemates.studio.web.shell import shell
from housemates.studio.web.state import Studio, studio_of

router = APIRouter()
Token = Annotated[str, Path(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
WORST = 20
"""Messages without sense after which a connection is closed."""


@router.get("/seat/{token}", response_class=HTMLResponse)
async def seat_page(request: Request, token: Token) -> HTMLResponse:
    """The page of a seat."""
    database = studio_of(request).database
    place = await database.run(lambda session: plays.place_of(session, token))
    more = (
        ("evidence.js",) if await database.run(lambda session: evidence.is_covered_at(session, token)) else ()
    )
    shown = page(place.page)
    told = {"token": token, "role": place.role, "kind": place.kind, "participant": place.participant or ""}
    return shell(f"{place.role.capitalize()} · {place.title}", f"pages/{shown.module}", told, more=more)


@router.websocket("/ws/seat/{token}")
async def seat_socket(socket: WebSocket, token: Token) -> None:
    """Serve the WebSocket over which a seat is played."""
    studio = studio_of(socket)
    if not is_own_host(socket.headers, studio.settings) or not is_own_origin(socket.headers, studio.settings):
        await socket.close(1008)
        return
    await socket.accept()
    if len(studio.hall.outboxes) >= studio.settings.bounds.connections:
        await socket.close(FULL)
        return
    try:
        place = await studio.database.run(lambda session: plays.place_of(session, token))
    except HousematesError:
        await socket.close(REFUSED)
        return
    outbox = Outbox(socket)
    studio.hall.outboxes.add(outbox)
    sender = asyncio.create_task(outbox.run())
    try:
        await _play(socket, studio, place, outbox)
    except (WebSocketDisconnect, WebSocketDisconnected):
        pass
    finally:
        studio.hall.outboxes.discard(outbox)
        sender.cancel()
        await _left(studio, place, outbox)


async def _play(socket: WebSocket, studio: Studio, place: Place, outbox: Outbox) -> None:
    room = await _joined(studio, place, outbox)
    if room is None:
        await asyncio.sleep(0.1)
        await socket.close(1011)
        return
    bounds = studio.settings.bounds
    acts = Rate(bounds.acts_per_s, 4 * bounds.acts_per_s)
    points = Rate(bounds.points_per_s, bounds.points_per_s)
    senseless = 0
    while True:
        text = await socket.receive_text()
        try:
            message = read(text, bounds)
        except BadMessage as error:
            senseless += 1
            outbox.tell({"type": "error", "message": str(error)})
            if senseless >= WORST:
                outbox.close(1008)
                return
            continue
        if isinstance(message, Doing):
            if acts.allows():
                await room.act(place.role, message.id, message.act)
            else:
                slow = {
                    "type": "refused",
                    "id": message.id,
                    "message": "Too fast; wait a moment.",
                    "kept": False,
                }
                outbox.tell(slow)
        elif isinstance(message, Pointing):
            nothing = {"type": "pointed", "id": message.id, "found": None}
            outbox.tell(await _pointed(room, place.role, message) if points.allows() else nothing)
        elif isinstance(message, Pinging):
            outbox.tell({"type": "pong"}, "pong")


async def _pointed(room: Room, role: str, message: Pointing) -> dict[str, Any]:
    try:
        return await room.pointed(role, message.id, message.picture, message.x, message.y)
    except HousematesError:
        return {"type": "pointed", "id": message.id, "found": None}


async def _joined(studio: Studio, place: Place, outbox: Outbox) -> Room | None:
    try:
        room = await studio.hall.room(place.play)
        await room.join(place.role, outbox)
    except HousematesError as error:
        outbox.tell({"type": "error", "message": str(error), "fatal": True})
        return None
    await studio.database.run(lambda session: plays.came(session, place.play, place.role, True))
    return room


async def _left(studio: Studio, place: Place, outbox: Outbox) -> None:
    room = studio.hall.rooms.get(place.play)
    if room is not None and room.leave(outbox):
        await studio.database.run(lambda session: plays.came(session, place.play, place.role, False))
