"""A planner for TEACh's tasks: role assignment, open conditions, and the subplans that achieve them.

`next_errand` is computed anew from the state each time, so whoever follows it recovers from mishaps.
"""

from housemates.agents.teach.planning.role_assignment import assign_roles
from housemates.agents.teach.planning.steps import OpenCondition, PlannedStep
from housemates.agents.teach.planning.subplans import Subplan, closing_steps, next_subplan

__all__ = ["OpenCondition", "PlannedStep", "Subplan", "assign_roles", "closing_steps", "next_subplan"]
