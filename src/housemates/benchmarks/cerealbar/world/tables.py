"""The tables of the game, read from the TOML files beside this module."""

from __future__ import annotations

from typing import Any, NamedTuple

from housemates.files import shipped


def load(name: str) -> dict[str, Any]:
    """The contents of a TOML file of this folder."""
    return shipped(__package__, name)


class Terrain(NamedTuple):
    """A kind of ground."""

    name: str
    colour: tuple[int, int, int]
    level: float
    blocks: bool
    hides: bool


class Prop(NamedTuple):
    """A kind of thing that stands on a hex and blocks it."""

    name: str
    family: str
    model: str
    colour: tuple[int, int, int]
    height: float
    weight: float
    hides: bool


def _terrains() -> tuple[Terrain, ...]:
    return tuple(
        Terrain(
            row["name"], tuple(row["colour"]), row["level"], row.get("blocks", False), row.get("hides", False)
        )
        for row in load("props.toml")["terrain"]
    )


def _props() -> tuple[Prop, ...]:
    return tuple(
        Prop(
            name,
            group["family"],
            group["models"][i],
            tuple(group["colours"][i]),
            group["heights"][i],
            group.get("weights", [1] * len(group["names"]))[i],
            group.get("hides", False),
        )
        for group in load("props.toml")["prop"]
        for i, name in enumerate(group["names"])
    )


TERRAINS = _terrains()
PROPS = _props()
FAMILIES: tuple[str, ...] = tuple(load("props.toml")["families"])
RULES = load("rules.toml")
COLOURS: tuple[str, ...] = tuple(RULES["cards"]["colours"])
SHAPES: tuple[str, ...] = tuple(RULES["cards"]["shapes"])
COUNTS: tuple[int, ...] = tuple(RULES["cards"]["counts"])
GRASS, PATH, WATER, DEEP_WATER, HILL, SHORT_HILL = range(6)
NO_PROP = -1


def props_of(*families: str) -> list[int]:
    """The numbers of the props that belong to one of the families."""
    return [number for number, prop in enumerate(PROPS) if prop.family in families]
