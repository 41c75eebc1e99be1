"""A HandMeThat robot that asks which kind of thing is meant, and hands over the first one it comes by.

housemates eval handmethat --agents examples/asker.py:Asker --option questions=1 --episodes 3
python examples/asker.py    # does the same; takes what `housemates eval` takes, such as --seed 7
"""

import re
import sys


class Asker:
    """Picks its commands from those that would succeed now."""

    def reset(self, brief):
        """Everything is told in words: `brief.goal` is what the human did and said."""
        self.asked = False
        self.visited = set()

    def act(self, percept):
        """Ask once, if that is offered; then look for such a thing, take it and hand it over."""
        choices = {offer.name: offer.arguments[0].choices for offer in percept.offers if offer.arguments}
        if "Ask" in choices and not self.asked:
            self.asked = True
            return {"name": "Ask", "question": "Which type do you mean?"}
        kinds = set(re.findall(r"\w+", percept.said[-1].text))
        commands = [*choices["Command"], "Stop"]
        found = [each for each in commands if each.startswith("pick up ") and each.split()[2] in kinds]
        ready = [each for each in commands if each.startswith("give ") or each == "move to human"]
        unseen = [each for each in commands if each.startswith("move to ") and each not in self.visited]
        holding = any(each.startswith(("put ", "give ")) for each in commands)
        chosen = next(iter(sorted(ready)), "Stop") if holding else next(iter(found + unseen), "Stop")
        self.visited.add(chosen)
        return chosen


if __name__ == "__main__":
    from housemates.cli.main import main

    words = ["--episodes", "3", *sys.argv[1:]]
    main(["eval", "handmethat", "--agents", f"{__file__}:Asker", "--option", "questions=1", *words])
