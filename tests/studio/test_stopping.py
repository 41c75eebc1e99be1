"""Stopping a studio: nobody waits for an agent that thinks."""

from __future__ import annotations

import signal
import time
import urllib.request
from collections.abc import Iterator

import pytest
from studio_server import PASSWORD, STOPPED, Player, Server, logged_in

SLOW = """
import time


class Slow:
    def reset(self, brief):
        pass

    def act(self, percept):
        time.sleep(600)
"""
SOON_S = 20
"""Far less than the agent thinks, and enough for a busy machine; about four seconds on a quiet one."""


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> str:
    """One that thinks for ten minutes."""
    path = tmp_path_factory.mktemp("agents") / "slow.py"
    path.write_text(SLOW)
    return f"{path}:Slow"


@pytest.fixture(scope="module")
def server(agent: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server in which it sits at a table."""
    folder = tmp_path_factory.mktemp("slow")
    made = Server(folder, "", "--workers", "1", "--agents", agent, env=PASSWORD).start()
    yield made
    if made.process is not None and made.process.poll() is None:
        made.stop()


@pytest.fixture(scope="module")
def cookie(agent: str, server: Server) -> str:
    """The administrator's, who has made a project of it."""
    cookie = logged_in(server)
    asked = {
        "id": "slow",
        "title": "Slow",
        "benchmark": "teach-tatc",
        "options": {"rooms": "seen", "size": "100"},
        "seats": {"commander": agent},
    }
    assert server.ask("POST", "/api/admin/projects", asked, Cookie=cookie)[0] == 200
    return cookie


def speak(server: Server, seat: str) -> Player:
    """Sit down and say something, so that the agent thinks."""
    player = Player(server, seat.removeprefix("/seat/")).connect()
    assert player.act("Say", text="Are you there?")["type"] == "done"
    time.sleep(1.0)
    return player


def test_who_is_deleted_while_an_agent_thinks_is_gone_at_once(server: Server, cookie: str) -> None:
    with urllib.request.urlopen(f"{server.url}/join/slow?PROLIFIC_PID=carl&SESSION_ID=c") as answer:
        token = answer.url.rsplit("/", 1)[1]
    speak(server, server.ask("POST", f"/api/participant/{token}/lobby")[1]["seat"])
    began = time.monotonic()
    assert server.ask("DELETE", "/api/admin/participant?source=prolific&external=carl", Cookie=cookie) == (
        200,
        {"plays": 1},
    )
    assert time.monotonic() - began < SOON_S
    assert server.ask("GET", "/api/admin/participant?source=prolific&external=carl", Cookie=cookie)[0] == 404


def test_a_server_that_is_told_to_stop_does_not_wait_for_an_agent_that_thinks(
    server: Server, cookie: str
) -> None:
    links = server.ask("POST", "/api/admin/projects/slow/plays", {}, Cookie=cookie)[1]
    speak(server, links["follower"])
    assert server.process is not None
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(SOON_S) in STOPPED
    assert "Traceback" not in (server.folder / "log").read_text()
