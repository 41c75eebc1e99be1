"""How the seats of a benchmark look to learners: the base of every benchmark's `env.py`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from gymnasium import spaces

from housemates.core.actions import Act, Menu
from housemates.core.benchmark import Benchmark
from housemates.core.session import Session
from housemates.render.agent_camera import Eyes


class Encoding(ABC):
    """How the seats of a benchmark look to learners: spaces, and the way between them and percepts and acts.

    Args:
        benchmark: Made with the same options as `housemates eval` takes.
        settings: What an encoding itself can be told, such as which arrays are wanted.
    """

    benchmark: ClassVar[str]
    """Name of the benchmark."""
    learner: ClassVar[str]
    """The seat that a Gymnasium environment is for; the others are filled by agents."""
    split: ClassVar[str] = "generated"
    """Where instances come from if nobody says."""

    def __init__(self, benchmark: Benchmark, **settings: Any) -> None:
        self.options = benchmark.options
        self.settings = settings

    @abstractmethod
    def menu(self, role: str) -> Menu:
        """Everything that a role can ever do, by name, as flat actions number it."""

    @abstractmethod
    def observation_space(self, role: str) -> spaces.Dict:
        """What a role perceives, the arrays of its picture (`rgb`, `ids`, `depth`) among them."""

    @abstractmethod
    def action_space(self, role: str) -> spaces.Space[Any]:
        """The space of the actions that `act` takes."""

    @abstractmethod
    def observation(self, session: Session, role: str) -> dict[str, Any]:
        """What a role perceives, as an element of its space; arrays are copies.

        Where `eyes` answers, the arrays of the picture are left to them.
        """

    @abstractmethod
    def act(self, role: str, action: Any) -> Act:
        """The act that an element of the action space means; others raise HousematesError."""

    def eyes(self, session: Session, role: str) -> Eyes | None:
        """Whose picture a role has, if `observation` does not give it."""
        return None
