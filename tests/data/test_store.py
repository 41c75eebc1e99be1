"""The store: what is no store is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from housemates.data.store import open_store
from housemates.errors import HousematesError
from housemates.files import write_json


def test_a_folder_without_a_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HousematesError, match="no store there"):
        open_store(tmp_path)
    write_json(tmp_path / "store.json", {"format": 99})
    with pytest.raises(HousematesError, match="format: expected 3, found 99"):
        open_store(tmp_path)
    (tmp_path / "store.json").write_text("{")
    with pytest.raises(HousematesError, match=r"store\.json: expected JSON"):
        open_store(tmp_path)
