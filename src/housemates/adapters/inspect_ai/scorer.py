"""Our numbers as Inspect's scores: an episode is played again from what its sample's store tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    Value,
    metric,
    scorer,
)
from inspect_ai.solver import TaskState

from housemates.adapters.inspect_ai.plan import TaskSettings, house
from housemates.adapters.inspect_ai.solver import ACTS, ERROR, NUDGES
from housemates.adapters.threads import aside
from housemates.core.agent_calls import AgentFailed
from housemates.core.benchmark import Benchmark, Instance, Result
from housemates.core.episode import Episode

RESULT = "result"
"""Where a score's metadata has the episode as `housemates eval` would keep it."""


@scorer(metrics=[])
def episode_scores(benchmark: str, split: str, episodes: int, seed: int, options: str, agents: str) -> Scorer:
    """The numbers of an episode, however far it came; `nudges` are answers without a call."""
    plan = TaskSettings(benchmark, split, episodes, seed, options, agents)

    async def score(state: TaskState, target: Target) -> Score:
        made = house(plan)
        instance = made.instances[str(state.sample_id)]
        acts: list[tuple[str, Any]] = state.store.get(ACTS, [])
        nudges: dict[str, int] = state.store.get(NUDGES, {})
        error = state.store.get(ERROR, "")
        result = await aside(_again, made.benchmark, instance, acts, nudges, error)
        told = {"steps": result.steps, "failures": result.failures, "nudges": sum(nudges.values())}
        return Score(
            value={**told, **result.scores},
            explanation=f"It ended by {result.ended} after {result.steps} acts.",
            metadata={RESULT: msgspec.to_builtins(result)},
        )

    return score


@metric
def table(benchmark: str, split: str, episodes: int, seed: int, options: str, agents: str) -> Metric:
    """The numbers of the whole run, as `housemates eval` has them: shares in percent."""
    plan = TaskSettings(benchmark, split, episodes, seed, options, agents)

    def compute(scores: list[SampleScore]) -> Value:
        found = [msgspec.convert((each.score.metadata or {})[RESULT], Result) for each in scores]
        summary = house(plan).benchmark.summarise(found, plan.split)
        nudges = sum(sum(each.usage.get(NUDGES, {}).values()) for each in found)
        return {**summary.metrics, NUDGES: float(nudges)}

    return compute


def _again(
    benchmark: Benchmark,
    instance: Instance,
    acts: Sequence[tuple[str, Any]],
    nudges: Mapping[str, int],
    error: str,
) -> Result:
    episode = Episode(benchmark, instance)
    for _, action in acts:
        episode.take(action)
    if error:
        episode.fail(AgentFailed(error))
    episode.leave()
    return episode.result(usage={NUDGES: dict(nudges)}, source=instance.id)
