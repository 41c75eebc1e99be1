"""What works on what in a rebuilt plan: knobs on burners, faucets on basins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from housemates.home.kinds import BASINS
from housemates.home.things import Thing, thor_position, turned


class StoveSeen(NamedTuple):
    """One look at a stove: which knobs were on and which burners hot."""

    on: tuple[str, ...]
    hot: tuple[str, ...]


def faucet_basins(things: Sequence[Thing]) -> dict[str, tuple[str, ...]]:
    """Faucet -> the basins whose nearest faucet it is, or next to which it stands."""
    faucets = [thing for thing in things if thing.type == "Faucet"]
    found: dict[str, list[str]] = {faucet.id: [] for faucet in faucets}
    for basin in (thing for thing in things if thing.type in BASINS):
        if faucets:
            nearest = min(faucets, key=lambda faucet: math.dist(_middle(faucet), _middle(basin)))
            found[nearest.id].append(basin.id)
    return {name: tuple(basins) for name, basins in found.items()}


def _middle(thing: Thing) -> tuple[float, float, float]:
    return thor_position(thing)


def knob_burners(
    things: Sequence[Thing], seen: Sequence[StoveSeen], front_yaw: float
) -> dict[str, tuple[str, ...]]:
    """Knob -> the burners it heats, as past looks at the stove prove, else by where they stand."""
    knobs = [thing for thing in things if thing.type == "StoveKnob"]
    burners = [thing for thing in things if thing.type == "StoveBurner"]
    guess = _by_place(knobs, burners, front_yaw)
    found: dict[str, list[str]] = {knob.id: [] for knob in knobs}
    for burner in burners:
        for name in _proven(burner.id, [knob.id for knob in knobs], seen, guess.get(burner.id, "")):
            found[name].append(burner.id)
    return {name: tuple(heated) for name, heated in found.items()}


def _proven(burner: str, knobs: list[str], seen: Sequence[StoveSeen], guess: str) -> tuple[str, ...]:
    """The knob, or the two knobs, that agree with every look; the guess if several do."""
    pairs = [(knob,) for knob in knobs]
    for choices in (pairs, list(combinations(knobs, 2))):
        agreeing = [choice for choice in choices if _agrees(burner, choice, seen)]
        if agreeing:
            return next((choice for choice in agreeing if guess in choice), agreeing[0])
    return (guess,) if guess else ()


def _agrees(burner: str, knobs: Sequence[str], seen: Sequence[StoveSeen]) -> bool:
    return all((burner in look.hot) == any(knob in look.on for knob in knobs) for look in seen)


def _by_place(knobs: Sequence[Thing], burners: Sequence[Thing], front_yaw: float) -> dict[str, str]:
    """Burner -> knob: outer knobs drive the burners on the user's side, inner ones those behind."""
    if not knobs:
        return {}

    def across(thing: Thing) -> float:
        return turned(thing.position[0], thing.position[2], -front_yaw)[0]

    def depth(thing: Thing) -> float:
        return turned(thing.position[0], thing.position[2], -front_yaw)[1]

    row = sorted(knobs, key=across)
    if len(row) == 4 and len(burners) == 4:
        by_depth = sorted(burners, key=depth)
        back, near = sorted(by_depth[:2], key=across), sorted(by_depth[2:], key=across)
        order = [near[0], back[0], back[1], near[1]]
        return {burner.id: knob.id for burner, knob in zip(order, row, strict=True)}
    ranked = sorted(burners, key=across)
    return {
        burner.id: row[min(i * len(row) // max(len(ranked), 1), len(row) - 1)].id
        for i, burner in enumerate(ranked)
    }
