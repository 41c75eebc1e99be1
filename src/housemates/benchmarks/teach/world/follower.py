"""The Follower: the one who moves about and touches things."""

from __future__ import annotations

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
        self.replays = False
        """Whether recorded acts are done again: they name what people touched, and that is believed."""

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
        name, thing = act.arguments.get("object"), None
        if name is not None:
            thing = self.world.home.things.get(name)
            if thing is None:
                return refuse(Reason.NO_SUCH_THING, f"{act.name}: there is no {name!r} here.")
        if thing is None:
            x, y = act.arguments["point"]
            pointed = self.sight.point(act.name, x, y, self.window)
        else:
            x, y = act.arguments.get("point") or self.sight.click_on(thing)
            pointed, x, y = self._named(act.name, thing, x, y)
        if pointed is None:
            self.world.settle(act.name)
            return nothing_there(act.name, point=(x, y))
        outcome = self.world.act(act.name, target=pointed.thing, at=pointed.at)
        data = {**outcome.data, "object": pointed.thing, "point": (x, y)}
        return msgspec.structs.replace(outcome, data=data)

    def _named(self, name: str, thing: Thing, x: float, y: float) -> tuple[Pointed | None, float, float]:
        """What naming a thing touches, and where on the picture."""
        if self.replays:
            return self.sight.touch(name, thing.id, x, y), x, y
        if self.world.home.in_hand(thing):
            return None, x, y
        return self.sight.reach(name, thing, x, y) or (None, x, y)


def nothing_there(name: str, **data: Any) -> Outcome:
    """The refusal of an object action where nothing fit is."""
    return refuse(Reason.NOTHING_THERE, f"{name}: there is nothing for it where you point.", **data)
