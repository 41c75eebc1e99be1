"""Leader and follower collect sets of cards on a hexagonal map."""

from housemates.core.registry import Spec

SPEC = Spec(
    name="cerealbar",
    summary="Leader and follower collect sets of cards on a hexagonal map.",
    benchmarks={"cerealbar": "benchmark:Games", "cerealbar-recorded": "benchmark:Recorded"},
    demo="commands.demo:rows",
    environments={
        "housemates/cerealbar-v2": "env:GameEncoding",
        "housemates/cerealbar-recorded-v2": "env:RecordedEncoding",
    },
    commands={
        "generate cerealbar": "commands.generate:Generate",
        "import cerealbar": "commands.import_:Import",
        "export cerealbar": "commands.export:Export",
        "stats cerealbar": "commands.stats:Stats",
        "replay cerealbar": "commands.replay:Replay",
        "verify cerealbar": "commands.verify:Verify",
    },
)
