"""A tiny benchmark for two: they talk in turn, and each knows something that the other may not know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from housemates.core import registry
from housemates.core.actions import Act, Argument, Offer
from housemates.core.agent import Agent
from housemates.core.benchmark import Benchmark, Instance, Reference, Result, Summary
from housemates.core.outcome import Outcome
from housemates.core.percepts import Limits, Percept, Utterance
from housemates.core.session import Session
from housemates.core.trace import Trace
from housemates.studio.pages import Page

ROLES = ("left", "right")
TEXT = (Argument("text", "text", "What is said or written down."),)
MENU = {
    "Say": Offer("Say", "Say something to the other one.", TEXT),
    "Note": Offer("Note", "Write something down where only you can read it.", TEXT),
    "Pass": Offer("Pass", "Let the other one go on."),
}
PATIENCE_S = 20.0
"""How long a turn may take."""


def secret(role: str, seed: int) -> str:
    """What only a role knows."""
    return f"secret-of-{role}-{seed}"


class Talk(Session):
    """Each says, notes or passes in turn, until the limit of steps."""

    def __init__(self, instance: Instance, limits: Limits) -> None:
        super().__init__(instance, limits)
        self.secrets = {role: secret(role, instance.data) for role in ROLES}
        self.notes: dict[str, list[str]] = {role: [] for role in ROLES}
        self.heard: list[Utterance] = []

    @property
    def role(self) -> str | None:
        return ROLES[self.turn % 2]

    def menu(self, role: str) -> Mapping[str, Offer]:
        return MENU

    def rules(self, role: str) -> str:
        return "Talk in turn."

    def goal(self, role: str) -> str:
        return f"Do not tell {self.secrets[role]}."

    def text(self, role: str) -> str:
        return f"You know {self.secrets[role]} and noted {' '.join(self.notes[role])}"

    def said(self, role: str) -> Sequence[Utterance]:
        return self.heard

    def do(self, role: str, act: Act) -> Outcome:
        if act.name == "Say":
            self.heard.append(Utterance(role, act.arguments["text"]))
        elif act.name == "Note":
            self.notes[role].append(act.arguments["text"])
        return Outcome(True)

    def digest(self) -> str:
        return f"{self.turn} {[each.text for each in self.heard]} {self.notes}"


class Echo(Agent):
    """Says how much it has heard."""

    def act(self, percept: Percept) -> Any:
        return Act("Say", {"text": f"echo {len(percept.said)}"})


@dataclass(frozen=True)
class Options:
    """Nothing can be chosen."""


class Talking(Benchmark):
    """Instances talk-0, talk-1, ..."""

    name = "talking"
    id = "housemates/talking-v1"
    roles = ROLES
    limits = Limits(steps=12, failures=12)
    Data = int
    Options = Options

    def references(self, split: str, seed: int) -> Iterator[Reference]:
        for number in range(1000):
            yield Reference(f"talk-{number}", seed * 1000 + number)

    def open(self, reference: Reference) -> Sequence[Instance]:
        return [Instance(reference.id, "talk", reference.data)]

    def session(self, instance: Instance) -> Talk:
        return Talk(instance, self.limits)

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        return {"success": 1.0, "steps": float(len(trace.steps))}

    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        raise NotImplementedError


class TalkingPage(Page):
    """Whoever says nothing for long passes."""

    name = "talking"
    benchmarks = ("talking",)
    pace_s = 0.1

    def deadline(self, session: Session) -> tuple[float, Any] | None:
        return PATIENCE_S, {"name": "Pass"}


class LocalSpec(registry.Spec):
    """A spec whose classes are in this file."""

    def load(self, where: str) -> Any:
        return globals()[where]


ECHO = f"{__name__}:{Echo.__name__}"
"""An agent that the studio is started with."""
SPECS = {"talking": LocalSpec("talking", "Talk in turn.", {"talking": "Talking"})}
