"""Skills: acts of the size that language models speak in, carried out in low-level acts of a benchmark.

A session whose option `acts` is `skills` offers these instead of steps and turns. `executor.Hands` carries
them out with a `Body`, which is all that a benchmark has to tell.
"""

from housemates.core.percepts import Limits
from housemates.home.skills.menu import SKILLS, rules, skill_menu

LIMITS = Limits(steps=200, failures=30)
"""When episodes in skills are cut off."""

__all__ = ["LIMITS", "SKILLS", "rules", "skill_menu"]
