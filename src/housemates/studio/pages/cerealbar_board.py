"""What pages draw a game of CerealBar from: the board as each role may know it, and how things look."""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import cache, lru_cache
from typing import Any

import numpy as np

from housemates.benchmarks.cerealbar.world.cards import Card
from housemates.benchmarks.cerealbar.world.hexes import DEGREES, centres
from housemates.benchmarks.cerealbar.world.hexmap import EMPTY, HexMap
from housemates.benchmarks.cerealbar.world.state import FOLLOWER, LEADER, ROLES, Game
from housemates.benchmarks.cerealbar.world.tables import PROPS, TERRAINS, load
from housemates.benchmarks.cerealbar.world.visibility import visible

MARGIN = 2.0
"""Radii of a hex behind the follower up to which it is told of the ground, so that no gap shows."""


@cache
def legend() -> dict[str, Any]:
    """How ground, what stands on it, cards and players look."""
    tables = load("models.toml")
    return {
        "terrain": [each._asdict() for each in TERRAINS],
        "props": [each._asdict() for each in PROPS],
        **{name: tables[name] for name in ("models", "symbols", "view")},
    }


def whole_board(game: Game) -> dict[str, Any]:
    """The map, the cards and the players, as the leader sees them."""
    cards = [_card(at, card, at in game.selected) for at, card in sorted(game.cards.items())]
    players = {role: _pose(game, number) for number, role in enumerate(ROLES)}
    return {**_map(game.map), "cards": cards, "valid": game.valid, "players": players}


def board_ahead(game: Game) -> dict[str, Any]:
    """What is before the follower: the ground there, and the cards and the leader that it sees."""
    at, heading = game.position[FOLLOWER], game.heading[FOLLOWER]
    seen = visible(game.map, at, heading)
    covered = game.options.covers
    cards = [
        _card(place, None if covered else card, place in game.selected)
        for place, card in sorted(game.cards.items())
        if place in seen
    ]
    roles = [FOLLOWER, *([LEADER] if game.position[LEADER] in seen else [])]
    return {
        **_ahead(game.map, at, heading),
        "cards": cards,
        "valid": True,
        "players": {ROLES[role]: _pose(game, role) for role in roles},
    }


@cache
def _map(hexmap: HexMap) -> dict[str, Any]:
    return hexmap.to_json()


@lru_cache(maxsize=512)
def _ahead(hexmap: HexMap, at: int, heading: int) -> dict[str, Any]:
    """The map with nothing where the follower has its back."""
    points, angle = centres(hexmap.size), math.radians(DEGREES[heading])
    before = (points - points[at]) @ np.array([math.sin(angle), math.cos(angle)]) > -MARGIN
    told = hexmap.to_json()
    kept = {name: _only(told[name], before.tolist()) for name in ("terrain", "props")}
    return {**told, **kept}


def _only(text: str, wanted: Collection[bool]) -> str:
    return "".join(mark if keep else EMPTY for mark, keep in zip(text, wanted, strict=True))


def _pose(game: Game, role: int) -> dict[str, int]:
    return {"at": game.position[role], "heading": game.heading[role]}


def _card(at: int, card: Card | None, selected: bool) -> dict[str, Any]:
    face = {} if card is None else {"number": card.number, "colour": card.colour, "shape": card.shape}
    return {"at": at, "selected": selected, **face}
