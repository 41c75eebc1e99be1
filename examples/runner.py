"""A CerealBar follower that runs for the nearest card, whatever it is told.

housemates eval cerealbar --agents leader=talking follower=examples/runner.py:Runner --episodes 3
python examples/runner.py    # does the same; takes what `housemates eval` takes, such as --seed 7
"""

import re
import sys

TURNS = {"ahead": "Forward", "ahead right": "TurnRight", "behind right": "TurnRight", "behind": "TurnRight"}


class Runner:
    """Reads the text that it perceives: cards are told with the way there, the nearest first."""

    def reset(self, brief):
        """Nothing to remember from one episode to the next."""
        self.steps = 0

    def act(self, percept):
        """Turn towards the nearest card and walk; where that is blocked, turn; then say that it is done."""
        self.steps += 1
        can = [offer.name for offer in percept.offers]
        way = re.search(r"^Card .*?: \d+ hex(?:es)?: \d+ ([a-z ]+)", percept.text, re.MULTILINE)
        step = TURNS.get(way[1], "TurnLeft") if way else "Done"
        if self.steps % 8 == 0 or step == "Done":
            return "Done"
        return step if step in can else "TurnLeft"


if __name__ == "__main__":
    from housemates.cli.main import main

    words = ["--episodes", "3", *sys.argv[1:]]
    main(["eval", "cerealbar", "--agents", "leader=talking", f"follower={__file__}:Runner", *words])
