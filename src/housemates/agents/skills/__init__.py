"""Agents that act in skills: planners that speak their plan, and the search for what they have not seen."""
