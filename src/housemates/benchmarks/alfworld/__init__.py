"""Do household tasks in a text world: ALFRED's homes in words."""

from housemates.core.registry import Spec

SPEC = Spec(
    name="alfworld",
    summary="Do household tasks in a text world: ALFRED's homes in words.",
    benchmarks={"alfworld": "benchmark:Alfworld"},
    environments={"housemates/alfworld-v1": "env:AlfworldEncoding"},
    demo="commands.demo:rows",
    commands={
        "generate alfworld": "commands.generate:Generate",
        "verify alfworld": "commands.verify:Verify",
    },
)
