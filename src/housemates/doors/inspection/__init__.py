"""Tasks for Inspect: `inspect eval housemates/alfred --model ...`; found by the entry point `inspect_ai`.

Every `inspect` command of an environment that has this package loads this, so it imports no benchmark.
"""

from housemates.doors.inspection.provider import housemates
from housemates.doors.inspection.scoring import episode_scores, table
from housemates.doors.inspection.solving import seats
from housemates.doors.inspection.tasks import TASKS

__all__ = ["TASKS", "episode_scores", "housemates", "seats", "table"]
