"""Work out what "hand me that" means from what the human was doing."""

from housemates.core.registry import Spec

SPEC = Spec(
    name="handmethat",
    summary='Work out what "hand me that" means from what the human was doing.',
    benchmarks={"handmethat": "benchmark:HandMeThat"},
    environments={"housemates/handmethat-v1": "env:HandMeThatEncoding"},
    demo="commands.demo:rows",
    commands={
        "generate handmethat": "commands.generate:Generate",
        "verify handmethat": "commands.verify:Verify",
        "stats handmethat": "commands.stats:Stats",
    },
)
