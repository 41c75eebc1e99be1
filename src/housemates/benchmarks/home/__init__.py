"""The home itself, without a task: a seat to act in."""

from housemates.core.registry import Spec

SPEC = Spec(
    name="home",
    summary="The home itself, without a task.",
    benchmarks={"home": "benchmark:Home"},
    environments={"housemates/home-v3": "env:HomeEncoding"},
)
