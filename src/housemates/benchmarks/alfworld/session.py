"""A running game: the agent reads, gives commands, and has so many steps to reach the goal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np

from housemates.benchmarks.alfworld.formats.games import read_game
from housemates.benchmarks.alfworld.world.playthrough import GameFile, Playthrough
from housemates.benchmarks.alfworld.world.scenery import Scenery
from housemates.core.actions import Act, Argument, Offer
from housemates.core.benchmark import Instance
from housemates.core.outcome import Outcome, Reason, done, refuse
from housemates.core.percepts import Limits
from housemates.core.session import Session
from housemates.errors import HousematesError
from housemates.home.things import Scene
from housemates.render.agent_camera import Eyes

AGENT = "agent"
VIEW = "view"
"""The name of the agent's picture."""
SIZE = (300, 300)
STEPS = 50
"""How many commands the literature allows."""
KEPT = 2000
"""Games that a process keeps ready to be played again; each takes some 200 kB."""
MAX_LENGTH = 200
COMMAND = Offer(
    "Command",
    "Give a command of the text world; one that is not possible now does nothing.",
    (Argument("command", "choice", "What to do."),),
)
MENU: Mapping[str, Offer] = {COMMAND.name: COMMAND}
RULES = """\
You are in a room and read what you see. You go to one receptacle at a time, open those that are closed, and \
carry one thing. Commands are {commands}. A command that is not possible now is answered with "Nothing \
happens." You have {steps} commands to do your task."""


class Record(msgspec.Struct, frozen=True):
    """A game as it was read or made."""

    name: str
    text: str
    """The game file."""
    scene: Scene | None = None
    """The home that the game tells of, if it is known: it can be drawn."""


@dataclass(frozen=True)
class View:
    """What the agent knows, as values."""

    text: str
    """What was answered to the last command; the opening at first."""
    task: str
    commands: tuple[str, ...]
    """Every command that would do something now, sorted."""


@lru_cache(maxsize=KEPT)
def game_of(record: Record) -> GameFile:
    """The game of a record, made ready once."""
    return read_game(record.text, record.name)


class AlfworldSession(Session):
    """A running game; it ends when the goal is reached."""

    told_once = True

    def __init__(self, instance: Instance, limits: Limits, size: tuple[int, int] = SIZE) -> None:
        super().__init__(instance, limits)
        record: Record = instance.data
        self.play = Playthrough(game_of(record))
        self.size = size
        self._scene = record.scene
        self._scenery: Scenery | None = None
        self._earned = 0.0

    @property
    def won(self) -> bool:
        """Whether the goal is reached."""
        return self.play.won

    @property
    def role(self) -> str | None:
        """The agent, until it wins."""
        return None if self.play.won else AGENT

    def menu(self, role: str) -> Mapping[str, Offer]:
        """Commands, and nothing else."""
        return MENU

    def offers(self, role: str) -> tuple[Offer, ...]:
        """A command, with those that would do something now."""
        (command,) = COMMAND.arguments
        now = Argument(command.name, command.kind, command.help, tuple(self.play.commands()))
        return (Offer(COMMAND.name, COMMAND.help, (now,)),)

    def rules(self, role: str) -> str:
        """How things go, in words."""
        forms = self.play.file.dialect.templates
        return RULES.format(commands=", ".join(f'"{each}"' for each in forms), steps=self.limits.steps)

    def goal(self, role: str) -> str:
        """The task, as the game words it."""
        return self.play.file.game.task

    def settings(self, role: str) -> Mapping[str, Any]:
        """How many commands there are."""
        return {"steps": self.limits.steps}

    def text(self, role: str) -> str:
        """What the game says: its opening at first, then the answer to the last command."""
        return self.play.text

    def view(self, role: str) -> View:
        """The same with the task and the commands that are possible."""
        return View(self.play.text, self.play.file.game.task, tuple(self.play.commands()))

    def act(self, action: Any) -> Outcome:
        """Carry out an act; a line that is none of another form is a command, whatever it says."""
        if isinstance(action, str) and not action.lstrip().startswith("{"):
            action = Act("Command", {"command": action[: MAX_LENGTH + 1]})
        return super().act(action)

    def do(self, role: str, act: Act) -> Outcome:
        """Carry out a command."""
        answer = self.play.step(act.arguments["command"])
        self._earned = float(self.play.won)
        if self.play.done_something:
            return done(answer)
        return refuse(Reason.NOT_POSSIBLE, answer)

    def misunderstood(self, role: str, refusal: Outcome) -> Outcome:
        """What is no command does nothing."""
        self._earned = 0.0
        return refusal

    def reward(self, role: str) -> float:
        """1 when the goal is reached."""
        return self._earned

    def facts(self) -> dict[str, str]:
        """Where the agent is, what it holds, and what each receptacle holds."""
        return self.play.facts()

    def eyes(self) -> Eyes:
        """What the agent sees at this moment; a game whose home is not known raises HousematesError."""
        if self._scenery is None:
            if self._scene is None:
                raise HousematesError("This game has no pictures: nothing is known of its home but words.")
            self._scenery = Scenery(self._scene, self.play.file.game, *self.size)
        return self._scenery.show(self.play.state)

    def pictures(self, role: str) -> Sequence[str]:
        """What the agent sees, where the home is known; of published games there are only words."""
        return () if self._scene is None else (VIEW,)

    def draw(self, role: str, name: str) -> np.ndarray:
        """Draw what the agent sees."""
        return self.eyes().look().rgb if name == VIEW else super().draw(role, name)

    def digest(self) -> str:
        """A fingerprint of the state."""
        return self.play.state.digest()
