"""Into how many pieces an asset is cut: it depends on the asset, never on chance."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

from housemates.home.things import Thing

MOST = {"Bread": 9, "Potato": 9, "Lettuce": 8}
"""For an asset nobody has cut yet: as many as any of its type gives."""


def piece_count(thing: Thing) -> int:
    """The pieces this asset gives; 0 where the number of its type holds."""
    return counts().get(thing.name.split("(")[0], MOST.get(thing.type, 0))


@cache
def counts() -> dict[str, int]:
    """Asset name -> number of pieces, for the known assets of the types that differ."""
    text = resources.files(__package__).joinpath("pieces.json").read_text(encoding="utf-8")
    table: dict[str, int] = json.loads(text)
    return table
