"""The Follower: the one who moves about and touches things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from housemates.benchmarks.teach.world.actions import TOUCHES
from housemates.benchmarks.teach.world.agent_camera import Sight
from housemates.benchmarks.teach.world.dynamics import TeachWorld
from housemates.benchmarks.teach.world.pointing import Pointed, fits
from housemates.benchmarks.teach.world.poses import Pose
from housemates.core.actions import Act
from housemates.core.outcome import Outcome, Reason, refuse
from housemates.home import Thing

Point = tuple[float, float]
Recorded = Mapping[tuple[str, str, Point | None], tuple[str, Point | None]]
"""An act that repeats a recorded one, by its name, object and point -> what people touched, and where they
clicked, if that is known."""


class Follower:
    """Who acts in the home, pointing at things on its picture or naming them.

    Args:
        world: The home it is in.
        sight: Its eyes.
        window: How wide clicks are taken: `reference` (20x20 of 900) or `paper` (10x10).
    """

    def __init__(self, world: TeachWorld, sight: Sight, window: str = "reference") -> None:
        self.world = world
        self.sight = sight
        self.window = window
        self.recorded: Recorded = {}
        """Acts that touch what people touched in the recorded session, whatever is seen of it here."""

    @property
    def pose(self) -> Pose:
        """Where it stands and looks."""
        agent = self.world.home.agent
        return Pose(agent.x, agent.y, agent.z, agent.rotation, agent.horizon)

    def fitting(self, name: str) -> tuple[str, ...]:
        """The ids of what it sees that an object action can be meant for, the nearest first."""
        home = self.world.home
        return tuple(each.thing.id for each in self.sight.things() if fits(home, name, each.thing))

    def act(self, act: Act) -> Outcome:
        """Move or touch; what cannot be done is refused with a sentence that helps.

        The outcome of an object action tells the `object` that it was meant for and the `point` of the
        picture. An object that is named is touched where it is seen, near the point if one is given, and
        within reach, as by a click.
        """
        if act.name not in TOUCHES:
            return self.world.act(act.name)
        name, point = act.arguments.get("object"), act.arguments.get("point")
        if name is None:
            x, y = act.arguments["point"]
            pointed = self.sight.point(act.name, x, y, self.window)
        else:
            repeated = self.recorded.get((act.name, name, point))
            name, point = repeated or (name, point)
            thing = self.world.home.things.get(name)
            if thing is None:
                return refuse(Reason.NO_SUCH_THING, f"{act.name}: there is no {name!r} here.")
            x, y = point or self.sight.click_on(thing)
            if repeated is not None:
                pointed = self.sight.touch(act.name, name, x, y)
            else:
                pointed, x, y = self._named(act.name, thing, x, y)
        if pointed is None:
            self.world.settle(act.name)
            return nothing_there(act.name, point=(x, y))
        outcome = self.world.act(act.name, target=pointed.thing, at=pointed.at)
        data = {**outcome.data, "object": pointed.thing, "point": (x, y)}
        return msgspec.structs.replace(outcome, data=data)

    def _named(self, name: str, thing: Thing, x: float, y: float) -> tuple[Pointed | None, float, float]:
        """What naming a thing touches, and where on the picture."""
        if self.world.home.in_hand(thing):
            return None, x, y
        return self.sight.reach(name, thing, x, y) or (None, x, y)


def nothing_there(name: str, **data: Any) -> Outcome:
    """The refusal of an object action where nothing fit is."""
    return refuse(Reason.NOTHING_THERE, f"{name}: there is nothing for it where you point.", **data)
