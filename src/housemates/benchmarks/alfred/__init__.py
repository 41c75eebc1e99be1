"""Turn a goal and step-by-step instructions into low-level actions with masks."""

from housemates.benchmarks.registry import Spec

SPEC = Spec(
    name="alfred",
    summary="Turn a goal and step-by-step instructions into low-level actions with masks.",
    commands={
        "import alfred": "commands.store:Import",
        "export alfred": "commands.store:Export",
        "replay alfred": "commands.replay:Replay",
        "stats alfred": "commands.stats:Stats",
    },
)
