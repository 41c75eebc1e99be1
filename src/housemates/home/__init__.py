"""The household: object types, scenes, world state, actions, rules, placement, navigation."""

from housemates.core.outcome import Outcome
from housemates.home import interactions, motion
from housemates.home.actions import ACTIONS, Action, act, offered, perform
from housemates.home.things import Agent, Scene, Structure, Thing
from housemates.home.world import Snapshot, World

MOVES = tuple(name for name in offered() if not ACTIONS[name].interaction)
"""What agents are offered to get about, in the order of menus."""
TOUCHES = tuple(name for name in offered() if ACTIONS[name].interaction)
"""What they are offered to do to things."""

__all__ = [
    "ACTIONS",
    "MOVES",
    "TOUCHES",
    "Action",
    "Agent",
    "Outcome",
    "Scene",
    "Snapshot",
    "Structure",
    "Thing",
    "World",
    "act",
    "interactions",
    "motion",
    "perform",
]
