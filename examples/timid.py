"""A TEACh Follower that asks what to do, and gives up when it has asked often enough.

housemates eval teach-tatc --agents commander=talk follower=examples/timid.py:Timid --episodes 3
python examples/timid.py    # does the same; takes what `housemates eval` takes, such as --seed 7
"""

import sys


class Timid:
    """Derives from nothing: `reset` and `act` are all that an agent needs.

    Args:
        questions: How often it asks; `--agent-option questions=5` sets it.
    """

    def __init__(self, questions: int = 3):
        self.questions = questions

    def reset(self, brief):
        """A new episode: `brief` says which role it is, what is asked and what can be done."""
        self.left = self.questions

    def act(self, percept):
        """A line of text is enough: the name of an offer, and what it needs."""
        self.left -= 1
        may_talk = any(offer.name == "Say" for offer in percept.offers)
        return "Say What should I do?" if may_talk and self.left >= 0 else "Stop"


if __name__ == "__main__":
    from housemates.cli.main import main

    words = ["--episodes", "3", *sys.argv[1:]]
    main(["eval", "teach-tatc", "--agents", "commander=talk", f"follower={__file__}:Timid", *words])
