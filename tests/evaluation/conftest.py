"""The tiny benchmark of `counting.py`, known to the registry as if it had a folder of its own."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

from housemates.benchmarks import registry

COUNTING = Path(__file__).with_name("counting.py")


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """The module of the benchmark `counting`; its processes would not know it, so use one."""
    spec = importlib.util.spec_from_file_location("counting", COUNTING)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "counting", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(registry, "specs", module.specs)
    return module


Program = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """The command line as a program of its own, with the benchmark `counting`, started in an empty folder."""

    def run(*words: object, **environ: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(COUNTING), *map(str, words)]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, **environ}, timeout=120
        )

    return run
