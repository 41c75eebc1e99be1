"""Followers in recorded games: the leader's recorded turns are played, the follower's are its own.

An entry starts where the recorded follower began an instruction and goes on to the end of the game.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import msgspec

from housemates.benchmarks.cerealbar.formats.episodes import Recording, replay
from housemates.benchmarks.cerealbar.session import CardGame, action_of, menus
from housemates.benchmarks.cerealbar.world.cards import Card
from housemates.benchmarks.cerealbar.world.dynamics import begin_turn, draw_replacements
from housemates.benchmarks.cerealbar.world.state import (
    DONE,
    FOLLOWER,
    LEADER,
    SECONDS,
    Action,
    Deal,
    Game,
    Options,
)
from housemates.core.actions import Act, Offer
from housemates.core.benchmark import Instance
from housemates.core.copies import shared
from housemates.core.outcome import Outcome
from housemates.core.percepts import Limits

MOST_ACTIONS = 25
UNLIMITED = 10**6


@shared
class Board(NamedTuple):
    """The state of all cards."""

    cards: tuple[tuple[int, Card], ...]
    """What lies where."""
    selected: frozenset[int]


class Entry(msgspec.Struct, frozen=True):
    """A recorded game, and the instruction at which to begin."""

    recording: Recording
    first: int

    def script(self) -> Script:
        """The recording, taken apart; kept for the next entry of the same game."""
        return take_apart(self.recording)


def board(game: Game) -> Board:
    """The state of all cards now."""
    return Board(tuple(sorted(game.cards.items())), frozenset(game.selected))


@dataclass
class Gold:
    """What the recorded follower did with one instruction, and what came of it."""

    start: Game
    """The state before its first action."""
    number: int
    """Of the first action in the recording."""
    actions: list[str] = field(default_factory=list)
    changed: set[tuple[int, Card]] = field(default_factory=set)
    """Cards it flipped an odd number of times."""
    board: Board | None = None
    """The cards when it was done; None if it never was."""
    pose: tuple[int, int] = (0, 0)


@shared
@dataclass
class LeaderTurn:
    """A recorded turn of the leader and how long the follower's turn after it was."""

    number: int
    """Of its last action in the recording."""
    actions: list[Action] = field(default_factory=list)
    budget: int | None = None
    """Actions after which the follower's time was up; None if it was not cut short."""


@dataclass(frozen=True, eq=False)
class Script:
    """A recording taken apart for evaluation."""

    recording: Recording
    golds: dict[int, Gold] = field(default_factory=dict)
    """By the number of the instruction; only those the follower began."""
    leader_turns: list[LeaderTurn] = field(default_factory=list)
    taken: list[tuple[int, ...]] = field(default_factory=list)
    """The hexes of each set."""

    @property
    def completed(self) -> list[int]:
        """The instructions that the recorded follower finished, in order."""
        return [number for number, gold in sorted(self.golds.items()) if gold.board is not None]


@lru_cache(maxsize=16)
def take_apart(recording: Recording) -> Script:
    """Replay a recording and keep what evaluation needs."""
    script = Script(recording)
    start = recording.start()
    start.deal = _noting(script, start.deal or draw_replacements)
    finished: Gold | None = None
    turn, acted = -1, 0
    for number, game in replay(recording, start):
        if finished:
            finished.board, finished.pose = board(game), (game.position[FOLLOWER], game.heading[FOLLOWER])
            finished = None
        if number == len(recording.actions):
            break
        role, action = recording.actions[number]
        acted = acted if game.turn == turn else 0
        if role == LEADER:
            _note_leader(script, number, action, begins=game.turn != turn)
        elif action.name == "WAIT":
            if game.clock + action.amount >= SECONDS[FOLLOWER]:
                script.leader_turns[-1].budget = acted
        else:
            acted += 1
            gold = _note_follower(script, number, action, game)
            finished = gold if action.name == "DONE" else None
        turn = game.turn
    return script


def _noting(script: Script, deal: Deal) -> Deal:
    def noting(game: Game, taken: tuple[int, ...]) -> dict[int, Card]:
        script.taken.append(taken)
        return deal(game, taken)

    return noting


def _note_leader(script: Script, number: int, action: Action, begins: bool) -> None:
    if begins:
        script.leader_turns.append(LeaderTurn(number))
    script.leader_turns[-1].number = number
    if action.name not in ("WAIT", "DONE"):
        script.leader_turns[-1].actions.append(action)


def _note_follower(script: Script, number: int, action: Action, game: Game) -> Gold:
    gold = script.golds.get(game.head)
    if gold is None:
        gold = script.golds[game.head] = Gold(game.copy(), number)
    gold.actions.append(action.name)
    card = game.flipped(FOLLOWER, action.name)
    if card:
        gold.changed ^= {card}
    return gold


@dataclass
class Executed:
    """What the evaluated follower did with one instruction."""

    number: int
    actions: list[str] = field(default_factory=list)
    changed: set[tuple[int, Card]] = field(default_factory=set)
    board: Board | None = None
    pose: tuple[int, int] = (0, 0)


class RecordedSession(CardGame):
    """A follower in a recorded game from one instruction to the end.

    Args:
        instance: Its data is the entry.
        limits: When it is cut off.
        ten_steps: Give the follower all its steps every turn; else end its turns where the clock ended the
            recorded ones.
        partial: Let it see as people do, instead of everything.
    """

    def __init__(
        self, instance: Instance, limits: Limits, ten_steps: bool = True, partial: bool = False
    ) -> None:
        entry: Entry = instance.data
        self.script = entry.script()
        self.ten_steps = ten_steps
        gold = self.script.golds[entry.first]
        super().__init__(instance, limits, gold.start.copy(), partial)
        self.game.turns_left = UNLIMITED
        self.game.deal = self.deal
        self.points_before = self.game.score
        self.points = 0
        self.invalid = False
        """Whether a set was taken that was not the next recorded one; nothing counts after that."""
        self.executed = [Executed(entry.first)]
        self.following = [turn for turn in self.script.leader_turns if turn.number > gold.number]
        before = [turn for turn in self.script.leader_turns if turn.number < gold.number]
        self.budget = self.rest_of_budget(before[-1], gold.number) if before else None
        self.settle()
        self.look()

    def rest_of_budget(self, turn: LeaderTurn, number: int) -> int | None:
        """What is left of the follower's turn when an entry begins in the middle of it."""
        if turn.budget is None:
            return None
        actions = self.script.recording.actions[turn.number + 1 : number]
        return turn.budget - sum(action.name != "WAIT" for _, action in actions)

    @property
    def role(self) -> str | None:
        """`follower` until the recorded leader has nothing more to say, or the game has gone another way."""
        return None if self.ended or self.game.role == LEADER else "follower"

    @property
    def ended(self) -> bool:
        """Whether the game has gone another way; the first instruction is finished even so."""
        return self.invalid and len(self.executed) > 1

    def menu(self, role: str) -> Mapping[str, Offer]:
        """Moves, and that an instruction is done: a recorded leader cannot be asked."""
        return menus(Options())[role]

    def goal(self, role: str) -> str:
        """To do as told."""
        return "Do what the leader's instructions ask, one after the other."

    def carry_out(self, role: str, act: Act) -> Outcome:
        """Carry out the follower's act, and the recorded leader's turn when it is the leader's."""
        action, now = action_of(act), self.executed[-1]
        card = self.game.flipped(FOLLOWER, action.name)
        outcome = self.attempt(FOLLOWER, action)
        if not outcome.success:
            return outcome
        now.actions.append(action.name)
        if card:
            now.changed ^= {card}
        if self.budget is not None:
            self.budget -= 1
        if action.name == "DONE":
            self.finish()
        elif len(now.actions) >= self.most(now.number):
            self.force_done()
        self.settle()
        return outcome

    def most(self, number: int) -> int:
        """Actions allowed for an instruction: 25, or as many as were recorded."""
        gold = self.script.golds.get(number)
        return max(MOST_ACTIONS, len(gold.actions) if gold else 0)

    def force_done(self) -> None:
        """Finish the instruction of a follower that does not, whoever's turn it is now."""
        if self.game.role == LEADER:
            self.game.instructions[self.game.head].state = "done"
            self.game.head += 1
        else:
            self.attempt(FOLLOWER, DONE)
        self.finish()

    def finish(self) -> None:
        """Keep what came of the instruction and begin the next."""
        now, game = self.executed[-1], self.game
        now.board, now.pose = board(game), (game.position[FOLLOWER], game.heading[FOLLOWER])
        self.executed.append(Executed(now.number + 1))

    def settle(self) -> None:
        """Play recorded leader turns until it is the follower's turn or there are no more."""
        while not self.ended:
            if self.game.role == FOLLOWER:
                if self.budget is None or self.budget > 0 or self.ten_steps:
                    return
                begin_turn(self.game, LEADER)
            elif self.following:
                turn = self.following.pop(0)
                for action in turn.actions:
                    self.attempt(LEADER, action)
                self.attempt(LEADER, DONE)
                self.budget = turn.budget
            elif self.game.queue:
                self.attempt(LEADER, DONE)
                self.budget = None
            else:
                return

    def deal(self, game: Game, taken: tuple[int, ...]) -> dict[int, Card]:
        """The recorded replacement; a set that was not the next recorded one ends the entry."""
        recorded = self.script.taken[self.points_before :]
        if not self.invalid and self.points < len(recorded) and recorded[self.points] == taken:
            self.points += 1
            return dict(self.script.recording.dealt[game.score])
        self.invalid = True
        return {}

    def digest(self) -> str:
        """A fingerprint of the game and of all that the follower did in it."""
        done = [(each.number, each.actions) for each in self.executed]
        return hashlib.sha256(f"{self.game.digest()} {self.points} {done}".encode()).hexdigest()
