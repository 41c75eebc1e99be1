"""The paper's rule-based Commander (section 5.2 and appendix E): Progress Checks, problem keys, Navigate."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from housemates.agents.teach.rule.action_language import ASKING
from housemates.agents.teach.rule.commander_turns import CheckingCommander
from housemates.agents.teach.rule.problem_keys import LOGIC, Interaction
from housemates.agents.teach.rule.viewpoints import clicks, poses
from housemates.benchmarks.teach.world.dynamics import LOOK_DEG
from housemates.core.actions import Act
from housemates.core.percepts import Percept
from housemates.home.navigation import agent_at
from housemates.home.routes import Routes
from housemates.home.world import World
from housemates.render.camera import agent_camera
from housemates.render.scene import Renderer

ATTEMPTS = 3
"""Times that an interaction is instructed, each from another place, and that a problem key is worked on."""
LOOKS = 8
"""Places of which one is taken that shows the object."""


class ProblemKey(NamedTuple):
    """A property of an object that is not as it should be, as a Progress Check tells it."""

    object: str
    property: str
    wanted: Any


class PaperCommander(CheckingCommander):
    """After each Progress Check: one interaction with the way to it, by the logic of the first problem key.

    It knows what the check says, and the home as its simulator shows it; not the task.
    """

    def _forget(self) -> None:
        super()._forget()
        self._heard = 0
        self._steps: deque[Interaction] = deque()
        self._attempts = 0
        self._worked: Counter[ProblemKey] = Counter()
        self._told: Interaction | None = None

    def _next(self, percept: Percept) -> list[Act] | None:
        assert percept.last is not None
        self._hear(percept)
        return self._instruct(percept.last.data, percept.data.world().home)

    def _hear(self, percept: Percept) -> None:
        """Go on to the next interaction, unless the Follower says that the last one failed."""
        news = [each.text for each in percept.said[self._heard :] if each.role == "follower"]
        self._heard = len(percept.said)
        failed = bool(news) and news[-1] != ASKING
        self._attempts = self._attempts + 1 if failed else 0
        if self._told is not None and (not failed or self._attempts == ATTEMPTS):
            self._steps.popleft()
            if failed:
                self._steps.clear()
            self._attempts = 0

    def _instruct(self, checked: Mapping[str, Any], home: World) -> list[Act] | None:
        """The acts of the next interaction that some place shows; None if there is none."""
        renderer = Renderer(home)
        while True:
            if not self._steps:
                key = next((each for each in problem_keys(checked) if self._worked[each] < ATTEMPTS), None)
                if key is None:
                    return None
                self._worked[key] += 1
                thing = home.things.get(key.object)
                self._steps.extend([] if thing is None else LOGIC[key.property](home, thing, key.wanted))
                self._attempts = 0
            while self._steps:
                acts = self._navigate(home, self._steps[0], renderer)
                if acts is not None:
                    self._told = self._steps[0]
                    return acts
                self._steps.clear()

    def _navigate(self, home: World, step: Interaction, renderer: Renderer) -> list[Act] | None:
        """The shortest way to a place that shows an object, and a click on the middle of what it shows."""
        target = home.things.get(step.target)
        if target is None:
            return None
        here, routes = home.agent, Routes(home, LOOK_DEG)
        shown = 0
        try:
            for pose in islice(poses(home, target, routes), LOOKS + self._attempts):
                home.agent = agent_at(here, pose)
                frame = renderer.frame(agent_camera(home.agent, *self._size), to_touch=True)
                click = next(clicks(frame, target.id, home.agent.position), None)
                if click is None:
                    continue
                if shown == self._attempts:
                    moves = [Act(move) for move in routes.moves(pose)]
                    return [*moves, Act(step.action, {"object": target.id, "point": click})]
                shown += 1
        finally:
            home.agent = here
        return None


def problem_keys(checked: Mapping[str, Any]) -> Iterator[ProblemKey]:
    """The problem keys of a Progress Check that there is logic for, in their order."""
    for subgoal in checked["subgoals"]:
        for name, problems in dict(subgoal["problem_keys"] or {}).items():
            for each in problems:
                if not subgoal["success"] and each["property_name"] in LOGIC:
                    yield ProblemKey(name, each["property_name"], each["desired_property_value"])
