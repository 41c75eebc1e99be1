"""Seats: the page of one, and the WebSocket over which it is played."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import HTMLResponse
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketDisconnected

from housemates.errors import HousematesError
from housemates.guard.shares import Busy, Holders
from housemates.studio.live.outbox import FULL, REFUSED, Outbox
from housemates.studio.live.room import Room, holders_of
from housemates.studio.pages import page
from housemates.studio.storage import plays
from housemates.studio.storage.plays import Place
from housemates.studio.storage.tables import DEMO
from housemates.studio.study import evidence
from housemates.studio.web.messages import BadMessage, Doing, Pinging, Pointing, read
from housemates.studio.web.shell import shell
from housemates.studio.web.state import Studio, address_of, studio_of

router = APIRouter()
Token = Annotated[str, Path(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
LAST_WORDS_S = 1.0
"""How long a browser that is sent away may take to hear why."""
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
    await socket.accept()
    try:
        studio.ledger.take("openings", {"seat": token})
        place = await studio.database.run(lambda session: plays.place_of(session, token))
        holders = holders_of_seat(place, address_of(socket))
        studio.ledger.enter("connections", holders)
    except HousematesError as error:
        await socket.close(FULL if isinstance(error, Busy) else REFUSED)
        return
    outbox = Outbox(socket)
    studio.hall.outboxes.add(outbox)
    sender = asyncio.create_task(outbox.run())
    try:
        await _play(socket, studio, place, outbox, holders)
    except (WebSocketDisconnect, WebSocketDisconnected):
        pass
    finally:
        studio.ledger.leave("connections", holders)
        studio.hall.outboxes.discard(outbox)
        await asyncio.wait((sender,), timeout=LAST_WORDS_S if outbox.closing else 0)
        sender.cancel()
        await _left(studio, place, outbox)


def holders_of_seat(place: Place, address: str) -> Holders:
    """Whose shares are used by somebody who sits in a seat."""
    visitor = {"visitor": address} if place.kind == DEMO else {}
    return {"seat": place.token, **visitor, **holders_of(place.kind, place.project)}


async def _play(socket: WebSocket, studio: Studio, place: Place, outbox: Outbox, holders: Holders) -> None:
    room = await _joined(studio, place, outbox)
    if room is None:
        outbox.close(1011)
        return
    senseless = 0
    while (received := await socket.receive())["type"] != "websocket.disconnect":
        text = received.get("text")
        try:
            studio.ledger.take("messages", holders)
            studio.ledger.take("bytes", holders, len(text or received.get("bytes") or ""))
            message = read(text, studio.settings.bounds)
        except (BadMessage, Busy) as error:
            senseless += 1
            outbox.tell({"type": "error", "message": str(error)})
            if senseless >= WORST or isinstance(error, Busy):
                outbox.close(1008)
                return
            continue
        await _answer(studio, room, place, outbox, message)


async def _answer(
    studio: Studio, room: Room, place: Place, outbox: Outbox, message: Doing | Pointing | Pinging
) -> None:
    seat = {"seat": place.token}
    if isinstance(message, Doing):
        if studio.ledger.allows("acts", seat):
            await room.act(place.role, outbox, message.id, message.act)
        else:
            slow = "Too fast; wait a moment."
            outbox.tell({"type": "refused", "id": message.id, "message": slow, "kept": False})
    elif isinstance(message, Pointing):
        nothing = {"type": "pointed", "id": message.id, "found": None}
        free = studio.ledger.allows("points", seat)
        outbox.tell(await _pointed(room, place.role, message) if free else nothing)
    else:
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
