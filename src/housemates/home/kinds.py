"""Groups of types, as `types.toml` says: what cuts, what drains, on what things are laid."""

from __future__ import annotations

from housemates.home.types import object_types

KNIVES = tuple(name for name, kind in object_types().items() if kind.cuts)
"""What things are cut with."""
BASINS = tuple(name for name, kind in object_types().items() if kind.can("drain"))
"""What any liquid can be poured into."""
BASIN_TYPES = {name: kind.basin for name, kind in object_types().items() if kind.basin}
"""What has a basin, and the type of that."""
SINKS = tuple(name for name, kind in object_types().items() if "Sink" in kind.classes)
"""Sinks and their basins."""


def surfaces(*sorts: str) -> tuple[str, ...]:
    """The types of these sorts of surface, or of all, those first on which things are best laid aside."""
    every = sorted(object_types().values(), key=lambda kind: kind.aside)
    return tuple(kind.name for kind in every if kind.surface and (not sorts or kind.surface in sorts))
