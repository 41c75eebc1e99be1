"""What a player perceives, in words that are enough to act on."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nsmallest

from housemates.benchmarks.cerealbar.world.cards import SET_SIZE, Card, is_extendable, sets
from housemates.benchmarks.cerealbar.world.hexes import AXIAL, HEADINGS, axial, distance, neighbours, rotate
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.landmarks import Landmark, landmarks
from housemates.benchmarks.cerealbar.world.observe import Observation
from housemates.benchmarks.cerealbar.world.state import LEADER, PENDING, ROLES, TURNS
from housemates.benchmarks.cerealbar.world.tables import NO_PROP, PROPS, TERRAINS

SIDES = ("ahead", "ahead right", "behind right", "behind", "behind left", "ahead left")
"""The six ways from a hex, clockwise from where one looks."""
NEARBY = 8
"""Steps within which landmarks are told."""
SETS_TOLD, DONE_TOLD = 8, 3


def tell(seen: Observation) -> str:
    """All that a player perceives, a line for each thing, the nearest things first."""
    return "\n".join(_lines(seen))


def way(pose: int, target: int, width: int) -> str:
    """Where a place is for someone in a pose, as steps on open ground: `5 hexes: 3 ahead, 2 ahead right`."""
    (q, r), (own_q, own_r) = axial(target, width), axial(pose // 6, width)
    q, r = rotate(q - own_q, r - own_r, -(pose % 6))
    for side in range(6):
        (aq, ar), (bq, br) = AXIAL[side], AXIAL[(side + 1) % 6]
        whole = aq * br - bq * ar
        along, across = (q * br - r * bq) * whole, (aq * r - ar * q) * whole
        if along > 0 and across >= 0:
            rest = f", {across} {SIDES[(side + 1) % 6]}" if across else ""
            steps = along + across
            return f"{steps} {'hex' if steps == 1 else 'hexes'}: {along} {SIDES[side]}{rest}"
    return "here"


def _lines(seen: Observation) -> Iterator[str]:
    mine = ROLES[seen.role]
    left = f"{seen.turns_left} turns left, " if seen.turns_left <= TURNS["most"] else ""
    yield f"Score {seen.score}, {left}{seen.steps} steps left in this turn."
    if not seen.legal:
        yield f"It is the {ROLES[1 - seen.role]}'s turn."
    at, heading = divmod(seen.pose, 6)
    width = seen.map.size.width
    yield f"You, the {mine}, are at ({at % width}, {at // width}) and look to the {HEADINGS[heading]}."
    around = neighbours(seen.map.size)[at]
    hexes = [f"{side} {_ground(seen, around[(heading + i) % 6])}" for i, side in enumerate(SIDES)]
    yield f"Around you: {', '.join(hexes)}."
    yield _partner(seen)
    yield from _instructions(seen)
    yield from (f"{who} ({what}): {text}" for who, what, text in seen.messages)
    yield from _cards(seen)
    if seen.role == LEADER:
        yield from _sets(seen)
    yield from _landmarks(seen)


def _ground(seen: Observation, at: int) -> str:
    """What is on a hex, and whether one can go there."""
    if at < 0:
        return "the edge (blocked)"
    if seen.seen is not None and at not in seen.seen:
        return "unknown"
    if at in seen.cards:
        return "a card"
    prop = seen.map.prop[at]
    name = PROPS[prop].name if prop != NO_PROP else TERRAINS[seen.map.terrain[at]].name
    return name if seen.map.passable[at] else f"{name} (blocked)"


def _partner(seen: Observation) -> str:
    other = ROLES[1 - seen.role]
    if seen.partner is None:
        return f"You have not seen the {other} yet."
    where = way(seen.pose, seen.partner // 6, seen.map.size.width)
    return f"The {other} is at {where}, and looks to the {HEADINGS[seen.partner % 6]}."


def _instructions(seen: Observation) -> Iterator[str]:
    """What the follower was told, the last ones."""
    waiting = [text for text, state in seen.instructions if state == PENDING]
    past = [(text, state) for text, state in seen.instructions if state != PENDING]
    for text, state in past[-DONE_TOLD:]:
        yield f"Instruction ({state}): {text}"
    for number, text in enumerate(waiting):
        yield f"Instruction ({'waiting' if number else 'current'}): {text}"
    if not waiting:
        yield "No instruction waits."


def _cards(seen: Observation) -> Iterator[str]:
    """Every known card, the nearest first; for the leader, also where it is for the follower."""
    width, here = seen.map.size.width, seen.pose // 6
    chosen = [face for at in sorted(seen.selected) if (face := seen.cards.get(at))]
    if seen.role == LEADER and chosen and not is_extendable(chosen):
        yield "The selected cards cannot become a set: undo one."
    for at in sorted(seen.cards, key=lambda at: (distance(at, here, width), at)):
        line = f"Card {_named(seen.cards[at])}{', selected' if at in seen.selected else ''}: "
        line += way(seen.pose, at, width)
        if seen.role == LEADER and seen.partner is not None:
            line += f"; for the follower {way(seen.partner, at, width)}"
        yield line + "."


def _named(card: Card | None) -> str:
    return str(card) if card else "with its face covered"


def _sets(seen: Observation) -> Iterator[str]:
    """The sets whose cards are nearest to either player; those with all that is selected first."""
    width = seen.map.size.width
    players = [pose // 6 for pose in (seen.pose, seen.partner) if pose is not None]
    hexes = sorted(seen.faces)
    away = [0 if at in seen.selected else min(distance(at, p, width) for p in players) for at in hexes]

    def cost(found: tuple[int, ...]) -> tuple[int, int, tuple[int, ...]]:
        wrong = len(seen.selected - {hexes[i] for i in found}) if len(seen.selected) <= SET_SIZE else 0
        return wrong, sum(away[i] for i in found), found

    for found in nsmallest(SETS_TOLD, sets([seen.faces[at] for at in hexes]), key=cost):
        yield f"A set would be {', '.join(str(seen.faces[hexes[i]]) for i in found)}."


def _landmarks(seen: Observation) -> Iterator[str]:
    """Landmarks near the follower, as it sees them: they are what instructions speak of."""
    pose = seen.partner if seen.role == LEADER else seen.pose
    if pose is None:
        return
    whose = "the follower" if seen.role == LEADER else "you"
    for apart, at, mark in sorted(_near(seen.map, pose // 6)):
        if apart <= NEARBY:
            yield f"Landmark {mark.kind}: for {whose} {way(pose, at, seen.map.size.width)}."


def _near(hexmap: HexMap, here: int) -> Iterator[tuple[int, int, Landmark]]:
    for mark in landmarks(hexmap):
        at = mark.nearest(here, hexmap.size.width)
        yield distance(at, here, hexmap.size.width), at, mark
