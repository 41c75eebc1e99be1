"""Tree search: UCT over forks of the episode itself, which plays the best line that it has found.

python examples/learning/tree_search.py --episodes 5 --rollouts 4000
"""

import argparse
import math
import random
from collections.abc import Sequence
from itertools import islice

from housemates.core import registry
from housemates.core.episode import Episode

CURIOSITY = 50.0
"""Weight of what was seldom tried, in the unit of rewards."""


class Node:
    """A moment of the tree: what was tried there, how often it was passed, and what that brought."""

    def __init__(self) -> None:
        self.children: dict[str, Node] = {}
        self.visits, self.total = 0, 0.0

    def next(self, commands: Sequence[str]) -> str:
        """A command that was not tried yet, else the one of the highest upper confidence bound."""
        untried = [each for each in commands if each not in self.children]
        return random.choice(untried) if untried else max(commands, key=self.bound)

    def bound(self, command: str) -> float:
        """What a command has brought in the mean, and how far that may be off."""
        child = self.children[command]
        return child.total / child.visits + CURIOSITY * math.sqrt(math.log(self.visits) / child.visits)


def rollout(start: Episode, root: Node) -> tuple[float, list[str]]:
    """Follow the tree, grow it by a leaf, go on by chance to the end; what that brought and was."""
    episode, node, path, line, earned = start.fork(), root, [root], [], 0.0
    while not episode.over:
        commands = episode.percept().offers[0].arguments[0].choices
        command = random.choice(commands) if node is None else node.next(commands)
        episode.act("robot", command)
        earned += episode.earned
        line.append(command)
        if node is not None:
            known = node.children.get(command)
            path.append(known or node.children.setdefault(command, Node()))
            node = known
    for each in path:
        each.visits += 1
        each.total += earned
    return earned, line


def search(start: Episode, rollouts: int) -> list[str]:
    """The best line of so many rollouts."""
    root = Node()
    return max((rollout(start, root) for _ in range(rollouts)), key=lambda found: found[0])[1]


def main(words: Sequence[str] | None = None) -> float:
    """Search in episodes of HandMeThat and print how each goes; returns the share of successes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=5)
    parser.add_argument("--rollouts", type=int, default=4000)
    given = parser.parse_args(words)
    random.seed(0)
    benchmark, won = registry.benchmark("handmethat"), 0.0
    for reference in islice(benchmark.references("generated", 0), given.episodes):
        (instance,) = benchmark.open(reference)
        episode = Episode(benchmark, instance)
        line = search(episode, given.rollouts)
        for command in line:
            episode.act("robot", command)
        scores = episode.scores()
        won += scores["success"] / given.episodes
        print(f"{instance.id}: success {scores['success']:g}, score {scores['score']:g}")
        print("   ", "; ".join(line[-5:]))
    return won


if __name__ == "__main__":
    main()
