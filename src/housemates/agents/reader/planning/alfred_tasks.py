"""ALFRED's tasks as chores."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from housemates.agents.embodied.locomotion import Doing
from housemates.agents.embodied.object_memory import Seen
from housemates.agents.reader.language.decoding import ReadTask
from housemates.agents.reader.planning.routines import Chores, Types
from housemates.benchmarks.alfred.tasks.goals import Task, home_type

UNSEEN = 0.1
"""How much less likely a task is whose place was not seen in the room."""


class Directives:
    """Does ALFRED's tasks; what it cannot do is raised as Stuck."""

    def __init__(self, chores: Chores) -> None:
        self.chores = chores

    def carry_out(self, task: Task) -> Doing[None]:
        """Do a task."""
        yield from TASKS[task.type](self, task)

    def fitting(self, found: Sequence[ReadTask]) -> list[ReadTask]:
        """The tasks that may be meant, those first that suit the room as far as it was seen."""

        def likely(each: ReadTask) -> float:
            wanted = (each.task.parent_target, each.task.toggle_target, each.task.mrecep_target)
            unseen = [kind for kind in wanted if kind and not self.chores.memory.of((home_type(kind),))]
            return each.odds * UNSEEN ** len(unseen)

        return sorted(found, key=likely, reverse=True)

    def place(self, task: Task) -> Doing[None]:
        """A thing goes somewhere."""
        thing = yield from self._get(task)
        yield from self.chores.bring(thing, _parent(task))

    def two(self, task: Task) -> Doing[None]:
        """Two things go to the same place."""
        thing = yield from self._get(task)
        place = yield from self.chores.bring(thing, _parent(task))
        other = yield from self._get(task, [thing.key, *self._there(task, place)])
        yield from self.chores.hands.take(other)
        yield from self.chores.hands.put(place)

    def _there(self, task: Task, place: Seen) -> list[str]:
        return [each.key for each in self.chores.memory.contents(place.key) if each.type == task.target]

    def stacked(self, task: Task) -> Doing[None]:
        """A thing goes into a dish, and with it somewhere."""
        thing = yield from self._get(task)
        dish = yield from self.chores.bring(thing, (home_type(task.mrecep_target),))
        yield from self.chores.bring(dish, _parent(task))

    def cleaned(self, task: Task) -> Doing[None]:
        """A thing is washed and goes somewhere."""
        thing = yield from self._get(task)
        yield from self.chores.wash(thing)
        yield from self.chores.bring(thing, _parent(task))

    def heated(self, task: Task) -> Doing[None]:
        """A thing is heated and goes somewhere."""
        thing = yield from self._get(task)
        yield from self.chores.microwave([thing])
        yield from self.chores.bring(thing, _parent(task))

    def cooled(self, task: Task) -> Doing[None]:
        """A thing is cooled and goes somewhere."""
        thing = yield from self._get(task)
        yield from self.chores.cool(thing)
        yield from self.chores.bring(thing, _parent(task))

    def lit(self, task: Task) -> Doing[None]:
        """A thing is held in the light of a lamp."""
        yield from self._get(task)
        lamp = yield from self.chores.find((home_type(task.toggle_target), "DeskLamp", "FloorLamp"))
        yield from self.chores.hands.switch(lamp, on=True)

    def _get(self, task: Task, avoid: Sequence[str] = ()) -> Doing[Seen]:
        """The thing that a task is about, in the hand; cut, if slices are asked for."""
        if task.object_sliced and not [
            each for each in self.chores.memory.of((task.target,)) if each.key not in avoid
        ]:
            yield from self.chores.cut(home_type(task.object_target))
        return (yield from self.chores.take((task.target,), avoid))


def _parent(task: Task) -> Types:
    return (home_type(task.parent_target),)


TASKS: dict[str, Callable[[Directives, Task], Doing[None]]] = {
    "pick_and_place_simple": Directives.place,
    "pick_and_place_with_movable_recep": Directives.stacked,
    "pick_two_obj_and_place": Directives.two,
    "pick_clean_then_place_in_recep": Directives.cleaned,
    "pick_heat_then_place_in_recep": Directives.heated,
    "pick_cool_then_place_in_recep": Directives.cooled,
    "look_at_obj_in_light": Directives.lit,
}
"""How each of the seven types of task is done."""
