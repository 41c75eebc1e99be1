"""Environments in tests keep what they make in a folder of their own, which tests side by side share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    before = os.environ.get("HOUSEMATES_CACHE")
    folder = tmp_path_factory.getbasetemp()
    shared = folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder
    os.environ["HOUSEMATES_CACHE"] = str(shared / "supply")
    yield
    del os.environ["HOUSEMATES_CACHE"]
    if before is not None:
        os.environ["HOUSEMATES_CACHE"] = before
