"""The table of AI2-THOR's actions that are answered here, with everything that fills it."""

from housemates.thor import houses, interaction, motion, queries, scene_setup
from housemates.thor.simulation import ANSWERS, Simulation

__all__ = ["ANSWERS", "Simulation", "houses", "interaction", "motion", "queries", "scene_setup"]
