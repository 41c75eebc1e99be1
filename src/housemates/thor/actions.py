"""The table of AI2-THOR's actions that are answered here, with everything that fills it."""

from housemates.thor import (
    decor,
    displacement,
    hand,
    houses,
    interaction,
    motion,
    paths,
    queries,
    scene_setup,
)
from housemates.thor.simulation import ANSWERS, Simulation

__all__ = [
    "ANSWERS",
    "Simulation",
    "decor",
    "displacement",
    "hand",
    "houses",
    "interaction",
    "motion",
    "paths",
    "queries",
    "scene_setup",
]
