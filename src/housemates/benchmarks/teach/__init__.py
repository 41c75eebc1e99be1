"""Two agents, one who knows and one who acts, finish chores by chat."""

from housemates.benchmarks.registry import Spec

SPEC = Spec(
    name="teach",
    summary="Two agents, one who knows and one who acts, finish chores by chat.",
)
