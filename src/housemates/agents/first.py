"""An agent that takes the first thing it is offered."""

from __future__ import annotations

from typing import Any

from housemates.benchmarks.base import Act, Agent, Argument, Offer, Percept

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
