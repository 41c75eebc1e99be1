"""Two agents, one who knows and one who acts, finish chores by chat."""

from housemates.benchmarks.registry import Spec

SPEC = Spec(
    name="teach",
    summary="Two agents, one who knows and one who acts, finish chores by chat.",
    commands={
        "tasks list": "commands.tasks:List",
        "tasks show": "commands.tasks:Show",
        "tasks check": "commands.tasks:Check",
        "verify tdl": "commands.verify:Tdl",
        "verify verdicts": "commands.verify:Verdicts",
    },
)
