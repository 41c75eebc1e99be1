"""A studio that many tests share; where the extra `studio` is not installed, its tests are skipped."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra studio is not installed")
pytest.importorskip("sqlalchemy", reason="the extra studio is not installed")
sys.path.insert(0, str(Path(__file__).parent))

from studio_server import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A studio that many tests share."""
    made = Server(tmp_path_factory.mktemp("studio")).start()
    yield made
    assert made.stop() in (0, -signal.SIGTERM, 128 + signal.SIGTERM)
