"""The Follower's body, as skills use it."""

from __future__ import annotations

from collections.abc import Iterable

from housemates.benchmarks.teach.world.dynamics import LOOK_DEG, Moment
from housemates.benchmarks.teach.world.follower import Follower
from housemates.core.actions import Act
from housemates.core.outcome import Outcome
from housemates.home.skills.executor import Low

SHOWN_PX = 8
"""How much of a thing must be seen for it to be known."""


class FollowerBody:
    """Moves and touches as the Follower does, pointing by id.

    Args:
        follower: Whose body it is.
    """

    look_deg = LOOK_DEG

    def __init__(self, follower: Follower) -> None:
        self.follower, self.home = follower, follower.world.home

    def seen(self) -> Iterable[str]:
        """The ids of what the picture shows, if it shows enough of it."""
        return [name for name, pixels in self.follower.sight.look().visible().items() if pixels >= SHOWN_PX]

    def act(self, low: Low) -> Act:
        """The Follower's act for this."""
        return Act(low.action, {"object": low.target} if low.target else {})

    def attempt(self, low: Low) -> Outcome:
        """Try it at once."""
        return self.follower.act(self.act(low))

    def snapshot(self) -> Moment:
        """Return a copy of the state, as `restore` takes it."""
        return self.follower.world.snapshot()

    def restore(self, moment: Moment) -> None:
        """Go back to a moment that was kept."""
        self.follower.world.restore(moment)
