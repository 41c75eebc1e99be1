"""ALFRED's seven types of task as routines in EmbodiedBench's skills, which heed what is answered."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Generator, Sequence

from housemates.benchmarks.alfred.tasks.goals import Task
from housemates.benchmarks.eb_alfred.session import View
from housemates.benchmarks.eb_alfred.world.robot import DROP, PUT_DOWN
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.outcome import done
from housemates.core.percepts import Brief, Percept

Routine = Generator[str, bool, bool]
"""Yields skills, is sent whether each worked, and tells whether it came to its end."""
NAMES = {"SinkBasin": "Sink", "BathtubBasin": "Bathtub", "HandTowelHolder": "HandTowel"}
"""What skills call a class of ALFRED by another name."""
KNIVES = ("Knife", "ButterKnife")
TABLES = ("CounterTop", "DiningTable", "SideTable", "Sink")
"""Where a knife is laid down."""
TRIED = 4
"""How many things of a kind are tried, one after the other."""


class RoutineAgent(Agent):
    """Carries out one task after the other by routines, and stops when there are no more."""

    def reset(self, brief: Brief) -> None:
        """Forget the last home."""
        self._doing: Routine | None = None
        self._view: View | None = None
        self._last = done()

    @abstractmethod
    def tasks(self, view: View) -> Sequence[Task]:
        """What to do, the likeliest first; the next one is tried where one cannot be done."""

    def act(self, percept: Percept) -> Act:
        """The next skill of the routine, which is told whether the last one worked."""
        self._view, self._last = percept.data, percept.last or done()
        try:
            if self._doing is None:
                self._doing = self._all(self.tasks(percept.data))
                return _skill(next(self._doing))
            return _skill(self._doing.send(self._last.success))
        except StopIteration:
            return Act("Stop")

    @property
    def now(self) -> View:
        """What is perceived now."""
        assert self._view is not None
        return self._view

    def _all(self, tasks: Sequence[Task]) -> Routine:
        for task in tasks:
            if self.now.held:
                yield DROP
            yield from ROUTINES[task.type](self, task)
        return True

    def instances(self, kind: str) -> list[str]:
        """The names of all things of a kind, in the order in which they are tried."""
        skills = set(self.now.skills)
        more = [f"{kind}_{number}" for number in range(2, 100)]
        return [kind, *(each for each in more if f"find a {each}" in skills)]

    def place(self, task: Task) -> Routine:
        """Pick up a thing and put it somewhere."""
        return (yield from self._fetch(task)) and (yield from self._deliver(task.parent_target))

    def two(self, task: Task) -> Routine:
        """Bring two things of a kind to one place."""
        kind, names = task.object_target, self.instances(task.object_target)[: 2 + TRIED]
        if task.object_sliced:
            cut = yield from self._cut(kind)
            names = [cut] * TRIED if cut else []
        place, brought = "", 0
        for name in names:
            if (yield from self._take(kind, [name])):
                place = (yield from self._put(task.parent_target, place)) or place
                brought += bool(place)
        return brought >= 2

    def stacked(self, task: Task) -> Routine:
        """Put a thing into a dish, and the dish somewhere."""
        dish = task.mrecep_target
        done = (yield from self._fetch(task)) and (yield from self._deliver(dish))
        return done and (yield from self._take(dish)) and (yield from self._deliver(task.parent_target))

    def cleaned(self, task: Task) -> Routine:
        """Wash a thing and put it somewhere."""
        if not (yield from self._fetch(task)) or not (yield from self._deliver("Sink")):
            return False
        for skill in ("find a Faucet", "turn on the Faucet", "turn off the Faucet"):  # noqa: UP028
            yield skill
        kind = task.object_target
        if not (yield f"pick up the {kind}") and not (yield from self._take(kind)):
            return False
        return (yield from self._deliver(task.parent_target))

    def heated(self, task: Task) -> Routine:
        """Heat a thing in the microwave and put it somewhere."""
        if not (yield from self._fetch(task)) or not (yield from self._deliver("Microwave")):
            return False
        for skill in ("close the {}", "turn on the {}", "turn off the {}", "open the {}"):
            yield skill.format("Microwave")
        return (yield from self._out(task, "Microwave"))

    def cooled(self, task: Task) -> Routine:
        """Cool a thing in the fridge and put it somewhere."""
        if not (yield from self._fetch(task)) or not (yield from self._deliver("Fridge")):
            return False
        for skill in ("close the Fridge", "open the Fridge"):  # noqa: UP028
            yield skill
        return (yield from self._out(task, "Fridge"))

    def lit(self, task: Task) -> Routine:
        """Hold a thing by a lamp that is on."""
        if not (yield from self._fetch(task)):
            return False
        for name in dict.fromkeys((task.toggle_target, "DeskLamp", "FloorLamp")):
            if (yield f"find a {name}") and (yield f"turn on the {name}"):
                return True
        return False

    def _out(self, task: Task, station: str) -> Routine:
        """Take a thing out of where it was heated or cooled, shut that, and put the thing somewhere."""
        kind = task.object_target
        if not (yield f"pick up the {kind}") and not (yield from self._take(kind)):
            return False
        if task.parent_target != station:
            yield f"close the {station}"
        return (yield from self._deliver(task.parent_target))

    def _fetch(self, task: Task) -> Routine:
        """Have the task's thing in hand, sliced if slices are asked for."""
        kind = task.object_target
        if not task.object_sliced:
            return (yield from self._take(kind))
        cut = yield from self._cut(kind)
        return bool(cut) and (yield from self._take(kind, [cut]))

    def _cut(self, kind: str) -> Generator[str, bool, str]:
        """Slice a thing with a knife and lay that down; says which thing."""
        for knife in KNIVES:
            if (yield from self._take(knife)):
                break
        else:
            return ""
        for name in self.instances(kind)[:TRIED]:
            if (yield f"find a {name}") and (yield f"slice the {kind}"):
                break
        else:
            return ""
        for table in TABLES:
            if (yield from self._put(table)):
                return name
        return ""

    def sees(self, kind: str) -> bool:
        """Whether a thing of a kind is in the picture; taken to be so by those who do not look."""
        return True

    def _take(self, kind: str, names: Sequence[str] = ()) -> Routine:
        """Have a thing of a kind in hand, those in sight first; what it is in is opened."""
        hidden = []
        for name in names or self.instances(kind)[:TRIED]:
            if not (yield f"find a {name}"):
                continue
            if not self.sees(kind):
                hidden.append(name)
            elif (yield f"pick up the {kind}") or (yield from self._take_out(kind, name)):
                return True
        for name in hidden:
            if (yield f"find a {name}") and (yield f"pick up the {kind}"):
                return True
            if (yield from self._take_out(kind, name)):
                return True
        return False

    def _take_out(self, kind: str, name: str) -> Routine:
        """Open what the last answer says a thing is in, and take the thing."""
        place = str(self._last.data.get("inside", ""))
        if place.partition("_")[0] not in OPENABLE:
            return False
        if not (yield f"find a {place}") or not (yield f"open the {place}"):
            return False
        if (yield f"pick up the {kind}"):
            return True
        return (yield f"find a {name}") and (yield f"pick up the {kind}")

    def _deliver(self, kind: str) -> Routine:
        return bool((yield from self._put(kind)))

    def _put(self, kind: str, first: str = "") -> Generator[str, bool, str]:
        """Put what is held into a receptacle of a kind, into the first if one is named; says into which."""
        kind = NAMES.get(kind, kind)
        for name in [*([first] if first else []), *self.instances(kind)[:TRIED]]:
            if not (yield f"find a {name}"):
                continue
            if kind in OPENABLE:
                yield f"open the {name}"
            if (yield PUT_DOWN):
                return name
        return ""


OPENABLE = ("Safe", "Laptop", "Fridge", "Box", "Microwave", "Cabinet", "Drawer")
ROUTINES: dict[str, Callable[[RoutineAgent, Task], Routine]] = {
    "pick_and_place_simple": RoutineAgent.place,
    "pick_and_place_with_movable_recep": RoutineAgent.stacked,
    "pick_two_obj_and_place": RoutineAgent.two,
    "pick_clean_then_place_in_recep": RoutineAgent.cleaned,
    "pick_heat_then_place_in_recep": RoutineAgent.heated,
    "pick_cool_then_place_in_recep": RoutineAgent.cooled,
    "look_at_obj_in_light": RoutineAgent.lit,
}


def _skill(skill: str) -> Act:
    return Act("Skill", {"skill": skill})
