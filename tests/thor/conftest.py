"""Controllers in rooms that come with the package, and clients of our own for the server."""

from __future__ import annotations

import contextlib
import json
import os
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from housemates.thor import Controller

HEADER = struct.Struct("!BI")
SERVER = [sys.executable, "-m", "housemates.cli.main", "thor-server"]
SOURCE = Path(__file__).parents[2] / "src"


def server_environment(folder: Path, **more: str) -> dict[str, str]:
    """The variables of a process without store and display, whose `xdpyinfo` is content with that."""
    folder.mkdir(parents=True, exist_ok=True)
    stub = folder / "xdpyinfo"
    stub.write_text("#!/bin/sh\nexit 0\n")
    stub.chmod(0o755)
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("AI2THOR_", "HOUSEMATES_STORE"))
    }
    path = f"{folder}{os.pathsep}{kept.get('PATH', '')}"
    own = {
        "PATH": path,
        "PYTHONPATH": str(SOURCE),
        "XDG_DATA_HOME": str(folder),
        "HOME": str(folder),
        "DISPLAY": ":0",
    }
    cache = {"NUMBA_CACHE_DIR": kept["NUMBA_CACHE_DIR"]} if "NUMBA_CACHE_DIR" in kept else {}
    return {**kept, **own, **cache, **more}


class Pipes:
    """The client's end of the two named pipes, and the server that it has started."""

    def __init__(self, folder: Path) -> None:
        self.there, self.here = folder / "server.pipe", folder / "client.pipe"
        for pipe in (self.there, self.here):
            os.mkfifo(pipe)
        variables = server_environment(
            folder,
            AI2THOR_SERVER_TYPE="FIFO",
            AI2THOR_CLIENT_TOKEN="token",
            AI2THOR_FIFO_SERVER_PIPE_PATH=str(self.there),
            AI2THOR_FIFO_CLIENT_PIPE_PATH=str(self.here),
        )
        command = [*SERVER, "-screen-width", "300", "-screen-height", "300"]
        self.process = subprocess.Popen(command, env=variables, stderr=subprocess.PIPE, text=True)
        self.incoming = self.there.open("rb")
        self.first = self.read()
        self.outgoing = self.here.open("wb")

    def read(self) -> tuple[dict[str, Any], dict[int, list[bytes]]]:
        """One message: its metadata, and its pictures by their kind."""
        told: dict[str, Any] = {}
        pictures: dict[int, list[bytes]] = {}
        while True:
            kind, length = HEADER.unpack(self.incoming.read(HEADER.size))
            body = self.incoming.read(length)
            if kind == 255:
                return told, pictures
            if kind == 1:
                told = msgspec.msgpack.decode(body)
            else:
                pictures.setdefault(kind, []).append(body)

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""
        self.outgoing.write(data)
        self.outgoing.flush()

    def send(self, body: bytes) -> tuple[dict[str, Any], dict[int, list[bytes]]]:
        """Send the body of a message and read the answer."""
        self.write(HEADER.pack(2, len(body)) + body + HEADER.pack(255, 0))
        return self.read()

    def step(self, **action: Any) -> dict[str, Any]:
        """Do an action and return the agent's metadata."""
        return self.send(json.dumps(action).encode())[0]["agents"][0]

    def close(self) -> None:
        """Go away."""
        with contextlib.suppress(BrokenPipeError):
            self.outgoing.close()
        self.incoming.close()


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[Pipes]:
    """A server behind pipes, ended with the block at the latest."""
    pipes = Pipes(folder)
    try:
        yield pipes
    finally:
        pipes.close()
        pipes.process.kill()
        pipes.process.communicate()


@pytest.fixture(autouse=True)
def no_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Have no store of the user's own."""
    monkeypatch.delenv("HOUSEMATES_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.fixture
def kitchen() -> Controller:
    """A controller in a kitchen that draws segmented pictures."""
    return Controller(scene="FloorPlan3", renderInstanceSegmentation=True)


@pytest.fixture
def environment() -> Callable[..., dict[str, str]]:
    """Makes the variables of a process that is started, in a folder of its own."""
    return server_environment


@pytest.fixture
def command() -> list[str]:
    """What starts the server."""
    return list(SERVER)


@pytest.fixture
def served() -> Callable[[Path], AbstractContextManager[Pipes]]:
    """Starts a server behind pipes in a folder."""
    return serving
