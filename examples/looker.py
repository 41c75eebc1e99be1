"""Looks at its own picture at every step and goes where it is brighter: the cheapest agent that sees.

housemates eval teach-edh --agents examples/looker.py:Looker --episodes 3
python examples/looker.py    # does the same; takes what `housemates eval` takes, such as --seed 7
"""

import sys


class Looker:
    """Walks on, turns to the brighter side where it cannot, and stops after a while."""

    def __init__(self, steps: int = 50):
        self.steps = steps

    def reset(self, brief):
        """A new episode."""
        self.left = self.steps

    def act(self, percept):
        """`pictures` are drawn when they are called: an array of height, width and three colours."""
        picture = percept.pictures["view"]()
        self.left -= 1
        if self.left < 0:
            return "Stop"
        if percept.last is None or percept.last.success:
            return "Forward"
        middle = picture.shape[1] // 2
        return "TurnLeft" if picture[:, :middle].mean() > picture[:, middle:].mean() else "TurnRight"


if __name__ == "__main__":
    from housemates.cli.main import main

    words = ["--episodes", "3", *sys.argv[1:]]
    main(["eval", "teach-edh", "--agents", f"{__file__}:Looker", *words])
