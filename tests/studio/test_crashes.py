"""Crashes: whatever was acknowledged survives, both go on, and what was played replays to the same digest."""

from __future__ import annotations

import contextlib
import os
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from postgres import Postgres
from sqlalchemy import select
from studio_server import PASSWORD, STOPPED, Player, Server, logged_in, seats_of
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from housemates.studio.storage.database import Database
from housemates.studio.storage.plays import journal_of, spec_of
from housemates.studio.storage.tables import Play
from housemates.studio.worlds.table import Table

pytestmark = pytest.mark.slow
KILLS = int(os.environ.get("STUDIO_KILLS", "2"))
"""How often it is killed; 20 where there is time."""
ACTS = 5
"""Acts between two kills, about."""
TURNS = {
    "commander": ("TurnLeft", "TurnRight", "Forward", "Backward"),
    "follower": ("TurnLeft", "TurnRight", "LookUp", "LookDown", "Forward", "Backward"),
}


def pair(server: Server) -> tuple[Player, Player]:
    """Two people at a table, each with the link of a seat."""
    tokens = seats_of(server, logged_in(server), "pair")
    return Player(server, tokens["commander"]), Player(server, tokens["follower"])


class Acting:
    """Two people who act in turn, come back when they are thrown out, and remember what was acknowledged."""

    def __init__(self, players: dict[str, Player]) -> None:
        self.players, self.said, self.moves = players, 0, 0

    def act(self, role: str, rng: random.Random) -> None:
        player = self.players[role]
        try:
            if player.socket is None:
                player.connect()
            if rng.random() < 0.3:
                answer = player.act("Say", text=f"{role} says {self.said}")
            else:
                answer = player.act(rng.choice(TURNS[role]))
        except (ConnectionClosed, InvalidHandshake, OSError, TimeoutError, EOFError):
            player.socket = None
            time.sleep(0.2)
            return
        if answer["type"] == "done":
            self.moves += 1
            self.said = len(player.state["said"])


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A database, and for PostgreSQL the server that can be killed, too."""
    if request.param == "sqlite":
        yield "", None
        return
    made = Postgres().start()
    yield made.url, made
    made.stop()


def test_every_acknowledged_act_survives_kills_at_random_moments(tmp_path: Path, database: Any) -> None:
    url, postgres = database
    server = Server(tmp_path, url, env=PASSWORD).start()
    commander, follower = pair(server)
    acting, rng = Acting({"commander": commander, "follower": follower}), random.Random(1)
    for number in range(KILLS):
        crash = postgres.crash if postgres is not None and number % 2 else server.crash
        for _ in range(ACTS):
            acting.act(rng.choice(("commander", "follower")), rng)
        crashing = threading.Timer(rng.uniform(0.0, 0.4), crash)
        crashing.start()
        while crashing.is_alive():
            acting.act(rng.choice(("commander", "follower")), rng)
    for player in (commander, follower):
        player.connect()
    assert commander.act("Stop")["type"] == "done"
    follower.wait_for("ended")
    assert len(commander.state["said"]) >= acting.said
    for player in (commander, follower):
        player.close()
    assert server.stop() in STOPPED
    _replays(server.db, acting)


def _replays(url: str, acting: Acting) -> None:
    """The journal holds all that was acknowledged, and leads to the digest that was written at the end."""
    kept = Database(url)
    with contextlib.closing(kept):
        play = kept.now(lambda session: session.scalars(select(Play)).one())
        entries = kept.now(lambda session: journal_of(session, play.id))
    assert sum(each.by == "person" for each in entries) >= acting.moves
    table = Table(spec_of(play), entries)
    assert table.ended == "done"
    assert table.session.digest() == play.digest
