"""Leader and follower collect sets of cards on a hexagonal map."""

from housemates.benchmarks.registry import Spec

SPEC = Spec(
    name="cerealbar",
    summary="Leader and follower collect sets of cards on a hexagonal map.",
    benchmarks={"cerealbar": "tasks:Games", "cerealbar-recorded": "tasks:Recorded"},
    commands={
        "generate cerealbar": "generate:Generate",
    },
)
