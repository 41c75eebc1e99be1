"""The agent's body, as skills use it."""

from __future__ import annotations

from collections.abc import Iterable

from housemates.benchmarks.alfred.world.agent_camera import SHOWN_PX, Sight
from housemates.benchmarks.alfred.world.dynamics import (
    INTERACTIONS,
    LOOK_DEG,
    MOVE_NAMES,
    AlfredWorld,
    Moment,
)
from housemates.core.actions import Act
from housemates.core.outcome import Outcome
from housemates.home.skills.executor import Low

NAMES = {**MOVE_NAMES, **{home: name for name, home in INTERACTIONS.items()}}
"""What the home's actions are called here."""


class AlfredBody:
    """Moves and touches as ALFRED's agent does, pointing by id.

    Args:
        world: Where it is.
        sight: What it sees with.
    """

    look_deg = LOOK_DEG

    def __init__(self, world: AlfredWorld, sight: Sight) -> None:
        self.world, self.home, self.sight = world, world.home, sight

    def seen(self) -> Iterable[str]:
        """The ids of what the picture shows, if it shows enough of it."""
        return [name for name, pixels in self.sight.look().visible().items() if pixels >= SHOWN_PX]

    def act(self, low: Low) -> Act:
        """ALFRED's action for this."""
        return Act(NAMES[low.action], {"object": low.target} if low.target else {})

    def attempt(self, low: Low) -> Outcome:
        """Try it at once."""
        return self.world.act(NAMES[low.action], low.target, self.sight.shows)

    def snapshot(self) -> Moment:
        """Return a copy of the state, as `restore` takes it."""
        return self.world.snapshot()

    def restore(self, moment: Moment) -> None:
        """Go back to a moment that was kept."""
        self.world.restore(moment)
