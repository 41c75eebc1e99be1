"""Runs agents on a benchmark's instances in processes; what is finished survives an interruption."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from housemates import __version__
from housemates.benchmarks import registry, scoring
from housemates.benchmarks.base import Agent, Benchmark, Instance, Reference, Result
from housemates.benchmarks.play import play
from housemates.benchmarks.seating import Seating, make_agents
from housemates.data.journal import Journal
from housemates.errors import HousematesError
from housemates.parallel import map_ordered


class Run(msgspec.Struct, frozen=True):
    """All that decides the numbers of an evaluation."""

    benchmark: str
    agents: dict[str, Seating]
    """Who sits in which seat, as `agents.loading.seat_all` reads it."""
    split: str = "generated"
    episodes: int | None = None
    seed: int = 0
    options: dict[str, str] = {}
    act_timeout: float | None = None


def evaluate(
    run: Run, workers: int | None = None, out: Path | None = None, progress: bool = True
) -> dict[str, Any]:
    """Run every instance and return the report.

    Args:
        run: What to evaluate.
        workers: Number of processes; None uses all processors.
        out: A results file (JSON lines). If it holds the start of the same run, only the rest is done.
        progress: Show a bar on a terminal.
    """
    if run.episodes is not None and run.episodes < 1:
        raise HousematesError(f"--episodes: expected at least 1, found {run.episodes}.")
    benchmark = registry.benchmark(run.benchmark, **run.options)
    agents = make_agents(type(benchmark), run.agents)
    journal = Journal(out, run, Result)
    finished = _whole(journal.finished())
    wanted = run.episodes or (benchmark.episodes if run.split == "generated" else None)
    todo = (each for each in benchmark.references(run.split, run.seed) if each.id not in finished)

    def fresh() -> Iterator[Result]:
        label = f"{run.benchmark} ({', '.join(dict.fromkeys(each.name for each in run.agents.values()))})"
        for results in map_ordered(partial(_run, run), todo, workers, label if progress else None):
            yield from results

    kept = [each for results in finished.values() for each in results]
    rest = None if wanted is None else max(0, wanted - len(kept))
    results = kept + list(islice(journal.keep(fresh()), rest))
    for agent in agents.values():
        _close(agent)
    return report(run, benchmark, agents, results)


def report(
    run: Run, benchmark: Benchmark, agents: dict[str, Agent], results: Sequence[Result]
) -> dict[str, Any]:
    """What a run comes to, with the same keys for every benchmark; shares are in percent."""
    if not results:
        raise HousematesError(f"{run.benchmark}: split {run.split!r} has no instances.")
    summary = benchmark.summarise(results, run.split)
    success = [each.score("success") for each in results]
    return {
        "benchmark": benchmark.id,
        "version": __version__,
        "agents": {role: seating.name for role, seating in run.agents.items()},
        "privileged": [role for role, agent in agents.items() if getattr(agent, "privileged", False)],
        "split": run.split,
        "seed": run.seed,
        "options": run.options,
        "pointing": sorted({each for result in results for each in result.pointed}),
        "episodes": len(results),
        "errors": sum(bool(each.error) for each in results),
        "success": scoring.percent(results, "success")["success"],
        "interval": scoring.interval(success),
        "metrics": dict(summary.metrics),
        "tables": summary.tables,
        "paper": summary.paper,
    }


def _whole(results: Sequence[Result]) -> dict[str, list[Result]]:
    """Finished results by the reference they come from."""
    found: dict[str, list[Result]] = {}
    for each in results:
        found.setdefault(each.source or each.id, []).append(each)
    return found


@lru_cache(maxsize=2)
def _prepared(run: bytes) -> tuple[Benchmark, dict[str, Agent]]:
    """The benchmark and the agents of a run, made once a process."""
    given = msgspec.json.decode(run, type=Run)
    benchmark = registry.benchmark(given.benchmark, **given.options)
    return benchmark, make_agents(type(benchmark), given.agents)


def _run(run: Run, reference: Reference) -> list[Result]:
    benchmark, agents = _prepared(msgspec.json.encode(run))
    try:
        instances = benchmark.open(reference)
    except Exception as error:
        return [_failed(reference.id, "", error)]
    return [
        msgspec.structs.replace(
            _play(benchmark, agents, instance, run.act_timeout), source=reference.id, of=len(instances)
        )
        for instance in instances
    ]


def _play(
    benchmark: Benchmark, agents: dict[str, Agent], instance: Instance, act_timeout: float | None
) -> Result:
    """Play one episode; whatever goes wrong is an error of this episode alone."""
    began = time.perf_counter()
    try:
        session = benchmark.session(instance)
        trace = play(session, agents, instance, act_timeout=act_timeout)
        scores = {} if trace.error else benchmark.score(instance, session, trace)
    except Exception as error:
        return _failed(instance.id, instance.task, error, instance.tags)
    return Result(
        instance.id,
        instance.task,
        scores,
        dict(instance.tags),
        len(trace.steps),
        trace.failures,
        trace.ended,
        trace.error,
        trace.traceback,
        session.digest(),
        trace.pointed(),
        round(time.perf_counter() - began, 3),
        trace.usage,
    )


def _failed(name: str, task: str, error: Exception, tags: Any = None) -> Result:
    told = str(error) if isinstance(error, HousematesError) else f"{type(error).__name__}: {error}"
    trail = "" if isinstance(error, HousematesError) else traceback.format_exc()
    return Result(name, task, {}, dict(tags or {}), ended="error", error=told, traceback=trail)


def _close(agent: Any) -> None:
    if callable(getattr(agent, "close", None)):
        agent.close()
