"""Whose turn it is in a game, what leader and follower may do, and what they perceive of it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from housemates.benchmarks.cerealbar.world.dynamics import OK, act
from housemates.benchmarks.cerealbar.world.observe import Memory, Observation, observe
from housemates.benchmarks.cerealbar.world.state import (
    DONE,
    FOLLOWER,
    INTERRUPT,
    LEADER,
    ROLES,
    STEPS,
    Action,
    Game,
    Options,
    say,
    wait,
)
from housemates.benchmarks.cerealbar.world.tables import RULES
from housemates.benchmarks.cerealbar.world.words import tell
from housemates.core.actions import Act, Argument, Offer
from housemates.core.benchmark import Instance
from housemates.core.outcome import Outcome, Reason, refuse
from housemates.core.percepts import Limits, Utterance
from housemates.core.session import Session

MOVES = {"Forward": "MF", "Backward": "MB", "TurnLeft": "RL", "TurnRight": "RR"}
"""Name of an offer -> the game's own name of the move."""
ACTIONS = {name: Action(move) for name, move in MOVES.items()} | {
    "EndTurn": DONE,
    "Done": DONE,
    "Interrupt": INTERRUPT,
}
"""Name of an offer that needs nothing -> the game's action."""
ACTS = {move: Act(name) for name, move in MOVES.items()}
END_TURN, FINISHED, WATCH = Act("EndTurn"), Act("Done"), Act("Watch")
LONGEST = RULES["instruction"]["longest"]
FEEDBACK = {"good": 1.0, "bad": -1.0}
REACTIONS = frozenset({"Watch", "Interrupt", "Answer"})
"""What the leader may do only at a moment in the follower's turn."""
PICTURES = {"leader": ("map", "overhead"), "follower": ("view",)}
_TEXT = (Argument("text", "text", f"In English, at most {LONGEST} characters."),)
OFFERS = (
    Offer("Forward", "Step onto the hex ahead; a card there is selected, or no longer so."),
    Offer("Backward", "Step onto the hex behind without turning; a card there is selected, or no longer so."),
    Offer("TurnLeft", "Turn left by a sixth of a circle."),
    Offer("TurnRight", "Turn right by a sixth of a circle."),
    Offer("EndTurn", "End your turn; the follower is next if an instruction waits for it."),
    Offer("Say", "Give the follower an instruction; it comes after those that wait.", _TEXT),
    Offer("Done", "The current instruction is done; the next one is shown, or your turn ends."),
    Offer("Watch", "Let the follower go on."),
    Offer("Interrupt", "Cancel all instructions and take the turn back."),
    Offer(
        "Feedback",
        "Tell the follower what you think of what it does.",
        (Argument("feedback", "choice", choices=tuple(FEEDBACK)),),
    ),
    Offer("Answer", "Answer the follower's question.", _TEXT),
    Offer("Ask", "Ask the leader something.", _TEXT),
    Offer("Wait", "Let time pass.", (Argument("seconds", "number", "A turn ends when its time is up."),)),
)
_RULES = (
    "Leader and follower collect sets of cards on a map of hexagons. A set is three cards that differ in "
    "colour, in shape and in count. When exactly three cards are selected and they are a set, both score a "
    "point, three new cards appear and turns are added. A player who steps on a card selects it, or undoes "
    "its selection; turning on a card does nothing. The leader has "
    f"{STEPS[LEADER]} steps a turn, the follower {STEPS[FOLLOWER]}; to turn by a sixth of a circle is a "
    "step too. Water, hills and everything that stands on a hex block the way."
)
_TOLD = {
    "leader": "You lead: you see the whole map, take cards yourself, and tell the follower in English what "
    "to do. It sees only what is before it. End your turn when you have said all.",
    "follower": "You follow: do what the current instruction asks, then say that it is done. Instructions "
    "come one after the other; your turn ends with your steps or with the last instruction.",
}


class Clock(Protocol):
    """Gives the time that passes before each action."""

    def seconds(self, role: int, last: Action | None) -> float:
        """Seconds until a player acts, given its last action in this turn."""


@lru_cache(maxsize=32)
def menus(options: Options, clock: bool = False) -> Mapping[str, Mapping[str, Offer]]:
    """All that each role can ever do in games with these options."""
    extra = {
        "Watch": options.interrupt or options.feedback or options.questions,
        "Interrupt": options.interrupt,
        "Feedback": options.feedback,
        "Answer": options.questions,
        "Ask": options.questions,
        "Wait": clock,
    }
    others = {
        "leader": {"Done", "Ask"},
        "follower": {"EndTurn", "Say", "Watch", "Interrupt", "Feedback", "Answer"},
    }
    return {
        role: {each.name: each for each in OFFERS if each.name not in other and extra.get(each.name, True)}
        for role, other in others.items()
    }


def action_of(act: Act) -> Action:
    """The game's action for an act."""
    if act.name in ACTIONS:
        return ACTIONS[act.name]
    if act.name in ("Say", "Ask", "Answer"):
        return say(act.arguments["text"]) if act.name == "Say" else Action("ASK", act.arguments["text"])
    if act.name == "Feedback":
        return Action("FEEDBACK", "", FEEDBACK.get(act.arguments["feedback"], 0.0))
    return wait(act.arguments["seconds"])


class CardGame(Session):
    """What whole and recorded games have in common: a game, and what each role perceives of it.

    Args:
        instance: Names the episode.
        limits: When it is cut off.
        game: As it begins; it belongs to the session from now on.
        partial: Let the follower see as people do, instead of everything.
        clock: Offer to wait.
    """

    def __init__(
        self, instance: Instance, limits: Limits, game: Game, partial: bool = False, clock: bool = False
    ) -> None:
        super().__init__(instance, limits)
        self.game = game
        self.memory = Memory() if partial else None
        if self.memory is not None:
            self.memory.look(game)
        self.heard = [(i, Utterance("leader", item.text)) for i, item in enumerate(game.instructions)]
        """What was said, with the number of the instruction; -1 if it is none."""
        self.gained = 0
        self._menus = menus(game.options, clock)
        self._offers: dict[tuple[str, tuple[str, ...]], tuple[Offer, ...]] = {}

    def menu(self, role: str) -> Mapping[str, Offer]:
        """Moves, and what the role says."""
        return self._menus[role]

    def rules(self, role: str) -> str:
        """How the game goes."""
        return f"{_RULES} {_TOLD[role]}"

    def goal(self, role: str) -> str:
        """The same for both: points."""
        return "Score as many points as you can together before the turns run out."

    def settings(self, role: str) -> Mapping[str, Any]:
        """How the game differs from the published one, and whether the follower sees everything."""
        return {**asdict(self.game.options), "view": "full" if self.memory is None else "partial"}

    def offers(self, role: str) -> tuple[Offer, ...]:
        """What would not be refused for what is known now."""
        legal = self.game.legal(ROLES.index(role))
        if (role, legal) not in self._offers:
            blocked = {name for name, move in MOVES.items() if move not in legal}
            menu = self.menu(role).items() if legal else ()
            self._offers[role, legal] = tuple(
                offer for name, offer in menu if name not in blocked and name not in REACTIONS
            )
        return self._offers[role, legal]

    def text(self, role: str) -> str:
        """Place, surroundings, partner, instructions, cards and landmarks."""
        return tell(self.view(role))

    def view(self, role: str) -> Observation:
        """What the role knows, as values."""
        return observe(self.game, ROLES.index(role), self.memory)

    def said(self, role: str) -> Sequence[Utterance]:
        """What was said; the follower has not heard instructions that wait."""
        upto = self.game.head if role == "follower" else len(self.game.instructions)
        return [told for number, told in self.heard if number <= upto]

    def pictures(self, role: str) -> Sequence[str]:
        """The leader's two maps, the follower's own view."""
        return PICTURES[role]

    def draw(self, role: str, name: str) -> np.ndarray:
        """Draw one of them."""
        from housemates.benchmarks.cerealbar.world.views import follower_picture, leader_picture

        if name not in PICTURES[role]:
            return super().draw(role, name)
        return (
            follower_picture(self.game) if name == "view" else leader_picture(self.game, name == "overhead")
        )

    def reward(self, role: str) -> float:
        """Points that the last act brought, whoever acted."""
        return float(self.gained)

    def do(self, role: str, act: Act) -> Outcome:
        """Carry out an act; the follower looks around after it if it is its turn."""
        before = self.game.score
        outcome = self.carry_out(role, act)
        self.gained = self.game.score - before
        self.look()
        return outcome

    @abstractmethod
    def carry_out(self, role: str, act: Act) -> Outcome:
        """Let a role act in the game."""

    def attempt(self, role: int, action: Action) -> Outcome:
        """Carry out an action of the game, and keep what is said by it."""
        outcome = act(self.game, role, action)
        if action.text and outcome.success:
            number = len(self.game.instructions) - 1 if action.name == "SAY" else -1
            text = self.game.instructions[-1].text if action.name == "SAY" else self.game.messages[-1][2]
            self.heard.append((number, Utterance(ROLES[role], text)))
        return outcome

    def look(self) -> None:
        """Let a follower who has to look around do so when it is its turn."""
        if self.memory is not None and self.game.role == FOLLOWER:
            self.memory.look(self.game)

    def facts(self) -> dict[str, str]:
        """Cards, instructions, turns and score."""
        return self.game.facts()

    def digest(self) -> str:
        """A fingerprint of the game's state."""
        return self.game.digest()


class GameSession(CardGame):
    """A whole game between two players.

    Where the leader may interrupt, approve or answer, it gets a moment to do so after each of the follower's
    acts that it may react to.

    Args:
        instance: Names the episode; its seed is the game's.
        limits: When it is cut off.
        game: As it begins.
        partial: Let the follower see as people do, instead of everything.
        clock: Whether players may wait, or a clock that makes them wait before each act.
    """

    def __init__(
        self,
        instance: Instance,
        limits: Limits,
        game: Game,
        partial: bool = False,
        clock: bool | Clock = False,
    ) -> None:
        super().__init__(instance, limits, game, partial, clock is True)
        self.clock = clock if not isinstance(clock, bool) else None
        self.initial: dict[str, Any] = instance.data
        """The first state, as `Game.snapshot` gives it, where the instance tells."""
        self.actions: list[tuple[int, Action]] = []
        """All that was done, waiting included."""
        self.seconds = 0.0
        """Time that the clock has let pass."""
        self.watching = False
        """Whether this is the leader's moment in the follower's turn."""
        self._before: tuple[int, Action | None] = (-1, None)
        self.pass_time()
        self.look()

    @property
    def role(self) -> str | None:
        """Whose turn it is, or the leader's moment; None when the game is over."""
        if self.game.turns_left <= 0:
            return None
        return ROLES[LEADER if self.watching else self.game.role]

    def settings(self, role: str) -> Mapping[str, Any]:
        """Those of all games; for the leader also `manner`, from which scripted ones draw how they speak."""
        found = super().settings(role)
        if role == "follower":
            return found
        drawn = np.random.SeedSequence([self.game.seed, 29]).generate_state(4, np.uint64)
        return {**found, "manner": drawn.tolist()}

    def offers(self, role: str) -> tuple[Offer, ...]:
        """What would not be refused; at a moment in the follower's turn, what the leader may do with it."""
        if not self.watching or role == "follower":
            return super().offers(role)
        return tuple(
            offer for name, offer in self.menu(role).items() if name in REACTIONS or name == "Feedback"
        )

    def carry_out(self, role: str, act: Act) -> Outcome:
        """Let a role act in the game."""
        if act.name == "Watch":
            if not self.watching:
                return refuse(Reason.NOT_NOW, "Watch: it is your turn; there is nothing to watch.")
            self.watching = False
            return OK
        number, turn, action = ROLES.index(role), self.game.turn, action_of(act)
        outcome = self.attempt(number, action)
        if outcome.success:
            self._before = (turn, action)
            self.watching = number == FOLLOWER == self.game.role and self.may_react(act)
            self.pass_time()
        return outcome

    def attempt(self, role: int, action: Action) -> Outcome:
        """Carry out an action of the game, and keep it."""
        outcome = super().attempt(role, action)
        if outcome.success:
            self.actions.append((role, action))
        return outcome

    def may_react(self, act: Act) -> bool:
        """Whether the leader may do something about an act of the follower."""
        options = self.game.options
        return options.interrupt or options.feedback or act.name == "Ask"

    def pass_time(self) -> None:
        """Let the clock run until a player acts."""
        while self.clock and not self.game.over:
            turn, role = self.game.turn, self.game.role
            pause = self.clock.seconds(role, self._before[1] if self._before[0] == turn else None)
            if pause:
                self.seconds += pause
                self.attempt(role, wait(pause))
            if self.game.turn == turn:
                return
