"""`housemates verify cerealbar`: all followers on recorded games in one table beside the paper's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from housemates.benchmarks.base import Instance
from housemates.benchmarks.cerealbar.benchmark import Recorded
from housemates.benchmarks.cerealbar.files.report import show
from housemates.benchmarks.cerealbar.metrics import COLUMNS, PAPER, released, table_row
from housemates.parallel import map_ordered


class System(NamedTuple):
    """A follower and how its games are run."""

    title: str
    agent: str
    turns: str = "ten"
    view: str = "full"


SYSTEMS = (
    System("static oracle, recorded turn ends", "oracle", "recorded"),
    System("static oracle", "oracle"),
    System("rule-based follower", "english"),
    System("rule-based follower, partial view", "english", view="partial"),
    System("does nothing", "idle"),
    System("walks randomly", "random"),
)
Scores = list[dict[str, float]]


def run_game(store: str, job: tuple[System, list[Instance]]) -> Scores:
    """Score one follower on all examples of one game."""
    system, instances = job
    benchmark = Recorded(store, system.turns, system.view)
    scores = []
    for instance in instances:
        agent = benchmark.agents(system.agent)["follower"]
        agent.reset(instance)
        session = benchmark.session(instance)
        for _ in range(benchmark.limits.steps):
            if session.role is None:
                break
            session.act(agent.act(session.observe()))
        scores.append(benchmark.score_session(instance, session))
    return scores


@dataclass
class Verify:
    """Evaluate the scripted followers on recorded games and print them beside the paper's Table 1."""

    store: Path = Path("out/cerealbar")
    """Folder of games, as `housemates generate cerealbar` writes them."""
    split: str = "development"
    """Which games: train, development, test, or generated."""
    episodes: int | None = None
    """How many games at most."""
    seed: int = 0
    """Of generated games."""
    workers: int | None = None
    """Processes; all processors by default."""
    json: bool = False
    """Print one line of JSON instead of a table."""

    def run(self) -> None:
        """Evaluate and print."""
        games: dict[str, list[Instance]] = {}
        for instance in Recorded(str(self.store)).instances(self.split, self.episodes, self.seed):
            games.setdefault(instance.task, []).append(instance)
        jobs = [(system, instances) for system in SYSTEMS for instances in games.values()]
        label = None if self.json else "cerealbar followers"
        scores = list(map_ordered(partial(run_game, str(self.store)), jobs, self.workers, label))
        table: dict[str, dict[str, Any]] = {}
        for number, system in enumerate(SYSTEMS):
            own = scores[number * len(games) : (number + 1) * len(games)]
            table[system.title] = table_row([row for game in own for row in game])
            by_code = released(own)
            table[system.title] |= {f"{name} (released code)": value for name, value in by_code.items()}
        table |= {f"paper: {name}": dict(zip(COLUMNS, row, strict=True)) for name, row in PAPER.items()}
        examples = sum(map(len, games.values()))
        show({"games": len(games), "examples": examples, "table": table}, self.json)
