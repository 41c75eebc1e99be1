"""Where tests find the real data: beside the checkout, or in the folder named by HOUSEMATES_DATA; and the
tiny benchmark of `evaluation/counting.py`, known to the registry as if it had a folder of its own, or as a
program."""

from __future__ import annotations

import gc
import importlib.util
import os
import signal
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

from housemates.core import registry

DATA = Path(os.environ.get("HOUSEMATES_DATA", Path(__file__).parents[2] / "shared" / "data"))
sys.path.insert(0, str(Path(__file__).parent))  # for the modules of `fixtures`
COUNTING = Path(__file__).parent / "evaluation" / "counting.py"


def pytest_configure() -> None:
    """Keep out of the user's cache, so that nothing is made ahead unless a test asks for it; have Ctrl-C work
    in the processes that tests start, also where the tests run in the background.

    The processes of a run are as many as there are cores and more, so each computes with one thread; they
    share what Python makes of the sources, also where the user keeps no such files; and they look for rings
    of garbage seldom, as all that thousands of tests and their libraries consist of is searched each time.
    """
    gc.set_threshold(200_000, 20, 20)
    os.environ["HOUSEMATES_CACHE"] = ""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with those marked slow, so that no worker is left alone with one of them at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    """What was imported stays: no search for garbage looks at it."""
    gc.freeze()


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real data; tests that need it are skipped where it is absent."""
    if not DATA.is_dir():
        pytest.skip(f"real data not found at {DATA}; set HOUSEMATES_DATA to its folder")
    return DATA


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """The module of the benchmark `counting`; other processes do not know it, so work in this one."""
    spec = importlib.util.spec_from_file_location("counting", COUNTING)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "counting", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(registry, "specs", module.specs)
    monkeypatch.setattr(registry, "agent_specs", module.agent_specs)
    return module


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the words of a command line in a folder of the test's own."""

    def run(*words: object, **environ: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(COUNTING), *map(str, words)]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, **environ}, timeout=120
        )

    return run
