"""Bugs as somebody might make them, each in place of one function of the studio."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from housemates.studio.live.room import Room
from housemates.studio.storage.database import AGAIN_S, LOST
from housemates.studio.storage.journal import Journal, _Append
from housemates.studio.worlds.table import View, Written


async def confirm_before_commit(self: Journal, play: str, entries: Sequence[Written]) -> None:
    """A lost commit: it comes back when the entries are in line, not when they are on disk."""
    loop = asyncio.get_running_loop()
    self._waiting.put(_Append(play, entries, loop.create_future(), loop))


def send_again(self: Journal, batch: list[_Append]) -> None:
    """A doubled message: what may be there already is sent again, under the next free number."""
    database = self._database
    for each in batch:
        sent = False
        while not sent:
            try:
                with database._turns, Session(database.engine) as session, session.begin():
                    session.add_all(each.rows())
                sent = True
            except IntegrityError:
                further = [msgspec.structs.replace(entry, number=entry.number + 1) for entry in each.entries]
                each = each._replace(entries=further)
            except LOST:
                database.closing.wait(AGAIN_S)
        each.answer()


_show = Room._show


def show_everybody(self: Room, role: str, view: View) -> None:
    """A leak: once it is over, what one is shown goes to everybody."""
    for other in list(self.people) if self.over else [role]:
        _show(self, other, view)


BUGS: Mapping[str, tuple[type, str, Callable[..., Any]]] = {
    "a lost commit": (Journal, "append", confirm_before_commit),
    "a doubled message": (Journal, "_commit", send_again),
    "a leak to a seat": (Room, "_show", show_everybody),
}
"""Name -> the class, its method, and what takes its place."""
