"""ALFWorld's agents: one that knows the game, and one that reads and searches."""

from housemates.core.registry import AgentSpec

ALFWORLD = ("alfworld",)
AGENT = ("agent",)
SPECS = (
    AgentSpec("heuristic", "heuristic:HeuristicAgent", ALFWORLD, AGENT),
    AgentSpec("expert", "expert:ExpertAgent", ALFWORLD, AGENT, privileged=True, expert=("low",)),
)
