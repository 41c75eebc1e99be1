"""Everybody who acts: each folder has the agents of one kind, and `SPECS` says which seats they can take."""

from housemates.core.registry import AgentSpec

SPECS = (
    AgentSpec("first", "basic:FirstAgent"),
    AgentSpec("random", "basic:RandomAgent"),
    AgentSpec("remote", "remote:RemoteAgent", shipped=False, schemes=("http", "https"), argument="url"),
    AgentSpec(
        "language model",
        "llm.agent:LanguageModel",
        shipped=False,
        schemes=("llm",),
        argument="name",
        incidental=frozenset(
            ("budget", "calls", "input_price", "offline", "output_price", "retries", "timeout")
        ),
        record="calls",
        waits=True,
    ),
)
