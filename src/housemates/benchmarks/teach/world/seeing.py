"""How the two see, point, act and name things, as the options say."""

from __future__ import annotations

from typing import NamedTuple

from housemates.benchmarks.teach.world.agent_camera import SIDE_PX
from housemates.home.naming import NamesOption
from housemates.render.looks import LooksName


class Seeing(NamedTuple):
    """How the two look, point and act."""

    width: int = SIDE_PX
    """Of the pictures, in pixels."""
    height: int = SIDE_PX
    pointing: str = "any"
    """One of `menus.POINTING`."""
    window: str = "reference"
    """How wide clicks are taken: `reference` (20x20 of 900) or `paper` (10x10)."""
    skilled: bool = False
    """Whether the Follower acts in skills."""
    looks: LooksName = "plain"
    """How the home looks."""
    names: NamesOption = "ids"
    """How things are named."""


USUAL = Seeing()
