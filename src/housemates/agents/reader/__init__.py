"""The reader: understands people's words, looks with its own pictures, remembers, and does what is asked."""

from housemates.core.registry import AgentSpec

FOLLOWER = ("follower",)
SPECS = (
    AgentSpec("reader", "teach:ReaderAlone", ("teach-tfd",), FOLLOWER),
    AgentSpec("reader-oracle-task", "teach:ToldAlone", ("teach-tfd",), FOLLOWER, privileged=True),
    AgentSpec("reader", "teach:ReaderNext", ("teach-edh",), FOLLOWER),
    AgentSpec("reader-oracle-task", "teach:ToldNext", ("teach-edh",), FOLLOWER, privileged=True),
    AgentSpec("reader", "follower:ReaderFollower", ("teach-tatc",), FOLLOWER),
    AgentSpec("reader", "alfred:ReaderAgent", ("alfred", "alfred-subgoals"), ("agent",)),
    AgentSpec(
        "reader-oracle-task", "alfred:ToldAgent", ("alfred", "alfred-subgoals"), ("agent",), privileged=True
    ),
)
