"""The state of a game as plain data: snapshots, digests, differences, and what makes a state possible."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from housemates.benchmarks.cerealbar.world.cards import Card, is_extendable
from housemates.benchmarks.cerealbar.world.hexes import Size
from housemates.benchmarks.cerealbar.world.hexmap import STANDARD, HexMap, map_from_json
from housemates.benchmarks.cerealbar.world.tables import RULES
from housemates.errors import HousematesError

LEADER, FOLLOWER = 0, 1
ROLES = ("leader", "follower")
TURNS = RULES["turns"]
STEPS = (TURNS["leader_steps"], TURNS["follower_steps"])
SECONDS = (TURNS["leader_seconds"], TURNS["follower_seconds"])
PENDING, DONE_STATE, CANCELLED = "pending", "done", "cancelled"
Deal = Callable[["Game", tuple[int, ...]], dict[int, Card]]
"""Gives the cards that replace a set: from the game and the set's hexes to hexes and new cards."""


class Action(NamedTuple):
    """What a player does: a move, DONE, or one of the spoken actions with their text or amount."""

    name: str
    text: str = ""
    amount: float = 0.0


FORWARD, BACKWARD, LEFT, RIGHT = Action("MF"), Action("MB"), Action("RL"), Action("RR")
DONE, INTERRUPT = Action("DONE"), Action("INTERRUPT")
MOVES = ("MF", "MB", "RL", "RR")
STEPPING = ("MF", "MB")
LEGAL = {
    (ahead, behind): (*("MF",) * ahead, *("MB",) * behind, "RL", "RR", "DONE")
    for ahead in (False, True)
    for behind in (False, True)
}
"""What a player with steps left can do, by whether the hexes ahead and behind are free."""


def say(text: str) -> Action:
    """Append an instruction of the leader."""
    return Action("SAY", text)


def wait(seconds: float) -> Action:
    """Time passing while a player thinks."""
    return Action("WAIT", "", seconds)


@dataclass(frozen=True)
class Options:
    """How a game differs from the published one; the defaults are the published one."""

    width: int = STANDARD.width
    """Hexes from west to east."""
    height: int = STANDARD.height
    """Hexes from south to north."""
    cards: int = RULES["cards"]["count"]
    """Number of cards on the map."""
    deal_sets: bool = False
    """Deal cards as whole sets, as CB2 does, instead of independently."""
    covers: bool = False
    """Hide the faces of cards from the follower, as CB2 does."""
    interrupt: bool = False
    """Let the leader cancel all instructions and take the turn back."""
    feedback: bool = False
    """Let the leader approve or disapprove of what the follower does."""
    questions: bool = False
    """Let the follower ask the leader."""

    @property
    def size(self) -> Size:
        """Width and height of the map in hexes."""
        return Size(self.width, self.height)


@dataclass
class Instruction:
    """What the leader asked, and what became of it: `pending`, `done` or `cancelled`."""

    text: str
    state: str = PENDING


@dataclass
class Game:
    """The whole state of a game. Only `world.act` changes it."""

    map: HexMap
    options: Options
    seed: int
    cards: dict[int, Card]
    selected: list[int]
    position: list[int]
    heading: list[int]
    used: set[int]
    """Hexes that have held a card or a player at the start; no new card is put there."""
    instructions: list[Instruction] = field(default_factory=list)
    head: int = 0
    """Number of the current instruction; all before it are done or cancelled."""
    role: int = LEADER
    steps: int = STEPS[LEADER]
    turns_left: int = TURNS["start"]
    turn: int = 0
    """Number of the turn, counted from 0, those of both players."""
    score: int = 0
    clock: float = 0.0
    """Seconds since this turn began."""
    messages: list[tuple[int, str, str]] = field(default_factory=list)
    """Feedback and questions: who, what, and the text."""
    deal: Deal | None = field(default=None, repr=False, compare=False)
    """Gives replacement cards; None draws them from the seed."""

    @property
    def over(self) -> bool:
        """Whether the players have run out of turns."""
        return self.turns_left <= 0

    @property
    def queue(self) -> list[Instruction]:
        """Instructions that wait for the follower, the current one first."""
        return self.instructions[self.head :]

    @property
    def valid(self) -> bool:
        """Whether the selected cards could still become a set."""
        return is_extendable([self.cards[at] for at in self.selected])

    def destination(self, role: int, move: str) -> int:
        """The hex a step forward or backward leads to, or -1 if the way is blocked."""
        heading = self.heading[role] if move == "MF" else (self.heading[role] + 3) % 6
        return self.map.exits[self.position[role], heading]

    def flipped(self, role: int, move: str) -> tuple[int, Card] | None:
        """The card that a player's move would flip, with its hex."""
        at = self.destination(role, move) if move in STEPPING else -1
        return (at, self.cards[at]) if at in self.cards else None

    def legal(self, role: int) -> tuple[str, ...]:
        """The moves, and DONE, that would not be refused now."""
        if self.turns_left <= 0 or role != self.role:
            return ()
        if not self.steps:
            return ("DONE",)
        exits, at, heading = self.map.exits, self.position[role], self.heading[role]
        return LEGAL[exits[at, heading] >= 0, exits[at, (heading + 3) % 6] >= 0]

    def snapshot(self) -> dict[str, Any]:
        """The whole state as JSON values."""
        return {**self.changing(), "map": self.map.to_json(), "options": asdict(self.options)}

    def changing(self) -> dict[str, Any]:
        """The part of the state that a game changes, as JSON values."""
        return {
            "seed": self.seed,
            "cards": [[at, *card] for at, card in sorted(self.cards.items())],
            "selected": sorted(self.selected),
            "position": list(self.position),
            "heading": list(self.heading),
            "used": sorted(self.used),
            "instructions": [[item.text, item.state] for item in self.instructions],
            "head": self.head,
            "role": self.role,
            "steps": self.steps,
            "turns_left": self.turns_left,
            "turn": self.turn,
            "score": self.score,
            "clock": self.clock,
            "messages": [list(message) for message in self.messages],
        }

    def facts(self) -> dict[str, str]:
        """What players come to see, in words: cards by their hex, instructions, turns and score."""
        chosen = set(self.selected)
        cards = {f"card at {at}": f"{card}{', selected' * (at in chosen)}" for at, card in self.cards.items()}
        asked = {
            f"instruction {number}": f"{each.state}: {each.text}"
            for number, each in enumerate(self.instructions, 1)
        }
        return {**cards, **asked, "turns left": str(self.turns_left), "score": str(self.score)}

    def digest(self) -> str:
        """A hash of the state: equal states have equal digests on every machine."""
        text = json.dumps([self.map.digest, asdict(self.options), self.changing()], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def diff(self, other: Game) -> dict[str, tuple[Any, Any]]:
        """Where two states differ: field to this game's value and the other's."""
        mine, theirs = self.snapshot(), other.snapshot()
        return {key: (mine[key], theirs[key]) for key in mine if mine[key] != theirs[key]}

    def copy(self) -> Game:
        """An independent game in the same state; the map, which never changes, is shared."""
        return _from_changing(self.changing(), self.map, self.options)


def restore(snapshot: dict[str, Any]) -> Game:
    """The game that `snapshot()` described; says which field is wrong if one is."""
    try:
        options = Options(**snapshot["options"])
        game = _from_changing(snapshot, map_from_json(snapshot["map"]), options)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        if isinstance(error, HousematesError):
            raise
        raise HousematesError(f"game state: {type(error).__name__} {error}; expected a snapshot.") from None
    _check(game)
    return game


def _from_changing(value: dict[str, Any], hexmap: HexMap, options: Options) -> Game:
    return Game(
        hexmap,
        options,
        value["seed"],
        {at: Card(count, colour, shape) for at, count, colour, shape in value["cards"]},
        list(value["selected"]),
        list(value["position"]),
        list(value["heading"]),
        set(value["used"]),
        [Instruction(text, state) for text, state in value["instructions"]],
        head=value["head"],
        role=value["role"],
        steps=value["steps"],
        turns_left=value["turns_left"],
        turn=value["turn"],
        score=value["score"],
        clock=value["clock"],
        messages=[(who, what, text) for who, what, text in value["messages"]],
    )


def _check(game: Game) -> None:
    for name, places in (("cards", [*game.cards]), ("position", game.position)):
        for at in places:
            if not (0 <= at < len(game.map.terrain)) or not game.map.passable[at]:
                raise HousematesError(f"game state: {name}: hex {at} is blocked or beyond the map.")
    if not game.map.region[list(game.cards)].all():
        raise HousematesError("game state: cards: expected all of them in one connected region of the map.")
    if not set(game.cards).issuperset(game.selected):
        raise HousematesError("game state: selected: expected hexes that hold a card.")
    if any(not 0 <= heading < 6 for heading in game.heading):
        raise HousematesError("game state: heading: expected 0 to 5.")
