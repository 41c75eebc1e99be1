"""Two agents, one who knows and one who acts, finish chores by chat."""

from housemates.core.registry import Spec

SPEC = Spec(
    name="teach",
    summary="Two agents, one who knows and one who acts, finish chores by chat.",
    benchmarks={
        "teach-edh": "benchmark:Edh",
        "teach-tfd": "benchmark:Tfd",
        "teach-tatc": "benchmark:Tatc",
    },
    demo="commands.demo:rows",
    environments={
        "housemates/teach-edh-v3": "env:EdhEncoding",
        "housemates/teach-tfd-v3": "env:TfdEncoding",
        "housemates/teach-tatc-v3": "env:TatcEncoding",
    },
    commands={
        "tasks list": "commands.tasks:List",
        "tasks show": "commands.tasks:Show",
        "tasks check": "commands.tasks:Check",
        "import teach": "commands.import_:Import",
        "export teach": "commands.export:Export",
        "replay teach": "commands.replay:Replay",
        "generate teach": "commands.generate:Generate",
        "export edh": "commands.export:Edh",
        "export tfd": "commands.export:Tfd",
        "stats teach": "commands.stats:Stats",
        "verify tdl": "commands.verify:Tdl",
        "verify verdicts": "commands.verify:Verdicts",
        "verify games": "commands.verify:Games",
        "verify edh": "commands.verify:Edh",
        "verify split": "commands.verify:Split",
        "verify cleaning": "commands.verify:Cleaning",
    },
)
