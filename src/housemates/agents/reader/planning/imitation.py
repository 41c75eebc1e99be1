"""Doing what people did with the things that are here."""

from __future__ import annotations

from collections.abc import Sequence

from housemates.agents.embodied.grounding import basins
from housemates.agents.embodied.locomotion import Doing
from housemates.agents.embodied.manipulation import Stuck
from housemates.agents.embodied.object_memory import Seen
from housemates.agents.reader.planning.history_features import NEW, Step
from housemates.agents.reader.planning.routines import Chores
from housemates.home.kinds import KNIVES


class Imitation:
    """Does steps of people with the things that are here."""

    def __init__(self, chores: Chores) -> None:
        self.chores = chores

    def carry_out(self, steps: Sequence[Step]) -> Doing[list[Stuck]]:
        """Do steps in turn; those that cannot be done are left out, and returned as troubles."""
        troubles = []
        for step in steps:
            try:
                yield from self._do(step)
            except Stuck as trouble:
                troubles.append(trouble)
        return troubles

    def _do(self, step: Step) -> Doing[None]:
        chores, hands = self.chores, self.chores.hands
        types = KNIVES if step.type in KNIVES else basins((step.type,))
        avoid = self._touched(types) if step.which == NEW else []
        if step.action == "Pickup":
            yield from chores.take(types, avoid)
        elif step.action == "Place":
            held = hands.held
            if held is not None:
                yield from chores.bring(held, types, avoid)
        elif step.action == "Slice":
            yield from chores.take(KNIVES)
            yield from hands.slice((yield from chores.find(types, avoid)))
        else:
            yield from self._use(step.action, (yield from chores.find(types, avoid)))

    def _use(self, action: str, thing: Seen) -> Doing[None]:
        hands = self.chores.hands
        if action == "Pour":
            if hands.held is not None:
                yield from hands.pour(thing)
        elif action in ("ToggleOn", "ToggleOff"):
            yield from hands.switch(thing, on=action == "ToggleOn")
        elif action == "Open":
            yield from hands.open(thing)
        elif thing.open:
            yield from hands.close(thing)

    def _touched(self, types: tuple[str, ...]) -> list[str]:
        """The things of some types that were touched before; none if there are no others."""
        known = self.chores.memory.of(types)
        touched = [each.key for each in known if each.used >= 0]
        return touched if len(touched) < len(known) else []
