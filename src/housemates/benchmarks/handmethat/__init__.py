"""Work out what "hand me that" means from what the human was doing."""

from housemates.benchmarks.registry import Spec

SPEC = Spec(
    name="handmethat",
    summary='Work out what "hand me that" means from what the human was doing.',
)
