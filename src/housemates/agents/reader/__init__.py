"""The reader: people's words to tasks by a network, tasks to acts by routines, all from its own pictures."""

from housemates.core.registry import AgentSpec

FOLLOWER = ("follower",)
SPECS = (
    AgentSpec("reader", "teach:TfdReader", ("teach-tfd",), FOLLOWER),
    AgentSpec("reader-oracle-task", "teach:TfdOracleTaskReader", ("teach-tfd",), FOLLOWER, privileged=True),
    AgentSpec("reader", "teach:EdhReader", ("teach-edh",), FOLLOWER),
    AgentSpec("reader-oracle-task", "teach:EdhOracleTaskReader", ("teach-edh",), FOLLOWER, privileged=True),
    AgentSpec("talk", "follower:Follower", ("teach-tatc",), FOLLOWER, partner=True, expert=("low",)),
    AgentSpec("reader", "follower:OwnEyesFollower", ("teach-tatc",), FOLLOWER),
    AgentSpec("reader", "alfred:AlfredReader", ("alfred", "alfred-subgoals"), ("agent",)),
    AgentSpec(
        "reader-oracle-task",
        "alfred:AlfredOracleTaskReader",
        ("alfred", "alfred-subgoals"),
        ("agent",),
        privileged=True,
    ),
)
