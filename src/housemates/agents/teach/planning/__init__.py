"""What to do next for a task: which objects take part, what is still amiss with them, which steps help.

`next_errand` is computed anew from the state each time, so whoever follows it recovers from mishaps.
"""

from housemates.agents.teach.planning.errands import Errand, close_up, next_errand
from housemates.agents.teach.planning.role_assignment import cast
from housemates.agents.teach.planning.steps import Step, Wish

__all__ = ["Errand", "Step", "Wish", "cast", "close_up", "next_errand"]
