"""Skills: acts of the size that language models speak in, carried out in low-level acts of a benchmark.

A session whose option `acts` is `skills` offers these instead of steps and turns. `Hands` carries them out
with a `Body`, which is all that a benchmark has to tell.
"""

from housemates.benchmarks.seat import Limits
from housemates.benchmarks.skills.hands import Body, Hands, Low
from housemates.benchmarks.skills.menu import SKILLS, rules, skill_menu
from housemates.benchmarks.skills.searching import Search

LIMITS = Limits(steps=200, failures=30)
"""When episodes in skills are cut off."""

__all__ = ["LIMITS", "SKILLS", "Body", "Hands", "Low", "Search", "rules", "skill_menu"]
