"""One running episode: what the agent is told, what it perceives, and what its acts do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from housemates.benchmarks.alfred.tasks.episode import Episode
from housemates.benchmarks.alfred.tasks.goals import BY_SIGHT, Progress, progress
from housemates.benchmarks.alfred.tasks.subgoals import reached
from housemates.benchmarks.alfred.world import descriptions
from housemates.benchmarks.alfred.world.agent_camera import SIDE_PX, Sight
from housemates.benchmarks.alfred.world.body import AlfredBody
from housemates.benchmarks.alfred.world.dynamics import MOVES, STOP, AlfredWorld
from housemates.benchmarks.alfred.world.menu import MENUS, MENUS_BY_NAME, SKILLED, offers_now
from housemates.core.actions import Act, Offer
from housemates.core.benchmark import Instance
from housemates.core.outcome import Outcome, Reason, refuse
from housemates.core.percepts import Handle, Limits
from housemates.core.session import Session
from housemates.errors import HousematesError
from housemates.home.facts import facts
from housemates.home.naming import NamesOption, NamingSession
from housemates.home.skills.executor import Hands
from housemates.render.frames import Frame
from housemates.render.looks import LooksName, seed_for
from housemates.render.maps import top_down

AGENT = "agent"
VIEW = "view"
"""The name of the agent's picture."""


@dataclass(frozen=True)
class View:
    """What the agent perceives, as values."""

    goal: str
    instructions: tuple[str, ...]
    last: Outcome | None
    """What came of the last act."""
    held: str
    """The type of what is in the hand; empty if nothing is."""
    frame: Handle
    """A call that gives the picture with the thing and the depth at each pixel: a `Frame` to be kept."""
    past: Handle
    """A call that gives what was seen and done before the agent's part: pairs of a picture and an action."""


class RobotSession(Session):
    """One robot in a home of ALFRED's, which is rewarded by the goal conditions that it meets."""

    world: AlfredWorld
    sight: Sight
    _brought: float

    def misunderstood(self, role: str, refusal: Outcome) -> Outcome:
        """What makes no sense is a failed action that brings nothing."""
        self._brought = 0.0
        return refusal

    def reward(self, role: str) -> float:
        """By how much the share of goal conditions that are met has changed with the last act."""
        return self._brought

    def overview(self) -> np.ndarray:
        """The home from above."""
        return top_down(self.sight.renderer)

    def facts(self) -> dict[str, str]:
        """The home, thing by thing."""
        return facts(self.world.home)

    def digest(self) -> str:
        """A fingerprint of the world's state."""
        return self.world.digest()


class AlfredSession(RobotSession, NamingSession):
    """A whole task, which is over when the agent stops, or a sub-goal, which is over when it is reached."""

    def __init__(
        self,
        instance: Instance,
        limits: Limits,
        pointing: str = "any",
        size: tuple[int, int] = (SIDE_PX, SIDE_PX),
        skilled: bool = False,
        looks: LooksName = "plain",
        names: NamesOption = "ids",
    ) -> None:
        """Begin an episode, and do what comes before the agent's part.

        Args:
            instance: Its data is an `Episode`.
            limits: When it is cut off.
            pointing: One of `menu.POINTING`.
            size: Width and height of the picture, and of masks, in pixels.
            skilled: Whether the agent acts in skills.
            looks: How the home looks.
            names: How things are named.
        """
        super().__init__(instance, limits)
        self.episode: Episode = instance.data
        self.pointing = pointing
        self.world = AlfredWorld(self.episode.start)
        self.world.home.looks = seed_for(looks, instance.id, instance.seed)
        self.name_things(names, self.world.home, (AGENT,))
        self.sight = Sight(self.world.home, *size)
        for action, target in self.episode.prefix:
            outcome = self.world.act(action, target)
            if not outcome.success:
                raise HousematesError(f"{self.episode.id}: the demonstration fails here: {outcome.message}")
        self.stopped = False
        self.hands = Hands(AlfredBody(self.world, self.sight)) if skilled else None
        """Who carries out skills, if the agent acts in them."""
        task = self.episode.task
        self._by_sight = self.episode.target is not None or (task is not None and task.type in BY_SIGHT)
        self._share = self._met()
        self._brought = 0.0

    @property
    def role(self) -> str | None:
        """The agent, until it stops or has reached its sub-goal."""
        return None if self.stopped or self.reached else AGENT

    @property
    def reached(self) -> bool:
        """Whether the sub-goal is; a whole task is only over when the agent stops."""
        return self.episode.target is not None and self._share == 1.0

    @property
    def taken(self) -> int:
        """How many low-level actions the agent has tried; to stop is none."""
        return self.turn - self.stopped if self.hands is None else self.hands.acts

    @property
    def progress(self) -> Progress:
        """The goal conditions of the task that are met now; none of none if the task is not known."""
        return progress(self.episode.task, self.world) if self.episode.task else Progress(0, 0)

    def menu(self, role: str) -> Mapping[str, Offer]:
        """The thirteen actions, or skills and Stop."""
        if self.hands is not None:
            return SKILLED
        return (MENUS_BY_NAME if self.names[role].short else MENUS)[self.pointing]

    def rules(self, role: str) -> str:
        """The rules of the seat, in words."""
        if self.hands is not None:
            return descriptions.skill_rules(self.limits)
        size = self.sight.width, self.sight.height
        return descriptions.rules(self.limits, self.pointing, *size, self.names[role].short)

    def goal(self, role: str) -> str:
        """The goal and the instructions."""
        return descriptions.asked(self.episode.goal, self.episode.instructions)

    def settings(self, role: str) -> Mapping[str, Any]:
        """The size of the picture, and how things are pointed at."""
        return {"width": self.sight.width, "height": self.sight.height, "pointing": self.pointing}

    def offers(self, role: str) -> tuple[Offer, ...]:
        """What makes sense now, with what is seen in reach, or for skills with what was seen."""
        names = self.names[role]
        if self.hands is not None:
            return names.offers(self.hands.offers(self.menu(role).values()))
        usable = [each for each in self.sight.seen() if self.sight.usable(each.thing)]
        return names.offers(offers_now(self.menu(role), self.world.home, usable))

    def text(self, role: str) -> str:
        """Goal, instructions, what is seen and held, what came of the last act."""
        names, last = self.names[role], self._last.get(role)
        places = self.hands is None or not names.short
        seen = descriptions.perceived(self.sight.seen(), self.world.home.held, last, names, places)
        before = self.hands.remembered(names) if self.hands is not None else ""
        return "\n".join(each for each in (self.goal(role), seen, before) if each)

    def view(self, role: str) -> View:
        """The same as values, with a call for the picture."""
        held = self.world.home.held
        return View(
            self.episode.goal,
            self.episode.instructions,
            self._last.get(role),
            held.type if held else "",
            self.handle("frame"),
            self.handle("past"),
        )

    def frame(self) -> Frame:
        """The picture with the thing and the depth at each pixel, to be kept."""
        return self.sight.copy()

    def past(self) -> list[tuple[np.ndarray, str]]:
        """What was seen before each of the actions that led to a sub-goal, and what they were."""
        world = AlfredWorld(self.episode.start)
        world.home.looks = self.world.home.looks
        sight, found = Sight(world.home, self.sight.width, self.sight.height), []
        for action, target in self.episode.prefix:
            found.append((sight.look().rgb.copy(), action))
            world.act(action, target)
        return found

    def pictures(self, role: str) -> Sequence[str]:
        """What the agent sees."""
        return (VIEW,)

    def draw(self, role: str, name: str) -> np.ndarray:
        """Draw what the agent sees."""
        return self.sight.look().rgb if name == VIEW else super().draw(role, name)

    def do(self, role: str, act: Act) -> Outcome:
        """Carry out an act."""
        if self.hands is not None and act.name != STOP:
            outcome = self.hands.carry_out(act, self._tried)
        else:
            outcome = self._tried(act)
        self.stopped = act.name == STOP
        before = self._share
        if act.name not in MOVES or self._by_sight:
            self._share = self._met()
        self._brought = self._share - before
        return outcome

    def _tried(self, act: Act) -> Outcome:
        """Try one of the thirteen actions."""
        target = self._meant(act) if act.arguments else None
        if isinstance(target, Outcome):
            return target
        return self.world.act(act.name, target, self.sight.shows if "object" in act.arguments else None)

    def _meant(self, act: Act) -> str | Outcome:
        """The id of the thing that an act points at."""
        if len(act.arguments) > 1:
            told = f"{act.name}: point in one way only, found {' and '.join(act.arguments)}."
            return refuse(Reason.MALFORMED, told)
        ((way, value),) = act.arguments.items()
        if way == "object":
            return str(value)
        try:
            found = self.sight.pick(value) if way == "mask" else self.sight.pick_at(value)
        except HousematesError as error:
            return refuse(Reason.MALFORMED, f"{act.name}: {error}")
        told = f"{act.name}: there is nothing at this {way} that can be used."
        return found or refuse(Reason.NOTHING_THERE, told)

    def _met(self) -> float:
        """The share of what is asked that is done."""
        if self.episode.target is not None:
            return float(reached(self.episode.target, self.world))
        met, total = self.progress
        return met / max(total, 1)
