"""One task for each benchmark, with limits that end an episode and never a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig

from housemates.adapters.inspect_ai.plan import House, TaskSettings, house, words
from housemates.adapters.inspect_ai.scorer import episode_scores, table
from housemates.adapters.inspect_ai.solver import seats
from housemates.agents.llm.conversation import MEMORY, NUDGES
from housemates.core import registry

EPISODES = 20
RETRIES, ATTEMPT_S = 3, 120
"""How often a call is made again, and how long one try may take; without them a dead endpoint hangs a run."""
TOKENS, TIME_S = 4_000, 7
"""Of one episode, all roles together, for each act that the benchmark allows."""


def _task_of(name: str) -> Callable[..., Task]:
    """The task of a benchmark."""

    @task(name=name.replace("-", "_"))
    def benchmark(
        agents: Any = "",
        options: Any = "",
        split: str = "generated",
        episodes: int = EPISODES,
        seed: int = 0,
        pictures: bool = False,
        memory: int = MEMORY,
        turn_limit: int | None = None,
        token_limit: int | None = None,
        time_limit: int | None = None,
        cost_limit: float | None = None,
        act_timeout: float | None = None,
    ) -> Task:
        """Models in the seats of a benchmark.

        Args:
            agents: `ROLE=AGENT`: who of ours sits in a seat; the others are for models, by
                `--model-role ROLE=MODEL` or `--model`.
            options: `KEY=VALUE`: of the benchmark, such as `acts=skills`.
            split: Which instances; `generated` makes new ones from the seed.
            episodes: How many.
            seed: What they are made from.
            pictures: Show models what their role sees, besides telling them.
            memory: Turns that they are reminded of.
            turn_limit: Calls of all models in one episode; by default three an act that may be done.
            token_limit: Tokens of one episode; 4,000 for each such act by default.
            time_limit: Seconds of one episode; 7 for each such act by default.
            cost_limit: Dollars of one episode; the model's prices have to be known.
            act_timeout: Seconds that an agent of ours may think about one act.
        """
        plan = TaskSettings(name, split, episodes, seed, words(options), words(agents))
        made = house(plan)
        acts = made.benchmark.limits.steps
        return Task(
            dataset=_dataset(made),
            solver=seats(**asdict(plan), pictures=pictures, memory=memory, act_timeout=act_timeout),
            scorer=episode_scores(**asdict(plan)),
            metrics=[table(**asdict(plan))],
            config=GenerateConfig(max_retries=RETRIES, attempt_timeout=ATTEMPT_S, parallel_tool_calls=False),
            fail_on_error=False,
            score_on_error=True,
            turn_limit=turn_limit or acts * (1 + NUDGES),
            token_limit=token_limit or acts * TOKENS,
            time_limit=time_limit or acts * TIME_S,
            cost_limit=cost_limit,
            version=made.benchmark.id.rpartition("-v")[2],
            metadata={"benchmark": made.benchmark.id},
        )

    return benchmark


def _dataset(made: House) -> MemoryDataset:
    samples = [
        Sample(input=f"{each.task} ({each.id})", id=each.id, metadata={"task": each.task, **each.tags})
        for each in made.instances.values()
    ]
    return MemoryDataset(samples, name=made.benchmark.name)


TASKS = {name: _task_of(name) for spec in registry.specs().values() for name in spec.benchmarks}
"""Name of a benchmark -> its task."""
