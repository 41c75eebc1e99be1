"""The simplest agents, for any seat: the first offer, a random one, and what was recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from housemates.core.actions import Act, Argument, Offer
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept
from housemates.core.trace import Trace
from housemates.errors import HousematesError

WORDS = "What should I do next?"
"""What is said where something has to be said."""


class FirstAgent(Agent):
    """Does the first offer that can be filled in from the percept alone, with the first choices."""

    def act(self, percept: Percept) -> Act:
        """The first offer that can be filled in."""
        offers = percept.offers
        return next((act for offer in offers if (act := filled(offer))), Act(offers[-1].name))


def filled(offer: Offer) -> Act | None:
    """An act with the first choice for every argument that is needed; None where there is none."""
    needed = [each for each in offer.arguments if each.required]
    if offer.one_of:
        some = [each for each in offer.arguments if each.name in offer.one_of and _first(each) is not None]
        if not some:
            return None
        needed.append(some[0])
    found = {each.name: _first(each) for each in needed}
    return None if None in found.values() else Act(offer.name, found)


def _first(argument: Argument) -> Any:
    if argument.kind in ("choice", "object"):
        return argument.choices[0] if argument.choices else None
    return {"text": WORDS, "point": (0.5, 0.5), "number": 1.0}.get(argument.kind)


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


class ReplayAgent(Agent):
    """Gives recorded acts in order, whatever is perceived.

    Args:
        recorded: What one role did: acts, or their `plain` form.
        then: What to do when they are used up; without it, that is an error.
    """

    privileged = True

    def __init__(self, recorded: Sequence[Any], then: Any = None) -> None:
        self._recorded = recorded
        self._then = then
        self._rest: Iterator[Any] = iter(())

    def reset(self, brief: Brief) -> None:
        """Go to the start of the recording."""
        self._rest = iter(self._recorded)

    def act(self, percept: Percept) -> Any:
        """The next recorded act."""
        action = next(self._rest, self._then)
        if action is None:
            raise HousematesError("The recording is over.")
        return action


def acts_of(trace: Trace, role: str) -> list[Any]:
    """What one role did in a trace."""
    return [step.act for step in trace.steps if step.role == role]
