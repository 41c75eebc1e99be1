"""The server that AI2-THOR's own clients start: its protocols, mistakes, and how it ends."""

from __future__ import annotations

import contextlib
import http.server
import io
import json
import shlex
import struct
import subprocess
import threading
from pathlib import Path
from typing import Any, ClassVar

import pytest

from housemates.errors import HousematesError
from housemates.thor.fifo import receive
from housemates.thor.server import client_of

GONE_S = 2.0


def test_pictures_and_metadata_come_through_the_pipes(tmp_path: Path, served: Any) -> None:
    with served(tmp_path) as client:
        told, pictures = client.first
        assert told["sequenceId"] == 0
        assert len(pictures[4][0]) == 300 * 300 * 3
        client.step(action="Reset", sceneName="FloorPlan3_physics", sequenceId=0)
        begun = client.step(
            action="Initialize", renderInstanceSegmentation=True, renderDepth=True, sequenceId=1
        )
        assert begun["actionReturn"]["cameraFarPlane"] == 20.0
        told, pictures = client.send(b'{"action": "RotateRight", "sequenceId": 2}')
        assert told["sequenceId"] == 2
        assert {kind: len(bodies) for kind, bodies in pictures.items()} == {4: 1, 5: 1, 9: 1}
        wrong = client.step(action="Fly", sequenceId=3)
        assert wrong["errorCode"] == "InvalidAction"
        assert client.send(b"{half a mess")[0]["agents"][0]["errorCode"] == "InvalidAction"
        assert client.send(b"[1, 2]")[0]["agents"][0]["errorCode"] == "InvalidAction"
        assert client.step(action="MoveAhead", moveMagnitude=float("nan"))["errorCode"] == "InvalidArgument"
        assert client.step(action="Pass", sequenceId=9)["lastActionSuccess"]
        client.close()
        assert client.process.wait(GONE_S) == 0


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (struct.pack("!BI", 2, 4000) + b"{", 0),
        (struct.pack("!BI", 77, 3) + b"abc", 2),
    ],
    ids=["half a body", "a field of another version"],
)
def test_a_broken_message_ends_the_server_cleanly(
    tmp_path: Path, served: Any, data: bytes, code: int
) -> None:
    with served(tmp_path) as client:
        client.write(data)
        client.close()
        assert client.process.wait(GONE_S) == code
        assert client.process.stderr is not None
        assert "Traceback" not in client.process.stderr.read()


def test_messages_are_read_whole_or_not_at_all() -> None:
    whole = struct.pack("!BI", 2, 2) + b"{}" + struct.pack("!BI", 255, 0)
    assert receive(io.BytesIO(whole)) == b"{}"
    for length in range(len(whole)):
        assert receive(io.BytesIO(whole[:length])) is None
    with pytest.raises(HousematesError, match="bytes"):
        receive(io.BytesIO(struct.pack("!BI", 2, 2**32 - 1)))


def test_the_server_goes_when_who_started_it_goes_without_a_word(
    tmp_path: Path, environment: Any, command: Any
) -> None:
    variables = environment(
        tmp_path,
        AI2THOR_SERVER_TYPE="FIFO",
        AI2THOR_FIFO_SERVER_PIPE_PATH=str(tmp_path / "a"),
        AI2THOR_FIFO_CLIENT_PIPE_PATH=str(tmp_path / "b"),
    )
    begin = f"mkfifo {tmp_path}/a {tmp_path}/b; {shlex.join(command)} &"
    started = f"{begin} cat {tmp_path}/a | head -c 5 > /dev/null; kill -9 $$"
    parent = subprocess.Popen(
        ["bash", "-c", started], env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert parent.stdout is not None
    closed = threading.Event()
    threading.Thread(target=lambda: (parent.stdout.read(), closed.set()), daemon=True).start()
    parent.wait(60)
    assert closed.wait(GONE_S), "its output is still open, so it is still there"


class Client(http.server.BaseHTTPRequestHandler):
    """Version 2's web server: takes answers and replies with the next action."""

    protocol_version = "HTTP/1.1"
    actions: ClassVar[list[dict[str, Any]]] = []
    bodies: ClassVar[list[bytes]] = []

    def do_POST(self) -> None:
        self.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
        text = json.dumps(self.actions.pop(0)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: Any) -> None:
        pass


def test_version_2_is_posted_to_and_says_the_end(tmp_path: Path, environment: Any, command: Any) -> None:
    Client.actions = [
        {"action": "Reset", "sceneName": "FloorPlan3_physics", "sequenceId": 0},
        {"action": "Pass"},
        {},
    ]
    Client.bodies = []
    with http.server.HTTPServer(("127.0.0.1", 0), Client) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        variables = environment(
            tmp_path,
            AI2THOR_CLIENT_TOKEN="secret",
            AI2THOR_HOST="127.0.0.1",
            AI2THOR_PORT=str(server.server_port),
        )
        run = subprocess.run(
            [*command, "-screen-quality", "3"], env=variables, capture_output=True, timeout=60
        )
        server.shutdown()
    assert run.returncode == 0
    assert len(Client.bodies) == 3
    assert all(body.startswith(b"\r\n--") and b"secret" in body for body in Client.bodies)
    assert b'name="image"; filename=' in Client.bodies[0]


class Chatty(Client):
    """One that answers without end."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", str(1 << 40))
        self.end_headers()
        with contextlib.suppress(OSError):
            while True:
                self.wfile.write(b" " * (1 << 20))


def test_an_answer_without_end_is_one_sentence(tmp_path: Path, environment: Any, command: Any) -> None:
    with http.server.HTTPServer(("127.0.0.1", 0), Chatty) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        told = {"CLIENT_TOKEN": "secret", "HOST": "127.0.0.1", "PORT": str(server.server_port)}
        variables = environment(tmp_path, **{f"AI2THOR_{name}": value for name, value in told.items()})
        run = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=60)
        server.shutdown()
    assert run.returncode == 2
    assert run.stderr.strip().splitlines()[-1].startswith("The client answered with more than")


def test_a_server_that_no_client_started_says_so(tmp_path: Path, environment: Any, command: Any) -> None:
    run = subprocess.run(command, env=environment(tmp_path), capture_output=True, text=True, timeout=60)
    assert run.returncode == 2
    assert run.stderr.strip().splitlines()[-1].startswith("AI2THOR_CLIENT_TOKEN is not set")


def test_sizes_are_read_from_unitys_command_line() -> None:
    words = [
        "-screen-fullscreen",
        "0",
        "-screen-quality",
        "7",
        "-screen-width",
        "640",
        "-screen-height",
        "480",
    ]
    client = client_of(words, {"AI2THOR_SERVER_TYPE": "FIFO"})
    assert (client.settings.width, client.settings.height, client.old) == (640, 480, False)
    with pytest.raises(HousematesError, match="-screen-width"):
        client_of(["-screen-width", "wide"], {})


def test_the_launcher_is_one_file_that_starts_the_server(
    tmp_path: Path, environment: Any, command: Any
) -> None:
    path = tmp_path / "releases" / "thor" / "thor"
    subprocess.run([*command, "--launcher", str(path)], env=environment(tmp_path), check=True, timeout=60)
    run = subprocess.run(
        [str(path), "--help"], env=environment(tmp_path), capture_output=True, text=True, timeout=60
    )
    assert "thor-server" in run.stdout
