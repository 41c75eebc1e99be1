"""Into how many pieces an asset is cut: it depends on the asset, never on chance."""

from __future__ import annotations

from housemates.home.slices import asset_pieces
from housemates.home.things import Thing

MOST = {"Bread": 9, "Potato": 9, "Lettuce": 8}
"""For an asset nobody has cut yet: as many as any of its type gives."""


def piece_count(thing: Thing) -> int:
    """The pieces this asset gives; 0 where the number of its type holds."""
    return len(asset_pieces(thing.name)) or MOST.get(thing.type, 0)
