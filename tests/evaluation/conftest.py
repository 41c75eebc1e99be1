"""The command line with the tiny benchmark of `counting.py`, as a program of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

COUNTING = Path(__file__).with_name("counting.py")


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the words of a command line in a folder of the test's own."""

    def run(*words: object, **environ: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(COUNTING), *map(str, words)]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, **environ}, timeout=120
        )

    return run
