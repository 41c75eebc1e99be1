"""One agent in one home: what it sees and holds, and what its acts do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from housemates.core.actions import Act, Argument, Menu, Offer
from housemates.core.benchmark import Instance
from housemates.core.outcome import Outcome, Reason, refuse
from housemates.core.percepts import Limits
from housemates.home import ACTIONS, MOVES, TOUCHES, Scene, Thing, World, act
from housemates.home.facts import facts
from housemates.home.geometry import in_reach
from housemates.home.metadata import metadata
from housemates.home.naming import Names, NamesOption, NamingSession
from housemates.render.agent_camera import Eyes
from housemates.render.looks import LooksName, seed_for
from housemates.render.maps import top_down

ROLE = "agent"
MAP_PX = 600
MIN_PIXELS = 10
"""A thing of which fewer pixels are seen is not spoken of."""
Goal = Callable[[World], bool]
RULES = (
    "You are one agent in a home and see it through your own eyes. You step 0.25 m, turn 90 degrees and look "
    "up and down by 30. What you touch must be within 1.5 m, in view and not shut in; your hand holds one "
    "thing. Things are named by their {names}, or pointed at by a place (x, y) of the picture from its top "
    "left corner, each from 0 to 1."
)


@dataclass(frozen=True)
class Seen:
    """What the agent perceives, as values."""

    pose: tuple[float, float, int, int]
    """x and z in metres, rotation and horizon in degrees."""
    held: str
    """Id of the thing in its hand, or nothing."""
    visible: dict[str, int]
    """How many pixels of each thing are seen."""


@cache
def menu(pointing: str, short: bool = False) -> Menu:
    """All that the agent can do, by name; `pointing` is how it may point at things."""
    ways = ("object", "point") if pointing == "any" else (pointing,)
    named = f"The {'name' if short else 'id'} of a thing."
    kinds = {
        "object": Argument("object", "object", named, required=False),
        "point": Argument("point", "point", "A place of the picture that shows it.", required=False),
    }
    told = tuple(kinds[way] for way in ways)
    offers = [Offer(name, ACTIONS[name].offered.help) for name in MOVES]
    offers += [Offer(name, ACTIONS[name].offered.help, told, ways) for name in TOUCHES]
    return {offer.name: offer for offer in offers}


class HomeSession(NamingSession):
    """A stay in a home; it ends when the goal is reached, if there is one."""

    def __init__(
        self,
        instance: Instance,
        limits: Limits,
        size: tuple[int, int] = (300, 300),
        pointing: str = "any",
        goal: Goal | None = None,
        looks: LooksName = "plain",
        names: NamesOption = "ids",
    ) -> None:
        super().__init__(instance, limits)
        scene: Scene = instance.data
        self.world = World(scene)
        self.world.looks = seed_for(looks, instance.id, instance.seed)
        self.name_things(names, self.world, (ROLE,))
        self.eyes = Eyes(self.world, *size)
        self.pointing = pointing
        self.done = False
        """Whether the goal is reached."""
        self._goal = goal

    @property
    def role(self) -> str | None:
        """The agent, until the goal is reached."""
        return None if self.done else ROLE

    def menu(self, role: str) -> Menu:
        """Moves, and what can be done to things."""
        return menu(self.pointing, self.names[role].short)

    def rules(self, role: str) -> str:
        """How one gets about."""
        return RULES.format(names="names" if self.names[role].short else "ids")

    def goal(self, role: str) -> str:
        """There is no task in the home itself."""
        return "There is no task: look around and try what you like."

    def settings(self, role: str) -> dict[str, Any]:
        """The size of the picture."""
        return {"width": self.eyes.width, "height": self.eyes.height}

    def do(self, role: str, act: Act) -> Outcome:
        """Move or touch something."""
        outcome = self._tried(act)
        self.done = self._goal is not None and bool(self._goal(self.world))
        return outcome

    def _tried(self, wanted: Act) -> Outcome:
        if not wanted.arguments:
            return act(self.world, wanted.name)
        if "object" in wanted.arguments:
            return act(self.world, wanted.name, in_sight=self.eyes.shows, target=wanted.arguments["object"])
        x, y = wanted.arguments["point"]
        frame = self.eyes.look()
        column = min(int(x * self.eyes.width), self.eyes.width - 1)
        row = min(int(y * self.eyes.height), self.eyes.height - 1)
        thing = frame.thing_at(column, row)
        if thing is None:
            told = f"{wanted.name}: there is nothing to use at that place of the picture."
            return refuse(Reason.NOTHING_THERE, told)
        if wanted.name != "Place":
            return act(self.world, wanted.name, target=thing)
        at = frame.camera.point(column + 0.5, row + 0.5, float(frame.depth[row, column]))
        return act(self.world, "Place", target=thing, at=at)

    def offers(self, role: str) -> tuple[Offer, ...]:
        """Moves, and what can be done to things that are seen in reach."""
        near = [thing for thing in self._visible() if in_reach(self.world.agent, thing)]
        held, found = self.world.held, []
        for name, offer in self.menu(role).items():
            if name in MOVES:
                found.append(offer)
            elif choices := tuple(thing.id for thing in near if ACTIONS[name].sensible(thing, held)):
                told = tuple(
                    Argument(each.name, each.kind, each.help, choices if each.kind == "object" else (), False)
                    for each in offer.arguments
                )
                found.append(Offer(name, offer.help, told, offer.one_of))
        return self.names[role].offers(found)

    def _visible(self) -> list[Thing]:
        """What is seen and not carried, from left to right."""
        seen = sorted(self.eyes.look().boxes(), key=lambda box: (box.left + box.right, box.id))
        things = (self.world.things[box.id] for box in seen if box.pixels >= MIN_PIXELS)
        return [thing for thing in things if not self.world.in_hand(thing)]

    def text(self, role: str) -> str:
        """Where one is, what is seen and held, and what came of the last act."""
        world, agent, held = self.world, self.world.agent, self.world.held
        names = self.names[role]
        seen = ", ".join(self._description(thing, names) for thing in self._visible())
        lines = [
            f"You are in a {world.scene.room}. You stand at ({agent.x:g}, {agent.z:g}), "
            f"turned {agent.rotation} degrees, looking {agent.horizon} degrees down.",
            f"You see: {seen or 'nothing of note'}.",
            f"You hold: {names.called(held) if held else 'nothing'}.",
        ]
        last = self._last.get(role)
        if last is not None:
            lines.append(f"Last act: {'done' if last.success else 'failed'}. {last.message}".rstrip())
        return "\n".join(lines)

    def _description(self, thing: Thing, names: Names) -> str:
        states = [name for name in ("open", "on", "dirty", "cooked", "sliced") if getattr(thing, name)]
        states += [] if in_reach(self.world.agent, thing) else ["far"]
        note = f" ({', '.join(states)})" if states else ""
        return names.called(thing, note)

    def view(self, role: str) -> Seen:
        """Pose, hand and what is seen."""
        agent = self.world.agent
        seen = self.eyes.look().visible()
        return Seen((agent.x, agent.z, agent.rotation, agent.horizon), agent.held, seen)

    def pictures(self, role: str) -> Sequence[str]:
        """What the agent sees, and the home from above."""
        return ("view", "map")

    def draw(self, role: str, name: str) -> np.ndarray:
        """Draw one of the two."""
        if name == "view":
            return self.eyes.look().rgb
        return top_down(self.eyes.renderer, MAP_PX) if name == "map" else super().draw(role, name)

    def reward(self, role: str) -> float:
        """1 when the goal is reached."""
        return float(self.done)

    def facts(self) -> dict[str, str]:
        """The home, thing by thing."""
        return facts(self.world)

    def digest(self) -> str:
        """The fingerprint of the world."""
        return self.world.digest()

    def thor_metadata(self) -> dict[str, Any]:
        """What AI2-THOR's `event.metadata` would hold now; what the picture shows in reach is visible."""
        seen = (self.world.things[name] for name in self.eyes.look().visible())
        near = {thing.id for thing in seen if in_reach(self.world.agent, thing)}
        name = self.acted.name if self.acted else ""
        return metadata(self.world, name, self._last.get(ROLE), near)
