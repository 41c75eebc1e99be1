"""Embodiment of TEACh's Follower: told poses, simulator segmentation, clicks on the picture."""

from __future__ import annotations

from housemates.agents.embodied.embodiment import Click, Pose
from housemates.core.actions import Act
from housemates.core.outcome import Outcome
from housemates.core.percepts import Percept
from housemates.render.frames import Frame


class TeachEmbodiment:
    """Reads its pose from the percept and acts by clicks."""

    look_deg = 30
    fov_deg = 90.0
    blind_m = 0.0
    wall_m = 0.0
    places_at_click = True
    preferred_distance_m, off_axis_cost = 0.85, 2.0
    max_bumps = 15

    def localise(self, percept: Percept) -> Pose:
        """The pose that the percept tells."""
        return Pose(*percept.data.pose)

    def observe(self, percept: Percept) -> Frame:
        """The simulator's segmentation and depth."""
        found: Frame = percept.data.frame()
        return found

    def outcome(self, act: Act, percept: Percept) -> Outcome:
        """That of its last act of this name: somebody may have passed its turn on since."""
        deeds = (each for each in reversed(percept.data.history) if each.act is not None)
        found = next((each.outcome for each in deeds if each.act.name == act.name), percept.last)
        assert found is not None
        return found

    def move(self, name: str) -> Act:
        """The act of the same name."""
        return Act(name)

    def touch(self, name: str, frame: Frame, key: str, click: Click) -> Act:
        """A click on the picture."""
        return Act(name, {"point": (click.x, click.y)})
