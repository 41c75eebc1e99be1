"""An agent that does anything at all."""

from __future__ import annotations

from typing import Any

import numpy as np

from housemates.agents.first import WORDS
from housemates.benchmarks.base import Act, Agent, Argument, Brief, Offer, Percept


class RandomAgent(Agent):
    """Draws one of the offers and fills in its arguments; the same episode gives the same draws."""

    def reset(self, brief: Brief) -> None:
        """Start the draws that belong to this episode and role."""
        self._rng = np.random.default_rng(brief.seed)

    def act(self, percept: Percept) -> Act:
        """Draw until an offer can be filled in; there is always one that needs nothing or offers a choice."""
        offers = percept.offers
        for number in self._rng.permutation(len(offers)).tolist():
            act = self._filled(offers[number])
            if act is not None:
                return act
        return Act(offers[-1].name)

    def _filled(self, offer: Offer) -> Act | None:
        needed = [each for each in offer.arguments if each.required]
        if offer.one_of:
            some = [each for each in offer.arguments if each.name in offer.one_of and _can_draw(each)]
            if not some:
                return None
            needed.append(some[int(self._rng.integers(len(some)))])
        if not all(map(_can_draw, needed)):
            return None
        return Act(offer.name, {each.name: self._draw(each) for each in needed})

    def _draw(self, argument: Argument) -> Any:
        if argument.kind in ("choice", "object"):
            return argument.choices[int(self._rng.integers(len(argument.choices)))]
        if argument.kind == "point":
            return tuple(self._rng.random(2).tolist())
        return float(self._rng.integers(10)) if argument.kind == "number" else WORDS


def _can_draw(argument: Argument) -> bool:
    return bool(argument.choices) or argument.kind in ("text", "point", "number")
