"""Searching: how one who knows where a thing is brings it before one's own eyes, in skills."""

from __future__ import annotations

import math

from housemates.core.actions import Act
from housemates.home import Thing
from housemates.home.containment import enclosing
from housemates.home.skills.executor import Hands


class Search:
    """Goes where things are until they are seen; each place is tried once."""

    def __init__(self, hands: Hands) -> None:
        self.hands = hands
        self._tried: set[str] = set()

    def next(self, name: str) -> Act | None:
        """What to do to see a thing; None if it was seen, or if there is nothing left to try."""
        home = self.hands.body.home
        known = {thing.id: thing for thing in self.hands.known()}
        if name in known:
            self._tried.clear()
            return None
        thing = home.things[name]
        shut = enclosing(home.things, thing)
        if shut is not None and shut.id in known:
            return Act("Open", {"object": shut.id})
        holders = [each for each in home.ancestors(thing) if each.id in known and each.type != "Floor"]
        fixed = [each for each in known.values() if not each.can("pickup")]
        near = sorted(fixed, key=lambda each: (math.dist(each.position, thing.position), each.id))
        return self._looked() or self._first([*holders, *near])

    def _looked(self) -> Act | None:
        agent = self.hands.body.home.agent
        here = f"here {agent.x} {agent.z}"
        if here in self._tried:
            return None
        self._tried.add(here)
        return Act("LookAround")

    def _first(self, things: list[Thing]) -> Act | None:
        home = self.hands.body.home
        for thing in things:
            if thing.id not in self._tried and thing.type != "Floor" and not home.in_hand(thing):
                self._tried.add(thing.id)
                return Act("GoTo", {"object": thing.id})
        return None
