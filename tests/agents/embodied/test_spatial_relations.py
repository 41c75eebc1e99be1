"""Where things are, seen by somebody."""

from __future__ import annotations

from housemates.agents.embodied.spatial_relations import Extent, Viewer, misfit


def test_left_and_right_are_those_of_who_looks() -> None:
    stove = Extent("stove", "StoveBurner", (0.0, 0.9, 2.0), (0.5, 1.0, 2.5))
    west = Extent("a", "Drawer", (-1.0, 0.5, 2.0), (-0.5, 0.7, 2.5))
    east = Extent("b", "Drawer", (1.0, 0.5, 2.0), (1.5, 0.7, 2.5))
    facing = Viewer(0.25, 0.0, 0.0)
    behind = Viewer(0.25, 5.0, 180.0)
    assert misfit(west, "left", [stove], facing) < misfit(east, "left", [stove], facing)
    assert misfit(west, "right", [stove], behind) < misfit(east, "right", [stove], behind)
    assert misfit(east, "my right", (), facing) < misfit(west, "my right", (), facing)
