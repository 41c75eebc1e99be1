"""Wanders through ALFRED's rooms and takes the first thing that it can.

housemates eval alfred --agents examples/wanderer.py:Wanderer --episodes 3
python examples/wanderer.py    # does the same; takes what `housemates eval` takes, such as --seed 7
"""

import random
import sys


class Wanderer:
    """Walks on while it can, turns where it cannot, and stops once it holds something."""

    def reset(self, brief):
        """The seed is another one in each episode, and always the same for the same episode."""
        self.random = random.Random(brief.seed)
        self.steps = 0

    def act(self, percept):
        """`last` says what came of one's own last act; `offers` list what is in reach."""
        self.steps += 1
        if percept.last and not percept.last.success:
            return self.random.choice(["RotateLeft", "RotateRight"])
        for offer in percept.offers:
            if offer.name == "PickupObject":
                return {"name": "PickupObject", "object": offer.arguments[0].choices[0]}
        holds_something = "You hold: nothing" not in percept.text
        return "Stop" if holds_something or self.steps > 50 else "MoveAhead"


if __name__ == "__main__":
    from housemates.cli.main import main

    words = ["--episodes", "3", *sys.argv[1:]]
    main(["eval", "alfred", "--agents", f"{__file__}:Wanderer", *words])
