"""Random action dictionaries; the whole ten thousand are `python tests/thor/random_actions.py`."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest


def test_the_server_outlives_whatever_it_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    for name in ("conftest", "script", "random_actions"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    found = importlib.import_module("random_actions").play(tmp_path, 150, seed=1)
    assert sum(found.values()) == 150
    assert found["done"] > 30
    assert found["InvalidArgument"] > 30
