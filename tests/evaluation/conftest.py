"""The tiny benchmark of `counting.py`, known to the registry as if it had a folder of its own."""

from __future__ import annotations

import importlib.util
import sys
import types
from pathlib import Path

import pytest

from housemates.benchmarks import registry

COUNTING = Path(__file__).with_name("counting.py")


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """The module of the benchmark `counting`."""
    spec = importlib.util.spec_from_file_location("counting", COUNTING)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "counting", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(registry, "specs", module.specs)
    return module
