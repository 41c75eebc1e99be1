"""The dynamics: what a move does to the world, and the table of rules for whose turn it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from housemates.benchmarks.cerealbar.world.cards import SET_SIZE, Card, deal, draw_set, is_set
from housemates.benchmarks.cerealbar.world.state import (
    CANCELLED,
    DONE_STATE,
    FOLLOWER,
    LEADER,
    MOVES,
    ROLES,
    SECONDS,
    STEPS,
    TURNS,
    Action,
    Game,
    Instruction,
)
from housemates.benchmarks.cerealbar.world.tables import RULES
from housemates.core.outcome import Outcome, Reason, done, refuse

OK = done()


def act(game: Game, role: int, action: Action) -> Outcome:
    """Carry out a player's action, or say which rule it breaks and change nothing."""
    if game.turns_left <= 0:
        return refuse(Reason.OVER, "The game is over: no turns are left.")
    handler = HANDLERS.get(action[0])
    if handler is None:
        return refuse(
            Reason.UNKNOWN_ACT, f"Unknown action {action[0]!r}: expected one of {', '.join(HANDLERS)}."
        )
    if role != game.role and action[0] not in OUT_OF_TURN:
        return refuse(Reason.NOT_YOUR_TURN, f"It is the {ROLES[game.role]}'s turn, not the {ROLES[role]}'s.")
    return handler(game, role, action)


def move(game: Game, role: int, name: str) -> Outcome | None:
    """Turn or step (the paper's T_w): stepping onto a card flips it. Returns a refusal, or None."""
    if name == "RL":
        game.heading[role] = (game.heading[role] - 1) % 6
    elif name == "RR":
        game.heading[role] = (game.heading[role] + 1) % 6
    else:
        to = game.destination(role, name)
        if to < 0:
            return refuse(Reason.BLOCKED, "The way is blocked: a step into an obstacle is no move.")
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
    if len(game.selected) == SET_SIZE and is_set([game.cards[i] for i in game.selected]):
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
    cards = draw_set(rng) if game.options.deal_sets else deal(rng, SET_SIZE, table)
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
        return refuse(
            Reason.NOT_NOW, "Rule 4: the leader has no steps left; instruct the follower or end the turn."
        )
    refusal = move(game, role, action[0])
    if refusal is None:
        rule.then(game, "")
    return refusal or OK


def _handle_done(game: Game, role: int, action: Action) -> Outcome:
    rule = rule_for(game, role, "DONE")
    if rule is None:
        return refuse(Reason.NOT_NOW, "Rule 6: the follower has no instruction to finish.")
    rule.then(game, "")
    return OK


def _handle_say(game: Game, role: int, action: Action) -> Outcome:
    rule = rule_for(game, role, "SAY")
    if rule is None:
        return refuse(Reason.NOT_OFFERED, "Rule 1: only the leader gives instructions.")
    text, longest = " ".join(action.text.split()), RULES["instruction"]["longest"]
    if not text:
        return refuse(Reason.MALFORMED, "Rule 1: an instruction needs words, found an empty one.")
    if len(text) > longest:
        return refuse(Reason.MALFORMED, f"Rule 1: expected at most {longest} characters, found {len(text)}.")
    rule.then(game, text)
    return OK


def _handle_wait(game: Game, role: int, action: Action) -> Outcome:
    """Let time pass; a turn whose time is up ends, whatever is left of it."""
    if not 0 <= action.amount < 1e6:
        return refuse(
            Reason.MALFORMED, f"To wait, expected a number of seconds from 0, found {action.amount:g}."
        )
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
        return refuse(Reason.NOT_OFFERED, "This game was begun without the option to interrupt.")
    if role != LEADER or game.role != FOLLOWER:
        return refuse(Reason.NOT_NOW, "Only the leader interrupts, and only in the follower's turn.")
    for instruction in game.queue:
        instruction.state = CANCELLED
    game.head = len(game.instructions)
    begin_turn(game, LEADER)
    return OK


def _handle_feedback(game: Game, role: int, action: Action) -> Outcome:
    if not game.options.feedback or role != LEADER or action.amount not in (1, -1):
        return refuse(
            Reason.NOT_OFFERED, "Feedback needs the option for it and is the leader's: good or bad."
        )
    game.messages.append((role, "feedback", "good" if action.amount > 0 else "bad"))
    return OK


def _handle_ask(game: Game, role: int, action: Action) -> Outcome:
    """The follower asks, or the leader answers."""
    text = " ".join(action.text.split())
    if not game.options.questions or not 0 < len(text) <= RULES["instruction"]["longest"]:
        told = "A question needs the option for it and a text that is neither empty nor too long."
        return refuse(Reason.MALFORMED if game.options.questions else Reason.NOT_OFFERED, told)
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
