"""What a player perceives of a game: everything, or what the follower has seen so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import msgspec
import numpy as np

from housemates.benchmarks.cerealbar.world.cards import Card
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.state import FOLLOWER, LEADER, PENDING, ROLES, Game
from housemates.benchmarks.cerealbar.world.tables import GRASS, NO_PROP
from housemates.benchmarks.cerealbar.world.visibility import CLEAR, visible


class Observation(msgspec.Struct, frozen=True, dict=True):
    """A player's knowledge before an action; a pose is a hex times six plus a heading."""

    role: int
    map: HexMap
    """As far as it is known; hexes never seen look like bare grass."""
    cards: dict[int, Card | None]
    """Known cards; None where the face is covered."""
    selected: frozenset[int]
    pose: int
    partner: int | None
    """The other player's pose, or None where it was never seen."""
    seen: frozenset[int] | None
    """Hexes that were ever in view; None if the whole map is known."""
    visible: frozenset[int] | None
    """Hexes in view now; None if all are."""
    instructions: tuple[tuple[str, str], ...]
    """Texts with their states; the follower's end with the current one."""
    waiting: int
    """Instructions in the queue; the follower knows only whether there is one."""
    steps: int
    turns_left: int
    turn: int
    score: int
    legal: tuple[str, ...]
    """Moves by the game's own names, and DONE; none when it is the other's turn."""
    messages: tuple[tuple[str, str, str], ...] = ()
    """Feedback, questions and answers: who, what, and the text."""

    @property
    def instruction(self) -> str:
        """The follower's current instruction, or an empty text."""
        last = self.instructions[-1] if self.instructions else ("", "")
        return last[0] if last[1] == PENDING else ""

    @cached_property
    def faces(self) -> dict[int, Card]:
        """The cards whose face is known."""
        return {at: card for at, card in self.cards.items() if card is not None}


@dataclass
class Memory:
    """What a follower has seen since the game began."""

    fog: float = CLEAR
    seen: frozenset[int] = frozenset()
    cards: dict[int, Card] = field(default_factory=dict)
    selected: set[int] = field(default_factory=set)
    partner: int | None = None
    map: HexMap | None = None
    view: frozenset[int] = frozenset()
    """What was in view the last time."""

    def look(self, game: Game) -> None:
        """Take in what is in view now."""
        view = self.view = visible(game.map, game.position[FOLLOWER], game.heading[FOLLOWER], self.fog)
        if not view <= self.seen or self.map is None:
            self.seen |= view
            self.map = known_part(game.map, self.seen)
        self.cards = {at: card for at, card in self.cards.items() if at not in view}
        self.cards.update((at, card) for at, card in game.cards.items() if at in view)
        self.selected = {at for at in self.selected if at not in view} | (view & set(game.selected))
        if game.position[LEADER] in view:
            self.partner = game.position[LEADER] * 6 + game.heading[LEADER]


def known_part(hexmap: HexMap, seen: frozenset[int]) -> HexMap:
    """The map with bare grass wherever it was not seen."""
    known = np.zeros(len(hexmap.terrain), np.bool_)
    known[list(seen)] = True
    return HexMap(
        hexmap.size,
        tuple(np.where(known, hexmap.ground, GRASS).tolist()),
        tuple(np.where(known, hexmap.standing, NO_PROP).tolist()),
        tuple(np.where(known, hexmap.turned, 0).tolist()),
    )


def observe(game: Game, role: int, memory: Memory | None = None) -> Observation:
    """What a player perceives now; a follower with a memory knows only what it has looked at."""
    partial = memory if role == FOLLOWER else None
    cards: dict[int, Card | None] = dict(partial.cards if partial else game.cards)
    if game.options.covers and role == FOLLOWER:
        cards = dict.fromkeys(cards)
    other = game.position[1 - role] * 6 + game.heading[1 - role]
    known = game.instructions if role == LEADER else game.instructions[: game.head + 1]
    waiting = len(game.instructions) - game.head
    return Observation(
        role,
        partial.map if partial and partial.map else game.map,
        cards,
        frozenset(partial.selected if partial else game.selected),
        game.position[role] * 6 + game.heading[role],
        partial.partner if partial else other,
        partial.seen if partial else None,
        partial.view if partial else None,
        tuple([(item.text, item.state) for item in known]),
        waiting if role == LEADER else min(waiting, 1),
        game.steps,
        game.turns_left,
        game.turn,
        game.score,
        game.legal(role),
        tuple((ROLES[who], what, text) for who, what, text in game.messages) if game.messages else (),
    )
