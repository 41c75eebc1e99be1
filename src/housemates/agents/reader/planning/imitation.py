"""Imitation: executes people's typed steps with the objects that are here."""

from __future__ import annotations

from collections.abc import Sequence

from housemates.agents.embodied.grounding import basins
from housemates.agents.embodied.locomotion import Routine
from housemates.agents.embodied.manipulation import Stuck
from housemates.agents.embodied.object_memory import TrackedObject
from housemates.agents.reader.planning.history_features import NEW, TypedStep
from housemates.agents.reader.planning.routines import Routines
from housemates.home.kinds import KNIVES


class Imitation:
    """Executes typed steps by routines and manipulation."""

    def __init__(self, routines: Routines) -> None:
        self.routines = routines

    def carry_out(self, steps: Sequence[TypedStep]) -> Routine[list[Stuck]]:
        """Execute steps in turn; returns the failures of those that were skipped."""
        troubles = []
        for step in steps:
            try:
                yield from self._do(step)
            except Stuck as trouble:
                troubles.append(trouble)
        return troubles

    def _do(self, step: TypedStep) -> Routine[None]:
        routines, manipulator = self.routines, self.routines.manipulator
        types = KNIVES if step.type in KNIVES else basins((step.type,))
        avoid = self._touched(types) if step.which == NEW else []
        if step.action == "Pickup":
            yield from routines.take(types, avoid)
        elif step.action == "Place":
            held = manipulator.held
            if held is not None:
                yield from routines.bring(held, types, avoid)
        elif step.action == "Slice":
            yield from routines.take(KNIVES)
            yield from manipulator.slice((yield from routines.find(types, avoid)))
        else:
            yield from self._use(step.action, (yield from routines.find(types, avoid)))

    def _use(self, action: str, thing: TrackedObject) -> Routine[None]:
        manipulator = self.routines.manipulator
        if action == "Pour":
            if manipulator.held is not None:
                yield from manipulator.pour(thing)
        elif action in ("ToggleOn", "ToggleOff"):
            yield from manipulator.switch(thing, on=action == "ToggleOn")
        elif action == "Open":
            yield from manipulator.open(thing)
        elif thing.open:
            yield from manipulator.close(thing)

    def _touched(self, types: tuple[str, ...]) -> list[str]:
        """Keys of objects of these types touched before; none if there are no others."""
        known = self.routines.memory.of(types)
        touched = [each.key for each in known if each.last_used >= 0]
        return touched if len(touched) < len(known) else []
