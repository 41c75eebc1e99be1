"""Work out what "hand me that" means from what the human was doing."""

from housemates.benchmarks.registry import Spec

SPEC = Spec(
    name="handmethat",
    summary='Work out what "hand me that" means from what the human was doing.',
    benchmarks={"handmethat": "benchmark:HandMeThat"},
    environments={"housemates/handmethat-v1": "env:HandMeThatEnv"},
    demo="commands.demo:rows",
    commands={
        "generate handmethat": "commands.all:Generate",
        "verify handmethat": "commands.all:Verify",
        "stats handmethat": "commands.all:Statistics",
        "play handmethat": "commands.all:Play",
    },
)
