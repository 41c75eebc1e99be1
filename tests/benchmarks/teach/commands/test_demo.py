"""Rows of the demonstration: both pairs at the same start."""

from __future__ import annotations

from housemates.benchmarks.teach.commands import demo
from housemates.benchmarks.teach.generate import sampling


def test_a_row_tells_how_long_both_pairs_took() -> None:
    (drawn,) = sampling.draws(demo.SEED, 1, ["Water Plant"])
    row = demo._row(drawn)
    assert list(row) == ["task", "room", "rule", "talk"]
    assert row["room"] == sampling.start(drawn).scene.id
    assert all(row[pair].endswith(" said") and " acts, " in row[pair] for pair in demo.PAIRS)
