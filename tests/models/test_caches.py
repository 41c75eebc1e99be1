"""Feature caches: computed once, kept by who made them, and whole after an interruption."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest

from housemates.errors import HousematesError
from housemates.models.caches import FeatureCache


def made(names: list[str]) -> Iterator[tuple[str, np.ndarray]]:
    """Two rows for each name."""
    for name in names:
        yield name, np.full((2, 3), int(name), np.float32)


def test_rows_are_computed_once(tmp_path: Path) -> None:
    asked: list[str] = []

    def counting(names: list[str]) -> Iterator[tuple[str, np.ndarray]]:
        asked.extend(names)
        return made(names)

    FeatureCache(tmp_path, {"encoder": "a"}, (3,)).fill(["1", "2"], counting)
    again = FeatureCache(tmp_path, {"encoder": "a"}, (3,))
    again.fill(["1", "2", "3"], counting)
    assert asked == ["1", "2", "3"]
    assert again["3"].tolist() == [[3.0] * 3] * 2
    assert isinstance(again["1"], np.memmap)


def test_another_maker_has_rows_of_its_own(tmp_path: Path) -> None:
    FeatureCache(tmp_path, {"encoder": "a"}, (3,)).fill(["1"], made)
    assert "1" not in FeatureCache(tmp_path, {"encoder": "b"}, (3,))


def test_what_was_computed_before_an_interruption_is_kept(tmp_path: Path) -> None:
    def interrupted(names: list[str]) -> Iterator[tuple[str, np.ndarray]]:
        yield from made(names[:1])
        raise KeyboardInterrupt

    first = FeatureCache(tmp_path, {}, (3,))
    with pytest.raises(KeyboardInterrupt):
        first.fill(["1", "2"], interrupted)
    (first.folder / "rows.bin").open("ab").write(b"torn")
    (first.folder / "rows.jsonl").open("ab").write(b'["2", 2')
    second = FeatureCache(tmp_path, {}, (3,))
    second.fill(["1", "2"], made)
    assert [second[name][0, 0] for name in ("1", "2")] == [1.0, 2.0]


def test_rows_of_another_shape_are_refused(tmp_path: Path) -> None:
    with pytest.raises(HousematesError, match=r"expected rows of \(4,\), found \(3,\)"):
        FeatureCache(tmp_path, {}, (4,)).fill(["1"], made)


def test_two_who_want_the_same_rows_compute_them_once(tmp_path: Path) -> None:
    begun, asked = Event(), []

    def slow(names: list[str]) -> Iterator[tuple[str, np.ndarray]]:
        begun.set()
        asked.extend(names)
        if names:
            other.join(0.3)
        yield from made(names)

    def late() -> None:
        begun.wait()
        second.fill(["1", "2"], slow)

    first, second = (FeatureCache(tmp_path, {}, (3,)) for _ in range(2))
    other = Thread(target=late)
    other.start()
    first.fill(["1", "2"], slow)
    other.join()
    assert asked == ["1", "2"]
    assert second["2"].tolist() == [[2.0] * 3] * 2
