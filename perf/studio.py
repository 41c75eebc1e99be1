"""The studio under load: pairs in TEACh, each person acts once a second; from the act to the frame of it.

`python perf/studio.py --json` prints one JSON object: for SQLite and, where it is installed, PostgreSQL the
errors, the times from an act to its frame in milliseconds, the memory of a pair, and the CPU time of an act.
`python perf/studio.py --attack --json` measures 20 pairs of a study while one address floods the studio:
besides, how long people took to join, how many cores the studio kept busy, and what came of the flood.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from _pytest.outcomes import Skipped
from websockets.asyncio.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "studio"))
from postgres import Postgres
from studio_server import PASSWORD, Server, logged_in

MOVES = ("TurnLeft", "TurnRight", "Forward", "Backward", "LookUp", "LookDown", "PanLeft", "PanRight")
OPTIONS = {"rooms": "seen", "size": "300"}
EVERY_S = 1.0


@dataclass
class Measured:
    """What was seen of all pairs."""

    frames_ms: list[float] = field(default_factory=list)
    errors: int = 0
    acts: int = 0
    bytes: int = 0


class Person:
    """Somebody in a seat who notes when what they did is to be seen."""

    def __init__(self, socket: ClientConnection, measured: Measured) -> None:
        self.socket, self.measured = socket, measured
        self.number = 0
        self.shown = asyncio.Event()
        self.refused = False
        self.listener = asyncio.create_task(self._listen())

    async def act(self, name: str, **arguments: Any) -> None:
        """Act, and wait until the state with its frames has come."""
        self.number += 1
        self.shown.clear()
        start = time.perf_counter()
        act = {"name": name, "arguments": arguments}
        await self.socket.send(json.dumps({"type": "act", "id": self.number, "act": act}))
        await asyncio.wait_for(self.shown.wait(), 30)
        self.measured.frames_ms.append(1000 * (time.perf_counter() - start))
        self.measured.acts += 1

    async def _listen(self) -> None:
        async for data in self.socket:
            self.measured.bytes += len(data)
            if isinstance(data, bytes):
                continue
            kind = json.loads(data)["type"]
            if kind == "done" or (kind == "state" and not self.number):
                self.shown.set()
            elif kind in ("refused", "error"):
                self.measured.errors += 1
                self.shown.set()


async def seated(server: Server, links: dict[str, str], measured: Measured) -> list[Person]:
    """Two people who have sat down and see the home."""
    address = server.url.replace("http", "ws", 1)
    people = []
    for link in links.values():
        path = link.replace("/seat/", "/ws/seat/")
        people.append(Person(await connect(f"{address}{path}", origin=server.url, max_size=None), measured))
        await people[-1].shown.wait()
    return people


async def acting(who: Person, measured: Measured, seconds: float, seed: int) -> None:
    """Somebody who acts once a second, whatever the other does."""
    rng = random.Random(seed)
    await asyncio.sleep(rng.random() * EVERY_S)
    until = time.monotonic() + seconds
    due = time.monotonic()
    while time.monotonic() < until:
        try:
            if rng.random() < 0.1:
                await who.act("Say", text="What should I do next?")
            else:
                await who.act(rng.choice(MOVES))
        except (TimeoutError, OSError) as error:
            measured.errors += 1
            print(f"{type(error).__name__} {error}", file=sys.stderr)
        due += EVERY_S
        await asyncio.sleep(max(0.0, due - time.monotonic()))
    who.listener.cancel()
    await who.socket.close()


def make_pairs(server: Server, count: int) -> list[dict[str, str]]:
    """New plays of a project; for each the links of its seats."""
    cookie = logged_in(server)
    project = {"id": "load", "title": "Load", "benchmark": "teach-tatc", "options": OPTIONS}
    server.ask("POST", "/api/admin/projects", project, Cookie=cookie)
    return [server.ask("POST", "/api/admin/projects/load/plays", {}, Cookie=cookie)[1] for _ in range(count)]


def family(root: int) -> list[int]:
    """The ids of a process and of all that it started."""
    found = [root]
    for task in Path(f"/proc/{root}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += family(int(child))
    return found


def memory(root: int) -> int:
    """Bytes that a process and those it started share or have for themselves."""
    lines = "".join(Path(f"/proc/{each}/smaps_rollup").read_text() for each in family(root)).splitlines()
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def cpu_seconds(root: int) -> float:
    """CPU time of a process and of those it started."""
    spent = 0.0
    for each in family(root):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        spent += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return spent


async def _played(
    server: Server, links: list[dict[str, str]], measured: Measured, seconds: float
) -> tuple[int, float]:
    """Let all pairs play; the memory at the end, and the CPU time that it took."""
    assert server.process is not None
    people = [await seated(server, each, measured) for each in links]
    spent, measured.bytes = cpu_seconds(server.process.pid), 0
    everybody = [person for pair in people for person in pair]
    runs = [acting(each, measured, seconds, number) for number, each in enumerate(everybody)]
    playing = asyncio.gather(*runs)
    await asyncio.sleep(0.9 * seconds)
    held = memory(server.process.pid)
    await playing
    return held, cpu_seconds(server.process.pid) - spent


def measure(db: str, folder: Path, pairs: int, seconds: float) -> dict[str, Any]:
    """One run against a studio with a database."""
    folder.mkdir(exist_ok=True)
    server = Server(folder, db, "--workers", "2", env=PASSWORD).start()
    assert server.process is not None
    measured = Measured()
    try:
        links = make_pairs(server, pairs)
        before = memory(server.process.pid)
        held, used = asyncio.run(_played(server, links, measured, seconds))
    finally:
        server.stop()
    return {
        "acts": measured.acts,
        "errors": measured.errors,
        "frame_ms": shares(measured.frames_ms),
        "memory_per_pair_mb": round((held - before) / pairs / 2**20, 1),
        "memory_mb": round(held / 2**20),
        "cpu_ms_per_act": round(1000 * used / max(measured.acts, 1), 1),
        "kilobytes_per_act": round(measured.bytes / max(measured.acts, 1) / 1000, 1),
    }


def attack(folder: Path, pairs: int, seconds: float) -> dict[str, Any]:
    """Pairs of a study who join and play while another address floods the studio."""
    server = Server(folder, "", "--workers", "2", env=PASSWORD).start()
    measured = Measured()
    try:
        links = make_pairs(server, pairs)
        words = [sys.executable, str(Path(__file__).with_name("flooding.py")), str(server.port)]
        with subprocess.Popen([*words, str(seconds)], stdout=subprocess.PIPE) as flooding:
            time.sleep(FLOODED_S)
            joins, held, used = asyncio.run(_attacked(server, links, measured, seconds - 2 * FLOODED_S))
            found, _ = flooding.communicate(timeout=120)
        live = server.ask("GET", "/api/admin/live", Cookie=logged_in(server))[1]
    finally:
        server.stop()
    going_on = [each for each in live["going_on"] if each["project"] == "Load"]
    lost = pairs - len(going_on)
    return {
        "acts": measured.acts,
        "errors": measured.errors,
        "sessions_lost": lost,
        "frame_ms": shares(measured.frames_ms),
        "join_s": {
            "p95": round(sorted(joins)[int(0.95 * (len(joins) - 1))], 2),
            "longest": round(max(joins), 2),
        },
        "memory_mb": round(held / 2**20),
        "cores": round(used / (seconds - 2 * FLOODED_S), 2),
        "flood": json.loads(found),
    }


async def _attacked(
    server: Server, links: list[dict[str, str]], measured: Measured, seconds: float
) -> tuple[list[float], int, float]:
    """Let all pairs join, one after another, and play; how long each join took, and what the studio used.

    That is its memory at the end, and its CPU time.
    """
    assert server.process is not None
    spent = cpu_seconds(server.process.pid)
    until, joins, people = time.monotonic() + seconds, [], []
    for pair in links:
        for role, link in pair.items():
            began = time.perf_counter()
            people += await seated(server, {role: link}, measured)
            joins.append(time.perf_counter() - began)
    left = until - time.monotonic()
    await asyncio.gather(*(acting(who, measured, left, number) for number, who in enumerate(people)))
    return joins, memory(server.process.pid), cpu_seconds(server.process.pid) - spent


def shares(times: list[float]) -> dict[str, float]:
    """The median of some times, their 95th and 99th percentiles, and the longest."""
    times = sorted(times)
    return {name: round(times[int(share * (len(times) - 1))], 1) for name, share in SHARES.items()}


FLOODED_S = 3.0
"""How long the flood is alone before and after."""
SHARES = {"median": 0.5, "p95": 0.95, "p99": 0.99, "longest": 1.0}


def main() -> None:
    """Measure with each database that is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--attack", action="store_true", help="while one address floods the studio")
    parser.add_argument("--pairs", type=int, help="40 by default, under attack 20")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--databases", default="sqlite,postgresql")
    given = parser.parse_args()
    given.pairs = given.pairs or (20 if given.attack else 40)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard) if hard > 0 else soft, hard))
    found: dict[str, Any] = {"pairs": given.pairs, "seconds": given.seconds, "load": os.getloadavg()[0]}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if given.attack:
            print(json.dumps({**found, **attack(folder, given.pairs, given.seconds)}))
            return
        for database in given.databases.split(","):
            try:
                postgres = Postgres().start() if database == "postgresql" else None
            except Skipped as why:
                found[database] = {"skipped": str(why)}
                continue
            try:
                url = postgres.url if postgres else ""
                found[database] = measure(url, folder / database, given.pairs, given.seconds)
            finally:
                if postgres is not None:
                    postgres.stop()
            if not given.json:
                print(database, found[database])
    if given.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
