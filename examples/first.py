"""Takes the first thing it is offered, in any seat of any benchmark.

housemates eval alfred --agents examples/first.py:First --episodes 3
python examples/first.py    # does the same; takes what `housemates eval` takes, such as --seed 7
"""

import sys

from housemates.core.actions import Act
from housemates.core.agent import Agent

FILLERS = {"text": "Hello?", "point": (0.5, 0.5), "number": 1.0}


class First(Agent):
    """Knows nothing about where it is: offers say what can be done, and with what."""

    def act(self, percept):
        """The first offer whose arguments can be filled in."""
        return next(act for act in map(self.filled, percept.offers) if act is not None)

    def filled(self, offer):
        """An act with the first choice for each argument that is needed; None if there is no choice."""
        choices = {each.name: next(iter(each.choices), FILLERS.get(each.kind)) for each in offer.arguments}
        known = {name: choice for name, choice in choices.items() if choice is not None}
        needed = [each.name for each in offer.arguments if each.required]
        needed += [name for name in offer.one_of if name in known][:1]
        possible = set(needed) <= set(known) and (not offer.one_of or set(offer.one_of) & set(known))
        return Act(offer.name, {name: known[name] for name in needed}) if possible else None


if __name__ == "__main__":
    from housemates.cli.main import main

    words = ["--episodes", "3", *sys.argv[1:]]
    main(["eval", "alfred", "--agents", f"{__file__}:First", *words])
