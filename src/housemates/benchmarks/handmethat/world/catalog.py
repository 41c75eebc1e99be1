"""The 155 object categories: class, subclass, abilities, cleaning tools and first positions, from a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from housemates.files import shipped

FLAGS = ("open", "toggled", "cooked", "frozen", "sliced", "soaked", "dusty", "stained")
"""The Boolean attributes, in the order of a world's state."""
FLAG_OF_ABILITY = {
    "openable": "open",
    "toggleable": "toggled",
    "cookable": "cooked",
    "freezable": "frozen",
    "sliceable": "sliced",
    "soakable": "soaked",
    "dustyable": "dusty",
    "stainable": "stained",
}
STATE_ORDER = ("open", "toggled", "cooked", "frozen", "sliced", "soaked", "dusty", "stained", "color", "size")
"""The order in which the official files and texts list an object's attributes."""
ABILITY_ORDER = (
    "has-inside",
    "has-ontop",
    "cookable",
    "freezable",
    "sliceable",
    "openable",
    "dustyable",
    "stainable",
    "toggleable",
    "soakable",
    "has-size",
    "has-color",
)


@dataclass(frozen=True, eq=False)
class Category:
    """One kind of object, such as `apple`, and what can be done with it."""

    name: str
    subclass: str
    class_: str
    abilities: frozenset[str]
    cleaned_by: tuple[str, ...]
    positions: tuple[str, ...]

    @cached_property
    def is_location(self) -> bool:
        """Whether it is a fixed place that agents move to."""
        return self.class_ == "LOCATION"

    @cached_property
    def is_receptacle(self) -> bool:
        """Whether it is a container that can be carried."""
        return self.class_ == "RECEPTACLE"

    @cached_property
    def is_openable(self) -> bool:
        """Whether it can be opened and closed."""
        return "openable" in self.abilities

    @cached_property
    def is_toggleable(self) -> bool:
        """Whether it can be switched on and off."""
        return "toggleable" in self.abilities

    @cached_property
    def holds(self) -> bool:
        """Whether other objects can be in or on it."""
        return bool(self.abilities & {"has-inside", "has-ontop"})

    @cached_property
    def relation(self) -> str:
        """`inside` or `ontop`: how other objects relate to this one when it holds them."""
        return "inside" if "has-inside" in self.abilities else "ontop"

    @cached_property
    def flags(self) -> tuple[str, ...]:
        """The Boolean attributes that objects of this category have."""
        return tuple(flag for ability, flag in FLAG_OF_ABILITY.items() if ability in self.abilities)


def table() -> dict[str, Any]:
    """The catalog file as it stands."""
    return shipped(__package__, "catalog.toml")


@cache
def categories() -> Mapping[str, Category]:
    """Every category by name, in the order of the catalog."""
    data = table()
    made = {}
    for class_, subclasses in data["classes"].items():
        for subclass, names in subclasses.items():
            for name in names:
                words = {class_, subclass, name}
                made[name] = Category(
                    name,
                    subclass,
                    class_,
                    frozenset(ability for ability, who in data["abilities"].items() if words & set(who)),
                    tuple(tool for tool, what in data["cleans"].items() if words & set(what)),
                    tuple(data["positions"].get(subclass, ())),
                )
    return made


@cache
def subclasses() -> Mapping[str, tuple[str, ...]]:
    """The categories of each subclass."""
    found: dict[str, list[str]] = {}
    for category in categories().values():
        found.setdefault(category.subclass, []).append(category.name)
    return {name: tuple(members) for name, members in found.items()}


class _Kinds(dict[str, Category]):
    def __missing__(self, name: str) -> Category:
        self[name] = categories()[name.partition("#")[0]]
        return self[name]


class _Displayed(dict[str, str]):
    def __missing__(self, name: str) -> str:
        self[name] = name.replace("#", " ")
        return self[name]


kind_of = _Kinds().__getitem__
"""The category of an object by its official name, `apple#0` or `floor`."""
displayed = _Displayed().__getitem__
"""An official name as texts show it: `apple 0`."""
LOCATIONS = tuple(name for names in table()["classes"]["LOCATION"].values() for name in names)
"""The sixteen places, in the order in which every world numbers them."""
