"""The household: object types, scenes, world state, actions, rules, placement, navigation."""

from housemates.core.outcome import Outcome
from housemates.home import interactions, motion
from housemates.home.actions import ACTIONS, Action, act, perform
from housemates.home.things import Agent, Scene, Structure, Thing
from housemates.home.world import Snapshot, World

__all__ = [
    "ACTIONS",
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
