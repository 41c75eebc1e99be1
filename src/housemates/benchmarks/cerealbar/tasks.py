"""What is asked: play a whole game, scored by its points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from housemates.benchmarks.base import Agent, Instance, Limits, Outcome, Session, Trace
from housemates.benchmarks.cerealbar.baselines import CoordinateFollower, IdlePlayer, RandomPlayer
from housemates.benchmarks.cerealbar.leader import Leader
from housemates.benchmarks.cerealbar.observe import Memory, Observation, observe
from housemates.benchmarks.cerealbar.world import LEADER, ROLES, Action, Game, Options, new_game
from housemates.errors import HousematesError


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
        return self.game.act(self.game.role, action)
