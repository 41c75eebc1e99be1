"""`housemates play BENCHMARK`: take a role yourself in the terminal; agents sit in the other seats."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated

import tyro

from housemates.cli import options
from housemates.cli.seats import OtherSeats

ENDS = {
    "done": "The episode is over after {acts}.",
    "left": "You left after {acts}.",
    "steps": "The episode is over: no more than {acts} are allowed.",
    "failures": "The episode is over after {acts}: too many of them failed.",
}
"""How an episode ended -> what a person is told of it."""


@dataclass(kw_only=True)
class Play(OtherSeats):
    """Take a role yourself: type `help` to see how."""

    benchmark: Annotated[tyro.conf.Positional[str], tyro.conf.arg(metavar="BENCHMARK")] = "home"
    """Which benchmark: teach, alfred, handmethat, cerealbar, home, or another of `housemates benchmarks`."""
    picture: Path | None = None
    """PNG file of your view, rewritten after each step."""

    def run(self) -> None:
        """Play one episode and tell how it went."""
        from housemates.agents.person import at_terminal
        from housemates.core import registry
        from housemates.core.episode import Episode
        from housemates.core.isolation.agent import Isolation
        from housemates.core.loading import make_agent, seat_others
        from housemates.core.options import pairs
        from housemates.reporting.facts import show_meanings
        from housemates.reporting.tables import show
        from housemates.reporting.words import meanings, several

        benchmark = registry.benchmark(registry.played(self.benchmark), **pairs(self.option, "--option"))
        given = pairs(self.agent_option, "--agent-option")
        apart = Isolation() if self.isolate else None
        role, others = seat_others(type(benchmark), self.role, self.agents, given, apart)
        reference = next(islice(benchmark.references(self.split, self.seed), 1))
        instance = benchmark.open(reference)[0]
        agents = {name: make_agent(type(benchmark), name, seating) for name, seating in others.items()}
        you = at_terminal(self.picture)
        episode = Episode(benchmark, instance, {**agents, role: you}, key=str(self.seed))
        trace = episode.run()
        if trace.ended != "left":
            you.show(episode.percept(role))
        print(trace.error or ENDS[trace.ended].format(acts=several(len(trace.steps), "act")))
        metrics = benchmark.summarise([episode.result()], self.split).metrics
        show({"so far" if trace.ended == "left" else "you": metrics})
        show_meanings(meanings(metrics))


def main(verb: str, argv: list[str]) -> None:
    """Run `housemates play` with these arguments."""
    options.run(Play, f"housemates {verb}", argv)
