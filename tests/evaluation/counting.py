"""A tiny benchmark of our own, and the template for a new one: count down to zero.

As a program it is the command line with this benchmark and no other, also in the processes that it starts:
`python counting.py eval counting --agents good`.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from housemates.cli.main import main
from housemates.core import registry, scoring
from housemates.core.actions import Act, Argument, Offer
from housemates.core.agent import Agent
from housemates.core.benchmark import Benchmark, Instance, Reference, Result, Summary
from housemates.core.loading import seat_all
from housemates.core.options import AtLeastOne
from housemates.core.outcome import Outcome, Reason, done, refuse
from housemates.core.percepts import Limits, Percept
from housemates.core.session import Session
from housemates.core.trace import Trace
from housemates.errors import HousematesError
from housemates.evaluation import runner

MENU = {
    "Take": Offer("Take", "Take something away.", (Argument("number", "number", "How much; only 1 works."),)),
    "Stop": Offer("Stop", "Give up."),
}
"""All that a counter can ever do."""


class Countdown(Session):
    """The number has to come down to zero in steps of 1."""

    def __init__(self, instance: Instance, limits: Limits) -> None:
        super().__init__(instance, limits)
        self.number: int = instance.data
        self.stopped = False

    @property
    def role(self) -> str | None:
        return "counter" if self.number > 0 and not self.stopped else None

    def menu(self, role: str) -> Mapping[str, Offer]:
        return MENU

    def rules(self, role: str) -> str:
        return "Take 1 away until nothing is left."

    def goal(self, role: str) -> str:
        return "Count down to zero."

    def text(self, role: str) -> str:
        return f"The number is {self.number}."

    def view(self, role: str) -> int:
        return self.number

    def pictures(self, role: str) -> Sequence[str]:
        return ("view",)

    def draw(self, role: str, name: str) -> np.ndarray:
        """A bar as long as the number."""
        picture = np.zeros((16, 128, 3), np.uint8)
        picture[4:12, : 4 * self.number] = 255
        return picture

    def do(self, role: str, act: Act) -> Outcome:
        if act.name == "Stop":
            self.stopped = True
            return done()
        if act.arguments["number"] != 1:
            return refuse(Reason.NOT_POSSIBLE, f"{act.arguments['number']:g} is not 1.")
        self.number -= 1
        return done()

    def digest(self) -> str:
        return f"{self.number} {self.stopped}"


class Good(Agent):
    """Counts well."""

    def act(self, percept: Percept) -> Any:
        return Act("Take", {"number": 1})


class Bad(Agent):
    """Takes too much."""

    def act(self, percept: Percept) -> Any:
        return "Take 2"


class Raising(Agent):
    """Does not know how."""

    def act(self, percept: Percept) -> Any:
        raise RuntimeError("no idea")


class Interrupter(Good):
    """Counts well until somebody presses Ctrl-C at the number 5."""

    def act(self, percept: Percept) -> Any:
        if percept.turn == 0 and percept.data == 5 and "INTERRUPT" in os.environ:
            signal.raise_signal(signal.SIGINT)
        return super().act(percept)


@dataclass(frozen=True)
class Options:
    """What can be chosen."""

    start: int = 0
    """Added to every number."""
    times: AtLeastOne = 1
    """How often each number is asked."""


class Counting(Benchmark):
    """Instances count-0, count-1, ...: count down from that number."""

    name = "counting"
    id = "housemates/counting-v1"
    roles = ("counter",)
    limits = Limits(steps=20, failures=5)
    episodes = 10
    Data = int
    Options = Options

    def references(self, split: str, seed: int) -> Iterator[Reference]:
        if split != "generated":
            raise HousematesError(f"Unknown split {split!r}: expected generated.")
        for number in range(1000):
            yield Reference(f"count-{number}", number, seed)

    def open(self, reference: Reference) -> Sequence[Instance]:
        number = self.options.start + reference.data
        if number < 0:
            raise HousematesError(f"{reference.id}: expected a number from 0, found {number}.")
        names = [reference.id, *(f"{reference.id}-{time}" for time in range(1, self.options.times))]
        return [Instance(name, "odd" if number % 2 else "even", number, reference.seed) for name in names]

    def session(self, instance: Instance) -> Countdown:
        return Countdown(instance, self.limits)

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        assert isinstance(session, Countdown)
        return {"success": float(session.number == 0), "steps": float(len(trace.steps))}

    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        tables = {"by task": scoring.table(results, lambda each: each.task, ("success",))}
        return Summary(
            scoring.percent(results, "success") | {"steps": scoring.mean(results, "steps")}, tables
        )


ANYWHERE = registry.agent_specs()


class LocalSpec(registry.Spec):
    """A spec whose classes are in this file."""

    def load(self, where: str) -> Any:
        return globals()[where]


def specs() -> dict[str, registry.Spec]:
    """What the registry finds."""
    return {"counting": LocalSpec("counting", "Count to zero.", {"counting": "Counting"})}


def agent_specs() -> tuple[registry.AgentSpec, ...]:
    """The agents that the registry finds: those for any seat, and those in this file."""
    names = ("Good", "Bad", "Raising", "Interrupter")
    own = [
        registry.AgentSpec(each.lower(), f"{__name__}:{each}", ("counting",), ("counter",)) for each in names
    ]
    return (*ANYWHERE, *own)


def run_of(agent: str, **settings: Any) -> runner.Run:
    """A run of one agent."""
    return runner.Run("counting", seat_all(Counting, [agent], {}), **settings)


if __name__ in ("__main__", "__mp_main__"):
    registry.specs = specs  # type: ignore[assignment]
    registry.agent_specs = agent_specs  # type: ignore[assignment]

if __name__ == "__main__":
    main()
