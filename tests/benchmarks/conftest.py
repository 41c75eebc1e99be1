"""Environments in tests keep what they make in a folder of their own."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    before = os.environ.get("HOUSEMATES_CACHE")
    os.environ["HOUSEMATES_CACHE"] = str(tmp_path_factory.mktemp("supply"))
    yield
    del os.environ["HOUSEMATES_CACHE"]
    if before is not None:
        os.environ["HOUSEMATES_CACHE"] = before
