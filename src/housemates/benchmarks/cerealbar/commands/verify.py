"""`housemates verify cerealbar`: all followers on recorded games in one table beside the paper's."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

from housemates.benchmarks.cerealbar.benchmark import Recorded, RecordedOptions
from housemates.benchmarks.cerealbar.metrics import published, released, table_row
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance, Reference, Result
from housemates.core.episode import play
from housemates.core.loading import Seating, make_agent
from housemates.data.records import Skipped, nothing_done
from housemates.errors import HousematesError
from housemates.parallel import map_ordered
from housemates.reporting import tables
from housemates.reporting.facts import show_skipped


class System(NamedTuple):
    """A follower and how its games are run."""

    title: str
    agent: str
    turns: Literal["ten", "recorded"] = "ten"
    view: Literal["full", "partial"] = "full"


SYSTEMS = (
    System("static oracle, recorded turn ends", "oracle", "recorded"),
    System("static oracle", "oracle"),
    System("rule-based follower", "english"),
    System("rule-based follower, partial view", "english", view="partial"),
    System("does nothing", "idle"),
    System("acts randomly", "random"),
)


@dataclass
class Verify:
    """Evaluate the scripted followers on recorded games and print them beside the paper's Table 1."""

    data: Path = Path("out/cerealbar")
    """Folder of games, as `housemates generate cerealbar` writes them."""
    split: str = "development"
    """Split: train, development, test or generated."""
    limit: int | None = None
    """Maximum number of games; by default 20 generated ones."""
    seed: int = 0
    """Seed of generated games."""
    workers: int | None = None
    """Processes; all processors by default."""
    json: bool = False
    """Print one JSON object instead of a table."""

    def run(self) -> None:
        """Evaluate, and print tables or one JSON object."""
        limit = 20 if self.limit is None and self.split == "generated" else self.limit
        benchmark = Recorded(RecordedOptions(self.data))
        games = list(islice(benchmark.references(self.split, self.seed), limit))
        label = None if self.json else "cerealbar followers"
        jobs = [(system, game) for system in SYSTEMS for game in games]
        found = list(map_ordered(partial(run_game, self.data), jobs, self.workers, label))
        skipped = [each for each in found[: len(games)] if isinstance(each, Skipped)]
        if len(skipped) == len(games):
            raise nothing_done(self.data, skipped)
        played = [each for each in found if not isinstance(each, Skipped)]
        table: dict[str, dict[str, Any]] = {}
        count = len(games) - len(skipped)
        for number, system in enumerate(SYSTEMS):
            own = played[number * count : (number + 1) * count]
            results = [each for game in own for each in game]
            by_code = {f"{name} (released code)": value for name, value in released(results).items()}
            table[system.title] = {**table_row(results), **by_code}
        for split, rows in published("recorded").items():
            table |= {f"paper: {name} ({split})": row for name, row in rows.items()}
        entries = sum(map(len, played)) // len(SYSTEMS)
        errors = sum(bool(each.error) for game in played for each in game)
        counts = {"games": count, "entries": entries, "errors": errors, "skipped": len(skipped)}
        if self.json:
            print(json.dumps({**counts, "table": table}))
        else:
            tables.show(table, f"{count} games, {entries} entries, {errors} errors")
            show_skipped(skipped)


def run_game(data: Path, job: tuple[System, Reference]) -> list[Result] | Skipped:
    """Let one follower play all entries of one game; one that is broken is skipped with the reason."""
    system, reference = job
    benchmark = Recorded(RecordedOptions(data, system.turns, system.view))
    agent = make_agent(Recorded, "follower", Seating(system.agent))
    try:
        instances = benchmark.open(reference)
    except HousematesError as error:
        return Skipped(reference.id, str(error))
    return [_result(benchmark, each, agent, reference.id, len(instances)) for each in instances]


def _result(benchmark: Recorded, instance: Instance, agent: Agent, source: str, of: int) -> Result:
    session = benchmark.session(instance)
    trace = play(session, {"follower": agent}, instance)
    scores = {} if trace.error else benchmark.score(instance, session, trace)
    return Result.of_trace(instance, trace, scores, source=source, of=of)
