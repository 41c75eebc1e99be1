"""A Follower on its own: what it is given of a recorded session, and its attempt to do the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from housemates.benchmarks.teach.files.episodes import Interaction
from housemates.benchmarks.teach.files.instances import DriverAction
from housemates.benchmarks.teach.session import Utterance
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.world.actions import COMMANDER, FOLLOWER
from housemates.benchmarks.teach.world.dynamics import HOME_ACTIONS, Moment, TeachWorld
from housemates.benchmarks.teach.world.observation import Deed, Observation
from housemates.benchmarks.teach.world.roles import Act, Answer, Follower, understand
from housemates.benchmarks.teach.world.sight import SIDE_PX, Sight
from housemates.home import World
from housemates.home.things import Scene

STOP = "Stop"
SPEAKERS = {COMMANDER: "commander", FOLLOWER: "follower"}


@dataclass(frozen=True)
class Given:
    """What a Follower starts from, what it is to bring about, and what people did."""

    scene: Scene
    definition: Mapping[str, Any]
    """The task of the recorded session."""
    changes: tasks.Changes | None = None
    """What is to be brought about; the task itself if None."""
    moment: Moment | None = None
    """The world as it is when the Follower takes over; the scene if None."""
    dialogue: tuple[Utterance, ...] = ()
    history: tuple[Deed, ...] = ()
    """What the Follower did before."""
    future: tuple[DriverAction, ...] = ()
    """What people did then, for oracles only."""

    def goal(self) -> tasks.BoundTask:
        """What is to be brought about, ready to be checked."""
        if self.changes is None:
            return tasks.game_task(self.definition, str(self.definition.get("task_name")))
        return tasks.task_of_changes(self.changes)


class FollowerSession:
    """One attempt: the Follower acts until it does `Stop`."""

    def __init__(self, given: Given, size: int = SIDE_PX, window: str = "reference") -> None:
        """Begin.

        Args:
            given: What to start from.
            size: Side of the pictures in pixels.
            window: How wide clicks are taken: `reference` (20x20 of 900) or `paper` (10x10).
        """
        self.given = given
        self.world = TeachWorld(World(given.scene))
        if given.moment is not None:
            self.world.restore(given.moment)
        self.follower = Follower(self.world, Sight(self.world.home, size), window)
        self.history = list(given.history)
        self.goal = given.goal()
        self.beginning = self.progress()
        self._over = False

    @property
    def role(self) -> str | None:
        """The Follower, until it stops."""
        return None if self._over else "follower"

    def progress(self) -> tasks.Progress:
        """How much of the goal is reached."""
        return tasks.check(self.goal, self.world.objects())

    def observe(self) -> Observation:
        """What the Follower perceives."""
        return Observation(
            "follower", self.follower.pose, self.given.dialogue, self.history, self.follower.look
        )

    def act(self, action: Any) -> Answer:
        """Do something; what makes no sense is a failed action, never an exception."""
        act = understand(action)
        if isinstance(act, Answer):
            self.history.append(Deed(None, act))
            return act
        answer = self._answer(act)
        self.history.append(Deed(act, answer))
        self._over = act.name == STOP
        return answer

    def _answer(self, act: Act) -> Answer:
        if act.name == STOP:
            return Answer(True)
        if act.name not in HOME_ACTIONS:
            expected = ", ".join((*HOME_ACTIONS, STOP))
            return Answer(False, f"The Follower cannot do {act.name!r}. Expected one of {expected}.")
        return self.follower.act(act)


def said(interactions: Iterable[Interaction]) -> tuple[Utterance, ...]:
    """What was said in a recorded session."""
    return tuple(
        Utterance(SPEAKERS[each.agent_id], each.text, float(each.time_start))
        for each in interactions
        if each.text is not None
    )


def done(interactions: Iterable[Interaction]) -> tuple[Deed, ...]:
    """What the Follower did and said in a recorded session."""
    return tuple(_deed(each) for each in interactions if each.agent_id == FOLLOWER)


def _deed(interaction: Interaction) -> Deed:
    values: dict[str, Any] = {}
    if interaction.action.touches:
        values = {"x": interaction.x, "y": interaction.y}
    elif interaction.text is not None:
        values = {"text": interaction.text}
    oid = interaction.oid if isinstance(interaction.oid, str) else None
    return Deed(Act(interaction.action.name, **values), Answer(bool(interaction.success), oid=oid))
