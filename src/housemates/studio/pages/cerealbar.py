"""CerealBar's two seats: the leader's board, the follower's eyes, and turns whose time is up."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

import msgspec

from housemates.benchmarks.cerealbar.formats.episodes import recording_of
from housemates.benchmarks.cerealbar.formats.official import to_official
from housemates.benchmarks.cerealbar.session import MOVES, CardGame, GameSession
from housemates.benchmarks.cerealbar.world.state import ROLES, SECONDS, STEPS, Game, restore, wait
from housemates.core.actions import Act
from housemates.core.benchmark import Benchmark, Instance
from housemates.core.outcome import Outcome, Reason, done, refuse
from housemates.core.percepts import Limits
from housemates.core.session import Session
from housemates.files import shipped
from housemates.studio.pages import SCALE, Clock, Drawing, Page
from housemates.studio.pages.cerealbar_board import board_ahead, legend, whole_board

TIME_UP: Mapping[str, Any] = {"name": "Wait", "arguments": {"seconds": 0}}
"""What is done for a player whose time is up; the time itself passes before every act."""
READING_S = 120.0
"""Seconds of a person's first turn that do not count: they may still be reading the instructions."""

TOLD: Mapping[str, Any] = shipped(__package__, "cerealbar.toml")
"""The rules, and the quiz about them."""


class TimedGame(GameSession):
    """A game in which time passes between acts as it does for people."""

    def __init__(
        self,
        instance: Instance,
        limits: Limits,
        game: Game,
        partial: bool,
        people: Collection[str],
        clock: Clock,
    ) -> None:
        """Begin; time passes from the first act on.

        Args:
            instance: Names the episode.
            limits: When it is cut off.
            game: As it begins.
            partial: Let the follower see as people do.
            people: The roles whose time passes; agents may think.
            clock: Tells when the act that is being done was done.
        """
        self.people = people
        self._now = clock
        self._since: float | None = None
        self._begun: set[str] = set()
        """The roles that have acted."""
        super().__init__(instance, limits, game, partial, True)

    @property
    def seconds_left(self) -> float | None:
        """Of a person's turn, since the last act; None in an agent's, and before a person's first act."""
        return self._left if ROLES[self.game.role] in self._begun else None

    @property
    def deadline(self) -> float | None:
        """Seconds after the last act when a person's turn is over, reading included; None for an agent's."""
        return None if self._left is None else self._left + self._reading

    @property
    def _left(self) -> float | None:
        game = self.game
        timed = not game.over and ROLES[game.role] in self.people and self._since is not None
        return max(0.0, SECONDS[game.role] - game.clock) if timed else None

    @property
    def _reading(self) -> float:
        return 0.0 if ROLES[self.game.role] in self._begun else READING_S

    def carry_out(self, role: str, act: Act) -> Outcome:
        """Let the time since the last act pass, then act, if the turn is not over by then."""
        now, turn = self._now(), self.game.turn
        passed = max(0.0, now - self._since - self._reading) if self._since is not None else 0.0
        self._since = now
        if self._left is not None and passed:
            self.attempt(self.game.role, wait(round(passed, 3)))
        if self.game.turn != turn:
            told = "Your time was up."
            return done(told) if act.name == "Wait" else refuse(Reason.OVER, told)
        if act.name != "Wait":
            self._begun.add(role)
        return super().carry_out(role, act)


class CerealBarPage(Page):
    """Leader and follower of a game."""

    name = "cerealbar"
    benchmarks: ClassVar[tuple[str, ...]] = ("cerealbar",)
    module = "cerealbar.js"
    title = "CerealBar"
    tutorials: ClassVar[tuple[str, ...]] = ("cerealbar-leader", "cerealbar-follower")
    rules: ClassVar[Sequence[str]] = TOLD["rules"]
    quiz: ClassVar[Sequence[Mapping[str, Any]]] = TOLD["quiz"]
    survey: ClassVar[Sequence[Mapping[str, Any]]] = (
        {
            "name": "partner",
            "kind": "scale",
            "label": "How well did you and your partner work together?",
            "choices": SCALE,
        },
        {"name": "clear", "kind": "scale", "label": "How clear were the instructions?", "choices": SCALE},
        {"name": "comments", "kind": "text", "label": "Anything you would like to tell us?"},
    )

    def options(self, seats: Mapping[str, str]) -> dict[str, Any]:
        """A person who follows sees as people do; an agent there sees everything, as the paper's."""
        return {"view": "full" if seats.get("follower") else "partial", "clock": "yes"}

    def session(
        self, benchmark: Benchmark, instance: Instance, seats: Mapping[str, str], clock: Clock
    ) -> Session:
        """Begin a game, with turns that run out unless a project has `clock` off."""
        if not benchmark.options.clock:
            return benchmark.session(instance)
        partial = benchmark.options.view == "partial"
        people = [role for role in ROLES if not seats.get(role)]
        return TimedGame(instance, benchmark.limits, restore(instance.data), partial, people, clock)

    def deadline(self, session: Session) -> tuple[float, Any] | None:
        """When the turn is over."""
        left = session.deadline if isinstance(session, TimedGame) else None
        return None if left is None else (left, TIME_UP)

    def views(self, session: Session, role: str) -> dict[str, Any]:
        """Numbers, instructions, and the board as far as the role sees it."""
        assert isinstance(session, CardGame)
        game, view = session.game, session.view(role)
        return {
            "board": whole_board(game) if role == "leader" else board_ahead(game),
            "score": game.score,
            "turns_left": game.turns_left,
            "steps": game.steps,
            "most_steps": STEPS[game.role],
            "blocked": blocked(session, role),
            "seconds_left": session.seconds_left if isinstance(session, TimedGame) else None,
            "instructions": [{"text": text, "state": state} for text, state in view.instructions],
        }

    def official(self, session: Session, name: str) -> dict[str, bytes]:
        """The game in the published schema, with its map, so that it can be replayed."""
        assert isinstance(session, GameSession)
        recording = recording_of(name, session.initial, session.actions, session.seconds)
        return {f"{name}.json": msgspec.json.encode({name: to_official(recording)})}

    def legend(self) -> dict[str, Any]:
        """What the page needs to draw the board: shapes, colours and names."""
        return legend()

    def drawings(self, session: Session, role: str) -> Mapping[str, Drawing]:
        """None: the page draws by itself."""
        return {}


def blocked(session: CardGame, role: str) -> dict[str, str]:
    """The moves that would be refused in a role's turn, and why."""
    game = session.game
    if session.role != role:
        return {}
    why = "Nobody can go there." if game.steps else "You have no steps left in this turn."
    legal = game.legal(game.role)
    return {name: why for name, move in MOVES.items() if move not in legal}


PAGES = (CerealBarPage(),)
