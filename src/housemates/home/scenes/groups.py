"""The table of furniture groups that `rooms.toml` names, each a function that finds a place for itself."""

from __future__ import annotations

from collections.abc import Callable

from housemates.home.scenes.plan import RoomPlan
from housemates.home.scenes.tables import Family

Group = Callable[[RoomPlan, Family], None]
GROUPS: dict[str, Group] = {}
"""Every group by name; filled by the modules that define them."""


def group(*names: str) -> Callable[[Group], Group]:
    """Enter a function into the table of groups, under one name or several."""

    def enter(function: Group) -> Group:
        GROUPS.update(dict.fromkeys(names, function))
        return function

    return enter
