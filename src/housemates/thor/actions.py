"""The table of AI2-THOR's actions that are answered here, with everything that fills it."""

from housemates.thor import arranging, looking, moving, touching
from housemates.thor.simulation import ANSWERS, Simulation

__all__ = ["ANSWERS", "Simulation", "arranging", "looking", "moving", "touching"]
