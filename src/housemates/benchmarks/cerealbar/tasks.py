"""What is asked: play a whole game, scored by its points."""

from __future__ import annotations

from typing import Any

from housemates.benchmarks.base import Outcome
from housemates.benchmarks.cerealbar.observe import Memory, Observation, observe
from housemates.benchmarks.cerealbar.state import ROLES, Action, Game
from housemates.benchmarks.cerealbar.world import act


class GameSession:
    """One running game between two players."""

    def __init__(self, game: Game, partial: bool = False) -> None:
        self.game = game
        self.memory = Memory() if partial else None

    @property
    def role(self) -> str | None:
        """Whose turn it is; None when the game is over."""
        return None if self.game.over else ROLES[self.game.role]

    def observe(self) -> Observation:
        """What that player perceives."""
        return observe(self.game, self.game.role, self.memory)

    def act(self, action: Any) -> Outcome:
        """Carry out an `Action`, or the name of a move."""
        if isinstance(action, str):
            action = Action(action)
        if not isinstance(action, Action):
            return Outcome(False, f"Expected an Action or the name of a move, found {action!r}.")
        return act(self.game, self.game.role, action)
