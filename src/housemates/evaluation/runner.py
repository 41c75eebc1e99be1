"""Runs agents on a benchmark's instances in processes; what is finished survives an interruption."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from housemates.benchmarks import registry
from housemates.benchmarks.base import Agent, Benchmark, Instance, Outcome, Session, Trace
from housemates.data.journal import Journal
from housemates.errors import HousematesError
from housemates.parallel import map_ordered


@dataclass(frozen=True)
class Run:
    """All that decides the numbers of an evaluation."""

    benchmark: str
    agents: str
    split: str
    episodes: int | None = None
    seed: int = 0
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """What is kept of one episode."""

    instance: str
    task: str
    scores: dict[str, float]
    steps: int
    failures: int
    ended: str


def evaluate(
    run: Run, workers: int | None = None, out: Path | None = None, progress: bool = True
) -> dict[str, Any]:
    """Run every instance and return the benchmark's summary.

    Args:
        run: What to evaluate.
        workers: Number of processes; None uses all processors.
        out: A results file (JSON lines). If it holds the start of the same run, only the rest is done.
        progress: Show a bar on a terminal.
    """
    benchmark: Benchmark = registry.benchmark(run.benchmark, **run.options)
    instances = list(benchmark.instances(run.split, run.episodes, run.seed))
    journal = Journal(out, run, Result)
    finished = {result.instance: result for result in journal.finished()}
    todo = [instance for instance in instances if instance.id not in finished]
    label = f"{run.benchmark} ({run.agents})" if progress else None
    for result in journal.keep(map_ordered(partial(_run_instance, run), todo, workers, label)):
        finished[result.instance] = result
    results = [finished[instance.id] for instance in instances]
    summary = benchmark.summarise(
        [(instance, result.scores) for instance, result in zip(instances, results, strict=True)]
    )
    errors = [result for result in results if result.ended.startswith("error")]
    return {"benchmark": benchmark.id, "agents": run.agents, **summary, "errors": len(errors)}


def play(benchmark: Benchmark, instance: Instance, agents: Mapping[str, Agent]) -> tuple[Session, Trace]:
    """Play one episode to its end or its limits. An agent that raises fails that action and no more."""
    session = benchmark.session(instance)
    for agent in agents.values():
        agent.reset(instance)
    trace = Trace(ended="done")
    while session.role is not None:
        role = session.role
        action, outcome = _turn(session, agents[role])
        trace.note(role, action, outcome)
        limit = benchmark.limits.reached(trace)
        if limit:
            trace.ended = limit
            break
    return session, trace


def _turn(session: Session, agent: Agent) -> tuple[Any, Outcome]:
    observation = session.observe()
    try:
        action = agent.act(observation)
    except Exception as error:
        return None, Outcome(False, f"The agent raised {type(error).__name__}: {error}")
    return action, session.act(action)


@cache
def _benchmark(name: str, options: str) -> Benchmark:
    return registry.benchmark(name, **json.loads(options))  # type: ignore[no-any-return]


def _run_instance(run: Run, instance: Instance) -> Result:
    benchmark = _benchmark(run.benchmark, json.dumps(dict(run.options), sort_keys=True))
    agents = benchmark.agents(run.agents)
    try:
        session, trace = play(benchmark, instance, agents)
    except HousematesError as error:
        return Result(instance.id, instance.task, {}, 0, 0, f"error: {error}")
    scores = benchmark.score(instance, session, trace)
    return Result(instance.id, instance.task, scores, len(trace.steps), trace.failures, trace.ended)
