"""`get_environment`, and the class that it gives."""

from housemates.adapters.alfworld.agents.environment.alfred_tw_env import (
    TASK_TYPES,
    AlfredTWEnv,
    BatchEnv,
)
from housemates.errors import HousematesError

__all__ = ["TASK_TYPES", "AlfredTWEnv", "BatchEnv", "get_environment"]


def get_environment(env_type: str) -> type[AlfredTWEnv]:
    """The class of an environment by its name; of the original's three, the one in text."""
    if env_type != "AlfredTWEnv":
        raise HousematesError(
            f"Environment {env_type!r} is not here: expected AlfredTWEnv; new games of the benchmark "
            "alfworld have pictures of the same moment."
        )
    return AlfredTWEnv
