"""Controllers in rooms that come with the package, whatever the user has imported."""

from __future__ import annotations

from pathlib import Path

import pytest

from housemates.thor import Controller


@pytest.fixture(autouse=True)
def no_store(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Have no store of the user's own."""
    monkeypatch.delenv("HOUSEMATES_STORE", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.fixture
def kitchen() -> Controller:
    """A controller in a kitchen that draws segmented pictures."""
    return Controller(scene="FloorPlan3", renderInstanceSegmentation=True)
