"""ALFRED's seven task types as routines."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from housemates.agents.embodied.locomotion import Routine
from housemates.agents.embodied.object_memory import TrackedObject
from housemates.agents.reader.language.decoding import AlfredHypothesis
from housemates.agents.reader.planning.routines import Routines, Types
from housemates.benchmarks.alfred.tasks.goals import Task, home_type

UNSEEN = 0.1
"""Factor on a task's probability for each of its places that the survey did not see."""


class AlfredTasks:
    """Carries out ALFRED's tasks; what cannot be done raises `Stuck`."""

    def __init__(self, routines: Routines) -> None:
        self.routines = routines

    def carry_out(self, task: Task) -> Routine[None]:
        """Carry out a task by its type."""
        yield from TASKS[task.type](self, task)

    def fitting(self, found: Sequence[AlfredHypothesis]) -> list[AlfredHypothesis]:
        """Hypotheses sorted by their probability and whether their places were seen."""

        def likely(each: AlfredHypothesis) -> float:
            wanted = (each.task.parent_target, each.task.toggle_target, each.task.mrecep_target)
            unseen = [kind for kind in wanted if kind and not self.routines.memory.of((home_type(kind),))]
            return each.probability * UNSEEN ** len(unseen)

        return sorted(found, key=likely, reverse=True)

    def place(self, task: Task) -> Routine[None]:
        """Pick an object and place it."""
        thing = yield from self._get(task)
        yield from self.routines.bring(thing, _parent(task))

    def two(self, task: Task) -> Routine[None]:
        """Pick two objects and place them together."""
        thing = yield from self._get(task)
        place = yield from self.routines.bring(thing, _parent(task))
        other = yield from self._get(task, [thing.key, *self._there(task, place)])
        yield from self.routines.manipulator.take(other)
        yield from self.routines.manipulator.put(place)

    def _there(self, task: Task, place: TrackedObject) -> list[str]:
        return [each.key for each in self.routines.memory.contents(place.key) if each.type == task.target]

    def stacked(self, task: Task) -> Routine[None]:
        """Stack and place: an object into a dish, the dish to its place."""
        thing = yield from self._get(task)
        dish = yield from self.routines.bring(thing, (home_type(task.mrecep_target),))
        yield from self.routines.bring(dish, _parent(task))

    def cleaned(self, task: Task) -> Routine[None]:
        """Clean an object and place it."""
        thing = yield from self._get(task)
        yield from self.routines.wash(thing)
        yield from self.routines.bring(thing, _parent(task))

    def heated(self, task: Task) -> Routine[None]:
        """Heat an object and place it."""
        thing = yield from self._get(task)
        yield from self.routines.microwave([thing])
        yield from self.routines.bring(thing, _parent(task))

    def cooled(self, task: Task) -> Routine[None]:
        """Cool an object and place it."""
        thing = yield from self._get(task)
        yield from self.routines.cool(thing)
        yield from self.routines.bring(thing, _parent(task))

    def lit(self, task: Task) -> Routine[None]:
        """Examine in light: hold an object and switch a lamp on."""
        yield from self._get(task)
        lamp = yield from self.routines.find((home_type(task.toggle_target), "DeskLamp", "FloorLamp"))
        yield from self.routines.manipulator.switch(lamp, on=True)

    def _get(self, task: Task, avoid: Sequence[str] = ()) -> Routine[TrackedObject]:
        """Take the task's object, sliced first if slices are asked for."""
        if task.object_sliced and not [
            each for each in self.routines.memory.of((task.target,)) if each.key not in avoid
        ]:
            yield from self.routines.cut(home_type(task.object_target))
        return (yield from self.routines.take((task.target,), avoid))


def _parent(task: Task) -> Types:
    return (home_type(task.parent_target),)


TASKS: dict[str, Callable[[AlfredTasks, Task], Routine[None]]] = {
    "pick_and_place_simple": AlfredTasks.place,
    "pick_and_place_with_movable_recep": AlfredTasks.stacked,
    "pick_two_obj_and_place": AlfredTasks.two,
    "pick_clean_then_place_in_recep": AlfredTasks.cleaned,
    "pick_heat_then_place_in_recep": AlfredTasks.heated,
    "pick_cool_then_place_in_recep": AlfredTasks.cooled,
    "look_at_obj_in_light": AlfredTasks.lit,
}
"""Routine of each task type."""
