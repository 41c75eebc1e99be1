"""The random agent of the ALFRED paper."""

from __future__ import annotations

from typing import Any

import numpy as np

from housemates.benchmarks.alfred.world.dynamics import STOP
from housemates.benchmarks.alfred.world.menu import POINTING
from housemates.core.actions import Act, Offer
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept


class RandomAgent(Agent):
    """Draws an action other than to stop and, where it needs one, a mask of random pixels.

    Where masks are not taken it draws a point, and where points are not either, one of the things offered.
    """

    def reset(self, brief: Brief) -> None:
        """Seed the generator from the brief."""
        self._rng = np.random.default_rng(brief.seed)
        self._sides = (brief.data["height"], brief.data["width"])
        self._way = POINTING[brief.data["pointing"]][-1]
        self._offers = [offer for offer in brief.offers if offer.name != STOP]

    def act(self, percept: Percept) -> Act:
        """A uniform action other than Stop."""
        offers = self._offers
        if self._way == "object":
            offers = [offer for offer in percept.offers if offer.name != STOP]
        offer = offers[int(self._rng.integers(len(offers)))]
        return Act(offer.name, {self._way: self._draw(offer)} if offer.arguments else {})

    def _draw(self, offer: Offer) -> Any:
        if self._way == "mask":
            return self._rng.random(self._sides) < 0.5
        if self._way == "point":
            return tuple(self._rng.random(2).tolist())
        return str(self._rng.choice(offer.arguments[0].choices))
