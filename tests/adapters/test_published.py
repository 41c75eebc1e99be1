"""OpenEnv's published package, unchanged, in the environment of its own that `make test-doors` prepares."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ENVIRONMENTS = Path(os.environ.get("HOUSEMATES_DOORS_ENVIRONMENTS", ROOT / ".venv-doors"))
MANY = """
import asyncio, sys
from openenv.core import GenericEnvClient

async def episode(number):
    async with GenericEnvClient(base_url=sys.argv[1]) as client:
        seen = await client.reset(seed=number)
        for _ in range(5):
            seen = await client.step({"name": "Command", "arguments": {"command": "move to human"}})
        return seen.observation["turn"], (await client.state())["step_count"], seen.reward

async def main():
    print(await asyncio.gather(*map(episode, range(8))))

asyncio.run(main())
"""


@pytest.fixture(scope="module")
def openenv() -> Path:
    """The folder of OpenEnv's programs."""
    programs = ENVIRONMENTS / "openenv" / "bin"
    if not (programs / "openenv").exists():
        pytest.skip(f"OpenEnv is not installed in {programs.parent}: run make test-doors")
    return programs


@pytest.fixture(scope="module")
def address(free_port: Callable[[], int], listening: Callable[[int], None]) -> Iterator[str]:
    """Where HandMeThat is served."""
    port = free_port()
    command = [sys.executable, "-m", "housemates.cli.main", "serve", "handmethat", "--port", str(port)]
    with subprocess.Popen(command) as process:
        listening(port)
        yield f"http://127.0.0.1:{port}"
        process.terminate()


def said(*command: object) -> str:
    """What a program of OpenEnv's environment prints."""
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [str(each) for each in command], capture_output=True, text=True, env=environ, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_its_validator_passes(openenv: Path, address: str) -> None:
    told = said(openenv / "openenv", "validate", "--url", address)
    assert told.count("PASS") == 7 and "FAIL" not in told


def test_its_generic_client_plays_the_example(openenv: Path, address: str) -> None:
    example = ROOT / "examples" / "adapters" / "openenv_client.py"
    assert "'success': 0.0" in said(openenv / "python", example, address)


def test_the_example_serves_itself_where_no_address_is_named(openenv: Path, monkeypatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    example = ROOT / "examples" / "doors" / "openenv_client.py"
    assert "'success': 0.0" in said(openenv / "python", example)


def test_many_of_its_clients_play_at_once(openenv: Path, address: str) -> None:
    found = ast.literal_eval(said(openenv / "python", "-c", MANY, address))
    assert [(turn, steps) for turn, steps, _ in found] == [(5, 5)] * 8
