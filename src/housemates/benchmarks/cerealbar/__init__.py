"""Leader and follower collect sets of cards on a hexagonal map."""

from housemates.benchmarks.registry import Spec

SPEC = Spec(
    name="cerealbar",
    summary="Leader and follower collect sets of cards on a hexagonal map.",
    benchmarks={"cerealbar": "tasks:Games", "cerealbar-recorded": "tasks:Recorded"},
    demo="demo:rows",
    environments={"housemates/cerealbar-v1": "env:FollowerEnv"},
    commands={
        "generate cerealbar": "generate:Generate",
        "import cerealbar": "commands:Import",
        "export cerealbar": "commands:Export",
        "stats cerealbar": "commands:Stats",
        "replay cerealbar": "commands:Replay",
        "verify cerealbar": "verify:Verify",
        "play cerealbar": "play:Play",
    },
)
