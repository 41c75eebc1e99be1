"""Groups of types are what the table of types says."""

from __future__ import annotations

from housemates.home import kinds
from housemates.home.types import object_types


def test_what_cuts_and_what_drains_is_told_by_the_rows() -> None:
    assert kinds.KNIVES == ("Knife", "ButterKnife")
    assert kinds.BASINS == ("Sink", "SinkBasin", "Bathtub", "BathtubBasin")
    assert kinds.BASIN_TYPES == {"Sink": "SinkBasin", "Bathtub": "BathtubBasin"}
    assert kinds.SINKS == ("Sink", "SinkBasin")


def test_things_are_laid_aside_on_worktops_rather_than_on_seats() -> None:
    every = kinds.surfaces()
    assert every[:5] == kinds.surfaces("worktop") and every[0] == "CounterTop"
    assert kinds.surfaces("worktop", "top") == every[:8]
    assert kinds.surfaces("couch") == ("Sofa", "Bed")
    ranks = [kind.aside for kind in object_types().values() if kind.surface]
    assert sorted(ranks) == list(range(1, len(every) + 1))
