"""A running task: the robot sees, is told what came of its last skill, and has thirty of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from housemates.benchmarks.alfred.session import RobotSession
from housemates.benchmarks.alfred.tasks.episode import Episode
from housemates.benchmarks.alfred.tasks.goals import progress
from housemates.benchmarks.alfred.world.agent_camera import Sight
from housemates.benchmarks.alfred.world.dynamics import AlfredWorld
from housemates.benchmarks.eb_alfred.world.robot import Robot
from housemates.core.actions import Act, Argument, Menu, Offer
from housemates.core.benchmark import Instance
from housemates.core.outcome import Outcome, Reason, done, refuse
from housemates.core.percepts import Handle, Limits
from housemates.errors import HousematesError
from housemates.render.frames import Frame

AGENT = "agent"
VIEW = "view"
SIDE_PX = 500
LIMITS = Limits(steps=30, failures=10)
SKILL = Offer(
    "Skill", "Carry out a skill of the list.", (Argument("skill", "choice", "Which one, in its own words."),)
)
STOP = Offer("Stop", "End the episode: there is nothing more to do.")
MENU: Menu = {offer.name: offer for offer in (SKILL, STOP)}
RULES = """\
You are a robot in a home and see what is before you. You act in skills. "find" takes you to a thing and is \
needed before all else that is done to it; of several of a kind, `Cabinet_2` and the like are further ones. \
You hold one thing; what is in a closed receptacle can only be taken once that is open. "put down the object \
in hand" puts it into the receptacle that you have just found. Things are washed under a running faucet, \
heated in a microwave that is closed and on, cooled in a closed fridge, and sliced with a knife in hand. You \
have {steps} skills, of which {failures} may fail."""


@dataclass(frozen=True)
class View:
    """What the robot perceives, as values."""

    instruction: str
    skills: tuple[str, ...]
    """All that it can be told, in the order of their numbers."""
    feedback: str
    """What was answered to the last skill; empty at first."""
    held: str
    """The type of what is in hand; empty if nothing is."""
    frame: Handle
    """A call that gives the picture with the thing and the depth at each pixel: a `Frame` to be kept."""


class EBAlfredSession(RobotSession):
    """A task, which is over when its goal conditions are met or the robot stops."""

    def __init__(self, instance: Instance, limits: Limits = LIMITS, side: int = SIDE_PX) -> None:
        super().__init__(instance, limits)
        self.episode: Episode = instance.data
        if self.episode.task is None:
            raise HousematesError(f"{self.episode.id}: its file does not tell what is asked.")
        self.world = AlfredWorld(self.episode.start)
        self.robot = Robot(self.world)
        self.sight = Sight(self.world.home, side, side)
        self.stopped = False
        self.feedback = ""
        self.progress = progress(self.episode.task, self.world)
        self._brought = 0.0

    @property
    def role(self) -> str | None:
        """The robot, until it has done what is asked or stops."""
        return None if self.stopped or self.progress.success else AGENT

    def menu(self, role: str) -> Menu:
        """A skill, and stopping the episode."""
        return MENU

    def offers(self, role: str) -> tuple[Offer, ...]:
        """The skills of this home, whether or not they would work now."""
        (skill,) = SKILL.arguments
        there = Argument(skill.name, skill.kind, skill.help, self.robot.skills)
        return (Offer(SKILL.name, SKILL.help, (there,)), STOP)

    def rules(self, role: str) -> str:
        """How things go, in words."""
        return RULES.format(steps=self.limits.steps, failures=self.limits.failures)

    def goal(self, role: str) -> str:
        """The instruction, as a person wrote it."""
        return self.episode.goal

    def settings(self, role: str) -> Mapping[str, Any]:
        """The size of the picture."""
        return {"width": self.sight.width, "height": self.sight.height}

    def text(self, role: str) -> str:
        """The instruction, what is held, and what was answered to the last skill."""
        held = self.world.home.held
        lines = [f"Your task: {self.episode.goal}", f"You hold {held.type if held else 'nothing'}."]
        return "\n".join([*lines, self.feedback] if self.feedback else lines)

    def view(self, role: str) -> View:
        """The same as values, with a call for the picture."""
        held = self.world.home.held
        return View(
            self.episode.goal,
            self.robot.skills,
            self.feedback,
            held.type if held else "",
            self.handle("frame"),
        )

    def frame(self) -> Frame:
        """The picture with the thing and the depth at each pixel, to be kept."""
        return self.sight.copy()

    def pictures(self, role: str) -> Sequence[str]:
        """What the robot sees."""
        return (VIEW,)

    def draw(self, role: str, name: str) -> np.ndarray:
        """Draw what the robot sees."""
        return self.sight.look().rgb if name == VIEW else super().draw(role, name)

    def do(self, role: str, act: Act) -> Outcome:
        """Carry out a skill, or stop."""
        if act.name == STOP.name:
            self.stopped, self._brought = True, 0.0
            return done("You stop.")
        skill = act.arguments["skill"]
        if skill not in self.robot.skills:
            self._brought = 0.0
            return refuse(Reason.UNKNOWN_ACT, f"There is no skill {skill[:60]!r} here.")
        outcome = self.robot.do(skill)
        before = self._share()
        assert self.episode.task is not None
        self.progress = progress(self.episode.task, self.world)
        self._brought = self._share() - before
        if outcome.success:
            self.feedback = "Last action executed successfully."
            return done(self.feedback)
        self.feedback = f"Last action is invalid. {outcome.message}"
        return refuse(outcome.reason, self.feedback, **outcome.data)

    def _share(self) -> float:
        return self.progress.met / max(self.progress.total, 1)
