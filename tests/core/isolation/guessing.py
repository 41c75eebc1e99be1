"""A benchmark whose only point is its secret: guess a word that nobody is told.

As a program it plays cheating agents in its own process: `python guessing.py WORDS_OF_CHEATS ...` prints
which of them guessed the word.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from housemates.core.actions import Act, Argument, Offer
from housemates.core.benchmark import Benchmark, Instance, Reference, Result, Summary
from housemates.core.episode import Episode
from housemates.core.loading import Seating, make_agents
from housemates.core.outcome import Outcome, Reason, done, refuse
from housemates.core.percepts import Limits
from housemates.core.session import Session
from housemates.core.trace import Trace
from housemates.errors import HousematesError

MENU = {
    "Guess": Offer("Guess", "Say the word.", (Argument("word", "text", "The word."),)),
    "Stop": Offer("Stop", "Give up."),
}
AGENT = f"{Path(__file__).parent / 'agents' / 'cheats.py'}:Cheat"


def word_of(seed: int) -> str:
    """The secret, which follows from the seed, as instances that are generated do."""
    return f"answer-{hashlib.blake2b(str(seed).encode(), digest_size=8).hexdigest()}"


def same(guess: str, word: str) -> bool:
    """Whether a guess is right."""
    return guess == word


class Guess(Session):
    """The word has to be guessed in three acts."""

    def __init__(self, instance: Instance, limits: Limits) -> None:
        super().__init__(instance, limits)
        self.word: str = instance.data["word"]
        self.told: Mapping[str, Any] = instance.data["told"]
        self.right = self.stopped = False

    @property
    def role(self) -> str | None:
        return None if self.right or self.stopped else "guesser"

    def menu(self, role: str) -> Mapping[str, Offer]:
        return MENU

    def rules(self, role: str) -> str:
        return "Guess the word."

    def goal(self, role: str) -> str:
        return "Guess."

    def settings(self, role: str) -> Mapping[str, Any]:
        return self.told

    def text(self, role: str) -> str:
        return "You know nothing."

    def pictures(self, role: str) -> Sequence[str]:
        return ("view",)

    def draw(self, role: str, name: str) -> np.ndarray:
        return np.zeros((8, 8, 3), np.uint8)

    def view(self, role: str) -> Any:
        return {"look": self.handle("text", role)}

    def do(self, role: str, act: Act) -> Outcome:
        if act.name == "Stop":
            self.stopped = True
            return done()
        self.right = same(act.arguments["word"], self.word)
        return done() if self.right else refuse(Reason.NOT_POSSIBLE, "That is not the word.")

    def digest(self) -> str:
        return f"{self.word} {self.right}"


class Guessing(Benchmark):
    """One secret for each seed."""

    name = "guessing"
    id = "housemates/guessing-v1"
    roles = ("guesser",)
    limits = Limits(3, 3)
    Data = dict

    def references(self, split: str, seed: int) -> Iterator[Reference]:
        yield Reference(f"guess-{seed}", None, seed)

    def open(self, reference: Reference) -> Sequence[Instance]:
        return [instance_of(reference.seed, {})]

    def session(self, instance: Instance) -> Session:
        return Guess(instance, self.limits)

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        assert isinstance(session, Guess)
        return {"success": float(session.right)}

    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        return Summary({})


def instance_of(seed: int, told: Mapping[str, Any]) -> Instance:
    """The instance of a seed, whose brief tells the agent how to cheat."""
    return Instance(f"guess-{seed}", "guess", {"word": word_of(seed), "told": told}, seed)


def main(seed: int, told: Mapping[str, Any], cheats: Sequence[str]) -> None:
    """Play each cheat in this process, and print what each scored."""
    benchmark = Guessing(object())
    found, whole = {}, (Guessing.score, Episode.scores, same)
    for cheat in cheats:
        agents = make_agents(Guessing, {"guesser": Seating(AGENT)})
        episode = Episode(benchmark, instance_of(seed, {**told, "cheat": cheat}), agents)
        with contextlib.suppress(HousematesError):
            episode.run()
        found[cheat] = [episode.scores().get("success", 0.0), episode.trace.error]
        Guessing.score, Episode.scores, globals()["same"] = whole
    print(json.dumps(found))


if __name__ == "__main__":
    sys.modules["guessing"] = sys.modules["__main__"]
    main(int(sys.argv[1]), json.loads(sys.argv[2]), sys.argv[3:])
