"""The game itself: its state as plain data, what a move does to the world, and the table of rules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import numpy as np

from housemates.benchmarks.base import Outcome
from housemates.benchmarks.cerealbar import cards as carding
from housemates.benchmarks.cerealbar.cards import Card
from housemates.benchmarks.cerealbar.hexes import Size
from housemates.benchmarks.cerealbar.hexmap import HexMap, map_from_json
from housemates.benchmarks.cerealbar.mapgen import STANDARD, generate_map
from housemates.benchmarks.cerealbar.tables import PATH, RULES
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
OK = Outcome(True)


def say(text: str) -> Action:
    """The leader's instruction."""
    return Action("SAY", text)


def wait(seconds: float) -> Action:
    """Time passing while a player thinks."""
    return Action("WAIT", "", seconds)


@dataclass(frozen=True)
class Options:
    """How a game differs from the published one; the defaults are the published one."""

    width: int = STANDARD.width
    height: int = STANDARD.height
    cards: int = RULES["cards"]["count"]
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
        """The map's size."""
        return Size(self.width, self.height)


@dataclass
class Instruction:
    """What the leader asked, and what became of it: `pending`, `done` or `cancelled`."""

    text: str
    state: str = PENDING


@dataclass
class Game:
    """The whole state of a game. Change it only through `act`."""

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
        return carding.is_extendable([self.cards[at] for at in self.selected])

    def act(self, role: int, action: Action) -> Outcome:
        """Carry out a player's action, or say which rule it breaks and change nothing."""
        if self.turns_left <= 0:
            return Outcome(False, "The game is over: no turns are left.")
        handler = HANDLERS.get(action[0])
        if handler is None:
            return Outcome(False, f"Unknown action {action[0]!r}: expected one of {', '.join(HANDLERS)}.")
        if role != self.role and action[0] not in OUT_OF_TURN:
            return Outcome(False, f"It is the {ROLES[self.role]}'s turn, not the {ROLES[role]}'s.")
        return handler(self, role, action)

    def destination(self, role: int, move: str) -> int:
        """The hex a step forward or backward leads to, or -1 if the way is blocked."""
        heading = self.heading[role] if move == "MF" else (self.heading[role] + 3) % 6
        return self.map.exits[self.position[role]][heading]

    def legal(self, role: int) -> list[str]:
        """The moves, and DONE, that would not be refused now."""
        if self.over or role != self.role:
            return []
        moves = [m for m in MOVES if m[0] == "R" or self.destination(role, m) >= 0] if self.steps else []
        return [*moves, "DONE"]

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


def new_game(seed: int, options: Options | None = None, hexmap: HexMap | None = None) -> Game:
    """Begin a game: a map (made from the seed if not given), cards with at least one set, two players."""
    options = options or Options()
    rng = np.random.default_rng([seed])
    hexmap = hexmap or generate_map(rng, options.size, options.cards)
    dealt = (
        [card for _ in range(options.cards // 3) for card in carding.draw_set(rng)]
        if options.deal_sets
        else carding.deal(rng, options.cards, [])
    )
    paths = [at for at in hexmap.playable if hexmap.terrain[at] == PATH]
    if len(hexmap.playable) < len(dealt) + 2 or len(paths) < 2:
        raise HousematesError(
            f"map: expected a connected place for {len(dealt)} cards and a path hex for each player, found "
            f"{len(hexmap.playable)} hexes with {len(paths)} of path."
        )
    starts = [paths[i] for i in rng.permutation(len(paths))[:2]]
    places = [at for at in hexmap.playable if at not in starts]
    order = rng.permutation(len(places))[: len(dealt)]
    cards = {places[i]: card for i, card in zip(order, dealt, strict=True)}
    return Game(hexmap, options, seed, cards, [], list(starts), [0, 0], {*cards, *starts})


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
        *(value[name] for name in ("head", "role", "steps", "turns_left", "turn", "score", "clock")),
        [(who, what, text) for who, what, text in value["messages"]],
    )


def _check(game: Game) -> None:
    playable = set(game.map.playable)
    for name, places in (("cards", [*game.cards]), ("position", game.position)):
        for at in places:
            if not (0 <= at < len(game.map.terrain)) or not game.map.passable[at]:
                raise HousematesError(f"game state: {name}: hex {at} is blocked or beyond the map.")
    if not playable.issuperset(game.cards):
        raise HousematesError("game state: cards: expected all of them in one connected region of the map.")
    if not set(game.cards).issuperset(game.selected):
        raise HousematesError("game state: selected: expected hexes that hold a card.")
    if any(not 0 <= heading < 6 for heading in game.heading):
        raise HousematesError("game state: heading: expected 0 to 5.")


# What a move does to the world (the paper's T_w). Returns a refusal, or None.


def move(game: Game, role: int, name: str) -> Outcome | None:
    """Turn or step; stepping onto a card flips it, and a set is taken at once."""
    if name == "RL":
        game.heading[role] = (game.heading[role] - 1) % 6
    elif name == "RR":
        game.heading[role] = (game.heading[role] + 1) % 6
    else:
        to = game.destination(role, name)
        if to < 0:
            return Outcome(False, f"{name}: the way is blocked; a step into an obstacle is no move.")
        game.position[role] = to
        if to in game.cards:
            flip(game, to)
    return None


def flip(game: Game, at: int) -> None:
    """Select the card here or undo its selection; take the set if the selection is one."""
    if at in game.selected:
        game.selected.remove(at)
    else:
        game.selected.append(at)
    if len(game.selected) == carding.SET_SIZE and carding.is_set([game.cards[i] for i in game.selected]):
        take_set(game)


def take_set(game: Game) -> None:
    """Score, add turns, and put three new cards on the map; one under a player is selected at once."""
    taken = tuple(sorted(game.selected))
    new = (game.deal or draw_replacements)(game, taken)
    for at in taken:
        del game.cards[at]
    game.selected = []
    added = TURNS["added"]
    game.turns_left += added[game.score] if game.score < len(added) else 0
    game.score += 1
    game.cards.update(new)
    game.used.update(new)
    game.selected += [at for at in sorted(new) if at in game.position]


def draw_replacements(game: Game, taken: tuple[int, ...]) -> dict[int, Card]:
    """Draw three cards, so that the map holds a set, and fresh hexes for them."""
    rng = np.random.default_rng([game.seed, game.score + 1])
    table = [card for at, card in sorted(game.cards.items()) if at not in taken]
    cards = carding.draw_set(rng) if game.options.deal_sets else carding.deal(rng, carding.SET_SIZE, table)
    fresh = [at for at in game.map.playable if at not in game.used]
    if len(fresh) < len(cards):
        fresh = [at for at in game.map.playable if at not in game.cards]
    order = rng.permutation(len(fresh))[: len(cards)]
    return {fresh[i]: card for i, card in zip(order, cards, strict=True)}


# The rules (the paper's Table 2): who does what, when it applies, and what becomes of the turn.


class Rule(NamedTuple):
    """A row of Table 2; a move has changed the world before `then` changes the turn."""

    number: int
    roles: tuple[int, ...]
    action: str
    when: Callable[[Game], bool]
    then: Callable[[Game, str], None]


def _enqueue(game: Game, text: str) -> None:
    game.instructions.append(Instruction(text))


def _finish_instruction(game: Game, _: str = "") -> None:
    game.instructions[game.head].state = DONE_STATE
    game.head += 1


def _use_step(game: Game, _: str) -> None:
    game.steps -= 1


def begin_turn(game: Game, role: int, turns: int = 1) -> None:
    """End the turn, and with it `turns` of those left; the next is this role's."""
    game.turns_left -= turns
    game.turn += turns
    game.role = role
    game.steps = STEPS[role]
    game.clock = 0.0


def _finish_last(game: Game, _: str) -> None:
    _finish_instruction(game)
    begin_turn(game, LEADER)


TABLE = (
    Rule(1, (LEADER,), "SAY", lambda game: True, _enqueue),
    Rule(
        2,
        (LEADER,),
        "DONE",
        lambda game: game.head < len(game.instructions),
        lambda g, _: begin_turn(g, FOLLOWER),
    ),
    Rule(
        3,
        (LEADER,),
        "DONE",
        lambda game: game.head == len(game.instructions),
        lambda g, _: begin_turn(g, LEADER, 2),
    ),
    Rule(4, (LEADER,), "MOVE", lambda game: game.steps == 1, _use_step),
    Rule(5, (FOLLOWER,), "DONE", lambda game: len(game.instructions) - game.head > 1, _finish_instruction),
    Rule(6, (FOLLOWER,), "DONE", lambda game: len(game.instructions) - game.head == 1, _finish_last),
    Rule(7, (FOLLOWER,), "MOVE", lambda game: game.steps == 1, lambda g, _: begin_turn(g, LEADER)),
    Rule(8, (LEADER, FOLLOWER), "MOVE", lambda game: game.steps > 1, _use_step),
)
BY_ROLE = {
    (role, action): tuple(rule for rule in TABLE if role in rule.roles and rule.action == action)
    for role in (LEADER, FOLLOWER)
    for action in ("SAY", "DONE", "MOVE")
}


def rule_for(game: Game, role: int, action: str) -> Rule | None:
    """The row of the table that covers an action now; None outside the table's domain."""
    for rule in BY_ROLE[role, action]:
        if rule.when(game):
            return rule
    return None


def _handle_move(game: Game, role: int, action: Action) -> Outcome:
    rule = rule_for(game, role, "MOVE")
    if rule is None:
        return Outcome(False, "Rule 4: the leader has no steps left; instruct the follower or end the turn.")
    refusal = move(game, role, action[0])
    if refusal is None:
        rule.then(game, "")
    return refusal or OK


def _handle_done(game: Game, role: int, action: Action) -> Outcome:
    rule = rule_for(game, role, "DONE")
    if rule is None:
        return Outcome(False, "Rule 6: the follower has no instruction to finish.")
    rule.then(game, "")
    return OK


def _handle_say(game: Game, role: int, action: Action) -> Outcome:
    rule = rule_for(game, role, "SAY")
    if rule is None:
        return Outcome(False, "Rule 1: only the leader gives instructions.")
    text, longest = " ".join(action.text.split()), RULES["instruction"]["longest"]
    if not text:
        return Outcome(False, "Rule 1: an instruction needs words, found an empty one.")
    if len(text) > longest:
        return Outcome(False, f"Rule 1: expected at most {longest} characters, found {len(text)}.")
    rule.then(game, text)
    return OK


def _handle_wait(game: Game, role: int, action: Action) -> Outcome:
    """Let time pass; a turn whose time is up ends, whatever is left of it."""
    if not 0 <= action.amount < 1e6:
        return Outcome(False, f"WAIT: expected a number of seconds, found {action.amount}.")
    game.clock = round(game.clock + action.amount, 3)
    if game.clock >= SECONDS[role]:
        if role == LEADER:
            rule = rule_for(game, LEADER, "DONE")
            assert rule is not None
            rule.then(game, "")
        else:
            begin_turn(game, LEADER)
    return OK


def _handle_interrupt(game: Game, role: int, action: Action) -> Outcome:
    """Cancel all instructions and end the follower's turn."""
    if not game.options.interrupt:
        return Outcome(False, "INTERRUPT: this game was begun without the interrupt option.")
    if role != LEADER or game.role != FOLLOWER:
        return Outcome(False, "INTERRUPT: only the leader interrupts, and only in the follower's turn.")
    for instruction in game.queue:
        instruction.state = CANCELLED
    game.head = len(game.instructions)
    begin_turn(game, LEADER)
    return OK


def _handle_feedback(game: Game, role: int, action: Action) -> Outcome:
    if not game.options.feedback or role != LEADER or action.amount not in (1, -1):
        return Outcome(False, "FEEDBACK: needs the feedback option, the leader, and an amount of 1 or -1.")
    game.messages.append((role, "feedback", "good" if action.amount > 0 else "bad"))
    return OK


def _handle_ask(game: Game, role: int, action: Action) -> Outcome:
    """The follower asks, or the leader answers."""
    text = " ".join(action.text.split())
    if not game.options.questions or not 0 < len(text) <= RULES["instruction"]["longest"]:
        return Outcome(
            False, "ASK: needs the questions option and a text that is neither empty nor too long."
        )
    game.messages.append((role, "question" if role == FOLLOWER else "answer", text))
    return OK


HANDLERS: dict[str, Callable[[Game, int, Action], Outcome]] = {
    **dict.fromkeys(MOVES, _handle_move),
    "DONE": _handle_done,
    "SAY": _handle_say,
    "WAIT": _handle_wait,
    "INTERRUPT": _handle_interrupt,
    "FEEDBACK": _handle_feedback,
    "ASK": _handle_ask,
}
OUT_OF_TURN = frozenset({"INTERRUPT", "FEEDBACK", "ASK"})
