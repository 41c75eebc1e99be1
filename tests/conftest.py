"""Where tests find the real data: beside the checkout, or in the folder named by HOUSEMATES_DATA."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

DATA = Path(os.environ.get("HOUSEMATES_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real data; tests that need it are skipped where it is absent."""
    if not DATA.is_dir():
        pytest.skip(f"real data not found at {DATA}; set HOUSEMATES_DATA to its folder")
    return DATA
