"""`python tests/fuzz/killing.py TIMES`: end commands, or their workers, at random moments, and go on after.

What a command that was ended and run again leaves behind must be, byte for byte and timings apart, what it
leaves behind undisturbed; no process may be left two seconds after the end.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from making import teach_games, words

FEW, MANY = 12, 110
"""Games that are played, and games that are only read: more than one part of a store."""
TIMINGS = {"seconds", "cpu_s"}
"""Fields that differ from run to run."""
LEFT_S = 2.0
"""How long processes may live on."""
OUT = "out"

COMMANDS = {
    "eval": f"eval teach-tfd --split recorded --option data=few --agents random --workers 2 --out {OUT}",
    "generate": f"generate teach --tasks Coffee --episodes 5 --seed 3 --workers 2 --out {OUT}",
    "import": f"import teach many --store {OUT}",
    "replay": f"replay teach few --store store --workers 2 --render --out {OUT}/replay.jsonl",
    "export": f"export teach --store store --out {OUT}",
}
"""Commands that take a while, run in a folder that has `few` and `many` games and a `store`."""
HOW = {
    "kill -9": (signal.SIGKILL, False),
    "SIGTERM": (signal.SIGTERM, False),
    "kill -9 of a worker": (signal.SIGKILL, True),
    "SIGTERM of a worker": (signal.SIGTERM, True),
}


def prepare(folder: Path) -> None:
    """Make games and a store in a folder."""
    teach_games(folder / "example")
    fields = json.loads((folder / "example" / "bare.game.json").read_text(encoding="utf-8"))
    for name, count in (("few", FEW), ("many", MANY)):
        (folder / name).mkdir()
        for number in range(count):
            game = json.dumps({**fields, "game_id": f"game-{number:03}"})
            (folder / name / f"game-{number:03}.game.json").write_text(game, encoding="utf-8")
    shutil.rmtree(folder / "example")
    assert run("import teach many --store store", folder).wait() == 0


def run(line: str, folder: Path) -> subprocess.Popen[bytes]:
    """Start a command in a session of its own."""
    command = [sys.executable, "-m", "housemates.cli.main", *words(line)]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=folder, stdout=quiet, stderr=quiet, start_new_session=True)


def kept(folder: Path) -> dict[str, Any]:
    """All that a command has left, timings apart."""
    return {
        path.relative_to(folder).as_posix(): _content(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _content(path: Path) -> Any:
    if path.suffix not in (".json", ".jsonl"):
        return path.read_bytes()
    lines = path.read_bytes().split(b"\n") if path.suffix == ".jsonl" else [path.read_bytes()]
    return [_untimed(json.loads(line)) if line.strip() else line for line in lines]


def _untimed(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _untimed(each) for name, each in value.items() if name not in TIMINGS}
    return [_untimed(each) for each in value] if isinstance(value, list) else value


def members(session: int) -> Iterator[int]:
    """The processes of a session that are alive."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            stat = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(stat[3]) == session and stat[0] not in "ZX":
            yield int(entry.name)


@cache
def undisturbed(line: str, folder: Path) -> tuple[dict[str, Any], float]:
    """What a command leaves, and how long it takes."""
    start = time.monotonic()
    assert run(line, folder).wait() == 0, line
    taken = time.monotonic() - start
    return taken_away(folder / OUT), taken


def taken_away(out: Path) -> dict[str, Any]:
    """What a command has left, which is not there afterwards."""
    found = kept(out)
    shutil.rmtree(out)
    return found


def disturbed(line: str, folder: Path, how: str, after_s: float, rng: random.Random) -> str:
    """End a command after so many seconds and run it again; say what went wrong."""
    number, is_worker = HOW[how]
    running = run(line, folder)
    time.sleep(after_s)
    target = running.pid
    if is_worker:
        target = rng.choice([each for each in members(running.pid) if each != running.pid] or [0])
    if target and running.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(target, number)
    code = running.wait(timeout=600)
    time.sleep(LEFT_S)
    if left := list(members(running.pid)):
        return f"{len(left)} processes are left"
    if is_worker and code != 0:
        return f"it exits with {code} when a worker is ended"
    again = run(line, folder).wait(timeout=600)
    return f"run again it exits with {again}" if again else ""


def ended(line: str, folder: Path, how: str, times: int, rng: random.Random) -> Iterator[str]:
    """End a command so many times, and tell each time what was wrong: nothing, if all is well."""
    wanted, taken = undisturbed(line, folder)
    for _ in range(times):
        wrong = disturbed(line, folder, how, taken * rng.uniform(0.1, 1.0), rng)
        found = taken_away(folder / OUT)
        differing = sorted(
            each for each in wanted.keys() | found.keys() if wanted.get(each) != found.get(each)
        )
        yield wrong or (f"{differing[0]} is not as undisturbed" if differing else "")


def main() -> None:
    """End every command in every way so many times; the exit code is 1 if something went wrong."""
    parser = argparse.ArgumentParser(prog="python tests/fuzz/killing.py", description=__doc__)
    parser.add_argument("times", type=int, nargs="?", default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--command", action="append", choices=list(COMMANDS))
    parser.add_argument("--how", action="append", choices=list(HOW))
    given = parser.parse_args()
    rng = random.Random(given.seed)
    faults = 0
    with tempfile.TemporaryDirectory() as place:
        prepare(Path(place))
        for name in given.command or COMMANDS:
            for how in given.how or HOW:
                line = COMMANDS[name]
                if HOW[how][1] and "--workers" not in line:
                    continue
                wrong = [each for each in ended(line, Path(place), how, given.times, rng) if each]
                faults += len(wrong)
                print(f"{name:<9} {how:<20} {given.times} times, {len(wrong)} wrong", *wrong[:3], flush=True)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
