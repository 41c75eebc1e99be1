"""EB-ALFRED's agents: by chance, an expert that knows task and home, and the reader of instructions."""

from housemates.core.registry import AgentSpec

EB_ALFRED = ("eb-alfred",)
AGENT = ("agent",)
SPECS = (
    AgentSpec("random", "random:RandomAgent", EB_ALFRED, AGENT),
    AgentSpec("reader", "reader:EBAlfredReader", EB_ALFRED, AGENT),
    AgentSpec("expert", "expert:EBAlfredExpert", EB_ALFRED, AGENT, privileged=True, expert=("low",)),
)
