"""Turn a goal and step-by-step instructions into low-level actions with masks."""

from housemates.core.registry import Spec

SPEC = Spec(
    name="alfred",
    summary="Turn a goal and step-by-step instructions into low-level actions with masks.",
    benchmarks={
        "alfred": "benchmark:Alfred",
        "alfred-subgoals": "benchmark:SubGoals",
        "alfred-annotation": "tasks.language_collection:Annotation",
        "alfred-validation": "tasks.language_collection:Validation",
    },
    demo="commands.demo:rows",
    environments={
        "housemates/alfred-v3": "env:AlfredEncoding",
    },
    commands={
        "generate alfred": "commands.generate:Generate",
        "verify alfred": "commands.verify:Verify",
        "import alfred": "commands.import_:Import",
        "export alfred": "commands.export:Export",
        "replay alfred": "commands.replay:Replay",
        "stats alfred": "commands.stats:Stats",
    },
)
