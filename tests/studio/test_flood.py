"""A studio that cannot be frozen: floods, hung agents and full houses stay where they are."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from studio_server import PASSWORD, STOPPED, Player, Server, Tuned, logged_in, seats_of
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from housemates.errors import HousematesError
from housemates.guard.shares import Busy
from housemates.studio.settings import Bounds, Settings
from housemates.studio.worlds.pool import Pool, TooSlow
from housemates.studio.worlds.worker import WorkerLost

pytestmark = pytest.mark.slow
OTHER = "127.0.0.2"
SEAT = {"benchmark": "handmethat", "role": "robot"}


def asked(
    server: Server, method: str, path: str, body: Any = None, source: str = OTHER
) -> tuple[int, Any, dict[str, str]]:
    """What another address is answered: status, JSON, headers."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60, source_address=(source, 0))
    with contextlib.closing(connection):
        data = None if body is None else json.dumps(body)
        connection.request(method, path, data, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        headers = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, json.loads(text or b"null"), headers


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A studio whose demo is small, and that soon forgets what is over."""
    made = Tuned(
        tmp_path_factory.mktemp("small"),
        bounds="lingering_s=1.0",
        demo="'sessions': 2",
        visitor="'connections': 3, 'starts': Flow(0.01, 12)",
        address="'requests': Flow(4, 60)",
    )
    yield made.start()
    made.stop()


def test_one_address_that_floods_the_demo_is_bounded_and_a_study_does_not_wait(small: Server) -> None:
    cookie = logged_in(small)
    answers: list[tuple[int, Any, dict[str, str]]] = []

    def flood() -> None:
        for number in range(12):
            answers.append(asked(small, "POST", "/api/demo", {**SEAT, "seed": number}))

    flooding = [threading.Thread(target=flood) for _ in range(4)]
    for each in flooding:
        each.start()
    seats = seats_of(small, cookie, "quiet")
    began = time.monotonic()
    player = Player(small, seats["follower"]).connect()
    joined_s = time.monotonic() - began
    for each in flooding:
        each.join()
    player.close()
    statuses = Counter(status for status, _, _ in answers)
    assert statuses[200] <= 12
    assert set(statuses) <= {200, 429, 503}
    assert statuses[429] + statuses[503] >= 36
    assert all("retry-after" in headers for status, _, headers in answers if status != 200)
    assert joined_s < 10


def test_a_full_demo_takes_no_place_of_a_study_and_makes_room_when_somebody_leaves(small: Server) -> None:
    found = [small.demo("handmethat", "robot", number) for number in range(3)]
    first, second = found[0].connect(), found[1].connect()
    with pytest.raises(ConnectionClosed):
        found[2].connect()
    seats = seats_of(small, logged_in(small), "beside")
    study = Player(small, seats["follower"]).connect()
    second.close()
    time.sleep(0.3)
    third = Player(small, found[2].token).connect()
    for each in (first, study, third):
        each.close()


def test_a_play_that_is_over_leaves_its_place_though_somebody_looks_at_it(small: Server) -> None:
    player = small.demo("handmethat", "robot", 9).connect()
    assert player.act("Stop")["type"] == "done"
    with pytest.raises(ConnectionClosed) as closed:
        while True:
            player.hear(20)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4005
    token = player.token
    assert small.ask("GET", f"/api/seat/{token}/survey")[1]["over"] is True
    live = small.ask("GET", "/api/admin/live", Cookie=logged_in(small))[1]
    assert live["over"][0]["how"] == "done"
    assert live["over"][0]["play"] not in {each["play"] for each in live["going_on"]}


def test_connections_count_in_the_rate_and_have_a_share(small: Server) -> None:
    token = small.demo("handmethat", "robot", 10).token
    address = f"{small.url.replace('http', 'ws', 1)}/ws/seat/{token}"
    statuses, codes = Counter[int](), Counter[int]()
    with contextlib.ExitStack() as stack:
        for _ in range(90):
            try:
                made = connect(address, origin=small.url, source_address=(OTHER, 0), legacy=True)
                stack.enter_context(made)
            except InvalidStatus as refused:
                statuses[refused.response.status_code] += 1
                assert "Retry-After" in refused.response.headers
            except ConnectionClosed:
                codes[0] += 1
    assert set(statuses) == {429}


def test_a_seat_that_sends_too_much_is_closed(tmp_path: Path) -> None:
    server = Tuned(tmp_path, seat="'messages': Flow(1, 30)").start()
    player = server.demo("handmethat", "robot").connect()
    assert player.socket is not None
    with pytest.raises(ConnectionClosed) as closed:
        for _ in range(100):
            player.socket.send('{"type": "ping"}')
        while True:
            player.hear(20)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008
    with pytest.raises(ConnectionClosed):
        Player(server, player.token).connect().act("Fly")
    server.stop()


HUNG = """
import time


class Hung:
    def reset(self, brief):
        pass

    def act(self, percept):
        time.sleep(600)
"""


def test_a_hung_agent_is_dismissed_the_partner_is_told_and_other_rooms_are_looked_after(
    tmp_path: Path,
) -> None:
    agent = tmp_path / "hung.py"
    agent.write_text(HUNG)
    settings = f"agents=({f'{agent}:Hung'!r},), step_s=15.0,"
    server = Tuned(tmp_path, settings, bounds="idle_s=6.0").start()
    cookie = logged_in(server)
    asked = {
        "id": "hung",
        "title": "Hung",
        "benchmark": "teach-tatc",
        "options": {"rooms": "seen", "size": "100"},
        "seats": {"commander": f"{agent}:Hung"},
    }
    assert server.ask("POST", "/api/admin/projects", asked, Cookie=cookie)[0] == 200
    link = server.ask("POST", "/api/admin/projects/hung/plays", {}, Cookie=cookie)[1]["follower"]
    partner = Player(server, link.removeprefix("/seat/")).connect()
    assert partner.act("Say", text="Are you there?")["type"] == "done"
    other = server.demo("handmethat", "robot").connect()
    assert other.wait_for("ended")["how"] == "idle"
    with pytest.raises(TimeoutError):
        while partner.hear(0.2)["type"] != "ended":
            pass
    assert "15 seconds" in partner.wait_for("notice")["message"]
    assert partner.wait_for("ended")["how"] == "error"
    partner.close()
    again = Player(server, partner.token).connect()
    assert again.hello["over"] == "error"
    assert server.process is not None
    server.stop()
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_a_process_that_stands_still_blocks_nobody_and_what_waits_for_it_is_bounded() -> None:
    async def tried() -> tuple[float, Counter[str]]:
        pool = Pool(Settings("", workers=1, step_s=1.0, bounds=Bounds(calls=50)))
        try:
            assert await pool.call("memory", "a") > 0
            (process,) = pool.pids()
            os.kill(process, signal.SIGSTOP)
            longest, before = 0.0, time.monotonic()
            waiting = [asyncio.create_task(pool.call("pointed", "a", "x" * 100_000)) for _ in range(80)]
            while not all(each.done() for each in waiting):
                await asyncio.sleep(0.01)
                now = time.monotonic()
                longest, before = max(longest, now - before), now
            ends = await asyncio.gather(*waiting, return_exceptions=True)
            assert await pool.call("memory", "a") > 0
            return longest, Counter(type(each).__name__ for each in ends)
        finally:
            pool.close()

    with ThreadPoolExecutor(1) as thread:  # Playwright may have an event loop in this one
        longest_s, ends = thread.submit(asyncio.run, asyncio.wait_for(tried(), 60)).result()
    assert longest_s < 0.5
    assert ends == {Busy.__name__: 30, TooSlow.__name__: 1, WorkerLost.__name__: 49}


def test_two_studios_share_a_port_only_if_they_share_the_database(tmp_path: Path) -> None:
    first = Server(tmp_path, env=PASSWORD).start()
    other = Server(tmp_path, f"sqlite:///{tmp_path / 'other.sqlite'}")
    other.port = first.port
    run = subprocess.run(
        other.command(), capture_output=True, text=True, timeout=60, env={**os.environ, **PASSWORD}
    )
    assert (run.returncode, run.stderr.count("\n")) == (2, 1)
    assert "another database" in run.stderr
    assert {first.ask("GET", "/health")[0] for _ in range(20)} == {200}
    second = Server(tmp_path, env=PASSWORD)
    second.port = first.port
    second.start()
    while (tmp_path / "log").read_text().count("The studio is at") < 2:
        time.sleep(0.1)
    assert first.stop() in STOPPED
    assert {second.ask("GET", "/health")[0] for _ in range(20)} == {200}
    second.stop()


def test_a_port_of_somebody_else_is_one_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=UNBUFFERED) as web:
        assert web.stdout is not None
        port = int(web.stdout.readline().split()[5])
        server = Server(tmp_path)
        server.port = port
        run = subprocess.run(
            server.command(), capture_output=True, text=True, timeout=60, env={**os.environ, **PASSWORD}
        )
        web.terminate()
    assert run.returncode == 2
    assert "cannot be listened at" in run.stderr


UNBUFFERED = {**os.environ, "PYTHONUNBUFFERED": "1"}


def test_nobody_elses_code_runs_though_the_database_says_so(tmp_path: Path) -> None:
    agent = tmp_path / "mine.py"
    agent.write_text(f"from pathlib import Path\nPath({str(tmp_path / 'ran')!r}).touch()\n{HUNG}")
    server = Tuned(tmp_path, f"agents=({f'{agent}:Hung'!r},),").start()
    cookie = logged_in(server)
    project = {
        "id": "mine",
        "title": "Mine",
        "benchmark": "teach-tatc",
        "seats": {"commander": f"{agent}:Hung"},
    }
    assert server.ask("POST", "/api/admin/projects", project, Cookie=cookie)[0] == 200
    link = server.ask("POST", "/api/admin/projects/mine/plays", {}, Cookie=cookie)[1]["follower"]
    server.stop()
    without = Tuned(tmp_path).start()
    with pytest.raises((ConnectionClosed, HousematesError)):
        Player(without, link.removeprefix("/seat/")).connect()
    assert not (tmp_path / "ran").exists()
    without.stop()
