"""Tasks for Inspect: `inspect eval housemates/alfred --model ...`; found by the entry point `inspect_ai`.

Every `inspect` command of an environment that has this package loads this, so it imports no benchmark.
"""

from housemates.adapters.inspect_ai.provider import housemates
from housemates.adapters.inspect_ai.scorer import episode_scores, table
from housemates.adapters.inspect_ai.solver import seats
from housemates.adapters.inspect_ai.tasks import TASKS

__all__ = ["TASKS", "episode_scores", "housemates", "seats", "table"]
