"""Steps of AI2-THOR's client with picture and instance segmentation at 300x300, per CPU-second.

python perf/thor.py --json
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import numpy as np
import tyro

from housemates.thor import Controller
from housemates.thor.fifo import ACTION, END, HEADER, METADATA, PICTURES, field

MOVES = (
    "MoveAhead",
    "RotateRight",
    "MoveAhead",
    "RotateLeft",
    "LookDown",
    "MoveBack",
    "LookUp",
    "RotateRight",
)
SIDE_PX = 300


@dataclass
class Thor:
    """Measure the drop-in for AI2-THOR on one core."""

    scene: str = "FloorPlan3"
    """Which scene."""
    steps: int = 1500
    """How many steps each way."""
    json: bool = False
    """Print one line of JSON."""

    def run(self) -> None:
        """Measure and print."""
        found = {
            "scene": self.scene,
            "in_process_per_cpu_s": round(in_process(self.scene, self.steps)),
            "in_process_with_metadata_per_cpu_s": round(in_process(self.scene, self.steps, told=True)),
            "fifo_per_cpu_s": round(through_pipes(self.scene, self.steps)),
            "ai2thor_per_s": [13, 22],
        }
        print(
            json.dumps(found) if self.json else "\n".join(f"{key}: {value}" for key, value in found.items())
        )


def in_process(scene: str, steps: int, told: bool = False) -> float:
    """Steps with both pictures, and with the metadata too if they are read."""
    controller = Controller(scene=scene, renderInstanceSegmentation=True, width=SIDE_PX, height=SIDE_PX)

    def step(number: int) -> None:
        event = controller.step(MOVES[number % len(MOVES)])
        assert event.frame.shape == event.instance_segmentation_frame.shape == (SIDE_PX, SIDE_PX, 3)
        assert not told or event.metadata["objects"]

    for number in range(len(MOVES)):
        step(number)
    start = time.process_time()
    for number in range(steps):
        step(number)
    return steps / (time.process_time() - start)


def through_pipes(scene: str, steps: int) -> float:
    """Steps of a server behind pipes; the CPU time of both sides counts."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (process, incoming, outgoing):
        for begin in (
            {"action": "Reset", "sceneName": f"{scene}_physics"},
            {"action": "Initialize", "renderInstanceSegmentation": True},
            *({"action": move} for move in MOVES),
        ):
            ask(incoming, outgoing, begin)
        start = time.process_time() + cpu_s(process.pid)
        for number in range(steps):
            ask(incoming, outgoing, {"action": MOVES[number % len(MOVES)]})
        return steps / (time.process_time() + cpu_s(process.pid) - start)


def cpu_s(pid: int) -> float:
    """The CPU time that a process has taken."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], BinaryIO, BinaryIO]]:
    """A server behind two pipes in a folder."""
    there, here = folder / "server", folder / "client"
    for pipe in (there, here):
        os.mkfifo(pipe)
    variables = {
        **os.environ,
        "AI2THOR_SERVER_TYPE": "FIFO",
        "AI2THOR_FIFO_SERVER_PIPE_PATH": str(there),
        "AI2THOR_FIFO_CLIENT_PIPE_PATH": str(here),
    }
    command = [sys.executable, "-m", "housemates.cli.main", "thor-server", "-screen-width", str(SIDE_PX)]
    process = subprocess.Popen([*command, "-screen-height", str(SIDE_PX)], env=variables)
    with there.open("rb") as incoming:
        read(incoming)
        with here.open("wb") as outgoing:
            yield process, incoming, outgoing
    process.wait(5)


def ask(incoming: BinaryIO, outgoing: BinaryIO, action: dict[str, Any]) -> None:
    """Send an action, and take pictures and metadata from the answer as the published client does."""
    outgoing.write(field(ACTION, json.dumps(action).encode()) + field(END, b""))
    outgoing.flush()
    found = read(incoming)
    assert msgspec.msgpack.decode(found[METADATA])["agents"]
    if len(found) > 2:
        for kind in ("rgb", "instances"):
            np.frombuffer(found[PICTURES[kind]], np.uint8).reshape(SIDE_PX, SIDE_PX, 3)[::-1]


def read(incoming: BinaryIO) -> dict[int, bytes]:
    """The fields of one message."""
    found: dict[int, bytes] = {}
    while True:
        kind, length = HEADER.unpack(incoming.read(HEADER.size))
        if kind == END:
            return found
        found[kind] = incoming.read(length)


if __name__ == "__main__":
    tyro.cli(Thor).run()
