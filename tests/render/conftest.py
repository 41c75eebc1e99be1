"""A kitchen to look at."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from rooms import Room, kitchen


@pytest.fixture(name="kitchen")
def make_kitchen() -> Room:
    """A fresh kitchen corner."""
    return kitchen()
