"""Stopping a studio: nobody waits for an agent that thinks."""

from __future__ import annotations

import signal
import time
from pathlib import Path

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


def test_a_server_that_is_told_to_stop_does_not_wait_for_an_agent_that_thinks(tmp_path: Path) -> None:
    agent = tmp_path / "slow.py"
    agent.write_text(SLOW)
    name = f"{agent}:Slow"
    server = Server(tmp_path, "", "--workers", "1", "--agents", name, env=PASSWORD).start()
    cookie = logged_in(server)
    asked = {
        "id": "slow",
        "title": "Slow",
        "benchmark": "teach-tatc",
        "options": {"rooms": "seen", "size": "100"},
        "seats": {"commander": name},
    }
    assert server.ask("POST", "/api/admin/projects", asked, Cookie=cookie)[0] == 200
    links = server.ask("POST", "/api/admin/projects/slow/plays", {}, Cookie=cookie)[1]
    player = Player(server, links["follower"].removeprefix("/seat/")).connect()
    assert player.act("Say", text="Are you there?")["type"] == "done"
    time.sleep(1.0)
    assert server.process is not None
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(SOON_S) in STOPPED
    assert "Traceback" not in (tmp_path / "log").read_text()
