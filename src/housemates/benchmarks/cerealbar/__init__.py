"""Leader and follower collect sets of cards on a hexagonal map."""

from housemates.benchmarks.registry import Spec

SPEC = Spec(
    name="cerealbar",
    summary="Leader and follower collect sets of cards on a hexagonal map.",
    benchmarks={"cerealbar": "benchmark:Games", "cerealbar-recorded": "benchmark:Recorded"},
    demo="commands.demo:rows",
    environments={"housemates/cerealbar-v1": "env:FollowerEnv"},
    commands={
        "generate cerealbar": "generate.games:Generate",
        "import cerealbar": "commands.all:Import",
        "export cerealbar": "commands.all:Export",
        "stats cerealbar": "commands.all:Stats",
        "replay cerealbar": "commands.all:Replay",
        "verify cerealbar": "commands.verify:Verify",
        "play cerealbar": "commands.play:Play",
    },
)
