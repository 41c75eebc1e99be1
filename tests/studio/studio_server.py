"""A studio as people have it: its own process, a database in a folder, browsers and sockets from outside."""

from __future__ import annotations

import atexit
import contextlib
import itertools
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from functools import cache
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

PASSWORD = {"HOUSEMATES_STUDIO_PASSWORD": "open, sesame"}
STOPPED = (0, -signal.SIGTERM, 128 + signal.SIGTERM)
"""What a server that was told to stop ends with."""
PATIENCE_S = 60.0
"""How long a machine with other work may take for anything."""


class Server:
    """A studio in a process."""

    def __init__(self, folder: Path, db: str = "", *words: str, env: dict[str, str] | None = None) -> None:
        self.folder, self.db = folder, db or f"sqlite:///{folder / 'studio.sqlite'}"
        self.port, self.words, self.env = free_port(), words, env or {}
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        """What starts it."""
        command = [sys.executable, "-m", "housemates.cli.main", "studio", "--port", str(self.port)]
        return [*command, "--db", self.db, *(self.words or ("--workers", "1"))]

    def start(self) -> Server:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command(), stdout=log, stderr=log, env={**os.environ, **self.env}
            )
        atexit.register(self.process.kill)  # a test that fails leaves no server behind
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            assert self.process.poll() is None, (self.folder / "log").read_text()
            with (
                contextlib.suppress(OSError, urllib.error.URLError),
                urllib.request.urlopen(f"{self.url}/health"),
            ):
                return self
            time.sleep(0.05)
        raise AssertionError("The studio does not start.")

    def stop(self, how: int = signal.SIGTERM) -> int:
        assert self.process is not None
        self.process.send_signal(how)
        return self.process.wait(60)

    def crash(self) -> None:
        """End it at once, and start it again."""
        self.stop(signal.SIGKILL)
        self.start()

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """The status and the JSON of an answer."""
        data = None if body is None else json.dumps(body).encode()
        given = {"Content-Type": "application/json", **{k.replace("_", "-"): v for k, v in headers.items()}}
        request = urllib.request.Request(f"{self.url}{path}", data, given, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            with contextlib.suppress(ValueError):
                return error.code, json.loads(text)
            return error.code, text

    def login(self, password: str) -> str:
        """The administrator's cookie."""
        data = json.dumps({"password": password}).encode()
        request = urllib.request.Request(
            f"{self.url}/api/admin/login", data, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return str(answer.headers["Set-Cookie"]).partition("admin=")[2].partition(";")[0]

    def download(self, path: str, **headers: str) -> bytes:
        """A file."""
        with urllib.request.urlopen(
            urllib.request.Request(self.url + path, headers=headers), timeout=PATIENCE_S
        ) as answer:
            found: bytes = answer.read()
            return found

    def demo(self, benchmark: str, role: str, seed: int = 0) -> Player:
        """Take a seat of the demo."""
        status, found = self.ask("POST", "/api/demo", {"benchmark": benchmark, "role": role, "seed": seed})
        assert status == 200, found
        return Player(self, found["seat"].removeprefix("/seat/"))


class Tuned(Server):
    """A studio with other settings and shares than it has by itself."""

    def __init__(self, folder: Path, settings: str = "", bounds: str = "", **shares: str) -> None:
        super().__init__(folder, env=PASSWORD)
        kinds = ", ".join(f"{kind!r}: {{**SHARES[{kind!r}], {told}}}" for kind, told in shares.items())
        self.settings = f"{settings} bounds=Bounds(shares={{**SHARES, {kinds}}}, {bounds})"

    def command(self) -> list[str]:
        code = (
            "import os; "
            "from housemates.studio.server import serve; "
            "from housemates.studio.settings import *; "
            "from housemates.studio.web.gate import hashed; "
            "known = hashed(os.environ['HOUSEMATES_STUDIO_PASSWORD']); "
        )
        told = f"{self.db!r}, port={self.port}, workers=1, password=known, {self.settings}"
        return [sys.executable, "-c", f"{code}serve(Settings({told}))"]


class Player:
    """Somebody in a seat, without a browser."""

    def __init__(self, server: Server, token: str) -> None:
        self.server, self.token = server, token
        self.numbers = itertools.count(1)
        self.state: dict[str, Any] = {}
        self.pictures: dict[str, bytes] = {}
        self.hello: dict[str, Any] = {}
        self.ended, self.success = "", False
        self.socket: ClientConnection | None = None

    def connect(self) -> Player:
        address = self.server.url.replace("http", "ws", 1)
        self.socket = connect(
            f"{address}/ws/seat/{self.token}", origin=self.server.url, max_size=None, legacy=True
        )
        self.wait_for("state")
        return self

    def hear(self, timeout: float = PATIENCE_S) -> dict[str, Any]:
        """The next message."""
        assert self.socket is not None
        data = self.socket.recv(timeout)
        if isinstance(data, bytes):
            length = int.from_bytes(data[:2], "big")
            header: dict[str, Any] = json.loads(data[2 : 2 + length])
            self.pictures[header["picture"]] = data[2 + length :]
            return {"type": "picture", **header}
        message: dict[str, Any] = json.loads(data)
        if message["type"] == "state":
            self.state = message["state"]
        if message["type"] == "hello":
            self.hello = message
        if message["type"] == "ended":
            self.ended, self.success = message["how"], message["success"]
        return message

    def wait_for(self, kind: str) -> dict[str, Any]:
        while True:
            message = self.hear()
            if message["type"] == kind:
                return message

    def act(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Do something; what the server says when it is on disk, or that it is refused."""
        return self.say({"type": "act", "act": {"name": name, "arguments": arguments}})

    def say(self, message: dict[str, Any]) -> dict[str, Any]:
        assert self.socket is not None
        number = next(self.numbers)
        self.socket.send(json.dumps({**message, "id": number}))
        while True:
            answer = self.hear()
            if answer.get("id") == number:
                return answer

    def close(self) -> None:
        if self.socket is not None:
            self.socket.close()


@cache
def logged_in(server: Server) -> str:
    """The cookie of the administrator, as long as the server runs."""
    body = json.dumps({"password": PASSWORD["HOUSEMATES_STUDIO_PASSWORD"]}).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{server.url}/api/admin/login", body, headers, method="POST")
    with urllib.request.urlopen(request) as answer:
        kept = str(answer.headers["set-cookie"])
    assert "HttpOnly" in kept
    assert "SameSite=strict" in kept
    return kept.split(";")[0]


def seats_of(server: Server, cookie: str, project: str, size: str = "100") -> dict[str, str]:
    """A new project of TEACh with one play: role -> token of the seat."""
    return seats_in(
        server, cookie, project, "teach-tatc", tasks=["Coffee"], options={"rooms": "seen", "size": size}
    )


def seats_in(server: Server, cookie: str, project: str, benchmark: str, **more: Any) -> dict[str, str]:
    """A new project with one play: role -> token of the seat."""
    asked = {"id": project, "title": project, "benchmark": benchmark, **more}
    status, said = server.ask("POST", "/api/admin/projects", asked, Cookie=cookie)
    assert status == 200, said
    status, links = server.ask("POST", f"/api/admin/projects/{project}/plays", {}, Cookie=cookie)
    assert status == 200, links
    return {role: link.removeprefix("/seat/") for role, link in links.items()}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
