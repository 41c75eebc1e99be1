"""Environments in tests keep what they make ahead in a folder that tests side by side share."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path_factory.getbasetemp()
    shared = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    monkeypatch.setenv("HOUSEMATES_CACHE", str(shared / "supply"))
