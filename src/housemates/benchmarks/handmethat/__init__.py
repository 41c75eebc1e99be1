"""Work out what "hand me that" means from what the human was doing."""

from housemates.benchmarks.registry import Spec

SPEC = Spec(
    name="handmethat",
    summary='Work out what "hand me that" means from what the human was doing.',
    benchmarks={"handmethat": "benchmark:HandMeThat"},
    environments={"housemates/handmethat-v1": "env:HandMeThatEnv"},
    demo="demo:rows",
    commands={
        "generate handmethat": "cli:Generate",
        "verify handmethat": "cli:Verify",
        "stats handmethat": "cli:Statistics",
        "play handmethat": "cli:Play",
    },
)
