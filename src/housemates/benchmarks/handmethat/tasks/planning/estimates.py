"""Estimates of what is left to do: a count that never says too much, and the FF heuristic."""

from __future__ import annotations

from collections.abc import Sequence

from housemates.benchmarks.handmethat.tasks.planning.delivery import trail_cost
from housemates.benchmarks.handmethat.tasks.planning.grounding import PLACES, Facts, Problem
from housemates.benchmarks.handmethat.tasks.planning.search import Estimate, State
from housemates.benchmarks.handmethat.world.catalog import table
from housemates.benchmarks.handmethat.world.dynamics import FLAG, STRIDE, Scene


def unavoidable(problem: Problem, scene: Scene) -> Estimate:
    """Count the actions that every plan must contain: picks, puts, changes, and entries into other places."""
    counter = _Counter(problem, scene)

    def estimate(state: State) -> float:
        return min(counter.left(state, goal) for goal in problem.goals)

    return estimate


class _Counter:
    """The count for one problem."""

    def __init__(self, problem: Problem, scene: Scene) -> None:
        self.problem, self.scene = problem, scene
        self.size = scene.size
        self.slot = {variable: position for position, variable in enumerate(problem.variables)}
        self.treated = {
            FLAG["cooked"]: [scene.index[name] for name in table()["appliances"]["heat"]],
            FLAG["frozen"]: [scene.index[name] for name in table()["appliances"]["cool"]],
            FLAG["soaked"]: [scene.index[name] for name in table()["appliances"]["soak"]],
        }
        self.goals = {
            goal: tuple((slot, value, *divmod(problem.variables[slot], STRIDE)) for slot, value in goal)
            for goal in problem.goals
        }

    def site(self, state: State, holder: int, shut: set[int]) -> int:
        """The location of a holder, -1 in someone's hand; what is shut on the way joins `shut`."""
        while holder < self.size:
            slot = self.slot.get(holder * STRIDE + FLAG["open"])
            if slot is not None and not state[slot] and self.scene.openable[holder]:
                shut.add(holder)
            if holder < PLACES:
                return holder
            slot = self.slot.get(holder * STRIDE)
            if slot is None:
                break
            holder = state[slot]
        return -1

    def left(self, state: State, goal: Facts) -> float:
        wrong: dict[int, dict[int, int]] = {}
        for slot, value, number, part in self.goals[goal]:
            if state[slot] != value:
                wrong.setdefault(number, {})[part] = value
        if not wrong:
            return 0
        held, here = state[self.problem.held], state[self.problem.at]
        shut: set[int] = set()
        arcs: list[tuple[int, int]] = []
        total = 0
        dirty: list[int] = []
        cut = False
        for number, parts in wrong.items():
            start = number if number < PLACES else self.site(state, self._parent(state, number), shut)
            target = parts.get(0)
            end = start if target is None or target >= self.size else self.site(state, target, shut)
            if target is not None:
                total += 1 if number == held else 2
            if number == held and end >= 0 and target is not None:
                total += here != end
                here = end
            elif start >= 0:
                arcs.append((start, end if end >= 0 else start))
            total += self._changes(state, number, parts, number == held)
            cut = cut or FLAG["sliced"] in parts
            if FLAG["dusty"] in parts or FLAG["stained"] in parts:
                dirty.append(number)
        if cut and not self._holds_knife(held):
            total += 1
        if dirty:
            total += len(dirty) + self._tool(dirty, held)
        return total + len(shut) + trail_cost(arcs, here)

    def _parent(self, state: State, number: int) -> int:
        slot = self.slot.get(number * STRIDE)
        return self.size if slot is None else state[slot]

    def _changes(self, state: State, number: int, parts: dict[int, int], in_hand: bool) -> int:
        """Actions that change this object's flags, and picks and puts that bring it where they can."""
        total = 0
        target = parts.get(0)
        for part in parts:
            if part in (0, FLAG["dusty"], FLAG["stained"]):
                continue
            total += 1
            if part == FLAG["sliced"]:
                if in_hand or not self._is_top(self._parent(state, number)):
                    total += 1 if in_hand and target is None else 2
            elif part in self.treated and (target is None or target not in self.treated[part]):
                if in_hand:
                    total += 1 if target is None else 2
                elif self._parent(state, number) not in self.treated[part]:
                    total += 2
        return total

    def _is_top(self, holder: int) -> bool:
        return holder < PLACES and self.scene.kinds[holder].relation == "ontop"

    def _holds_knife(self, held: int) -> bool:
        return held >= 0 and self.scene.kinds[held].name == "knife"

    def _tool(self, dirty: Sequence[int], held: int) -> int:
        """Picking up a tool if none that fits some dirty object is in hand."""
        if held < 0:
            return 1
        kind = self.scene.kinds[held].name
        return 0 if any(kind in self.scene.kinds[number].cleaned_by for number in dirty) else 1


def fast_forward(problem: Problem) -> Estimate:
    """The FF heuristic: the length of a plan that ignores what actions undo."""
    relaxed = _Relaxed(problem)
    return relaxed.length


class _Relaxed:
    """The problem without deletions; each goal alternative becomes an action of no cost."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        facts: dict[tuple[int, int], int] = {}

        def number(fact: tuple[int, int]) -> int:
            return facts.setdefault(fact, len(facts))

        self.facts = facts
        for position, value in enumerate(problem.start):
            number((position, value))
        self.conditions = [tuple(number(fact) for fact in op.conditions) for op in problem.operators]
        self.effects = [tuple(number(fact) for fact in op.effects) for op in problem.operators]
        self.goal = len(facts)
        facts[-1, -1] = self.goal
        for alternative in problem.goals:
            self.conditions.append(tuple(number(fact) for fact in alternative))
            self.effects.append((self.goal,))
        self.size = len(facts)
        self.users: list[list[int]] = [[] for _ in range(self.size)]
        for position, wanted in enumerate(self.conditions):
            for fact in wanted:
                self.users[fact].append(position)

    def length(self, state: State) -> float:
        """How many actions the relaxed plan from this state has."""
        reached = [-1] * self.size
        """For each fact the action that first gave it; -2 for those that hold."""
        missing = [len(wanted) for wanted in self.conditions]
        layer = [
            self.facts[position, value]
            for position, value in enumerate(state)
            if (position, value) in self.facts
        ]
        for fact in layer:
            reached[fact] = -2
        while layer and reached[self.goal] == -1:
            following: list[int] = []
            for fact in layer:
                for user in self.users[fact]:
                    missing[user] -= 1
                    if missing[user] == 0:
                        for effect in self.effects[user]:
                            if reached[effect] == -1:
                                reached[effect] = user
                                following.append(effect)
            layer = following
        if reached[self.goal] == -1:
            return float("inf")
        return self._extract(reached)

    def _extract(self, reached: Sequence[int]) -> float:
        chosen: set[int] = set()
        todo = [self.goal]
        while todo:
            action = reached[todo.pop()]
            if action >= 0 and action not in chosen:
                chosen.add(action)
                todo.extend(self.conditions[action])
        return sum(action < len(self.problem.operators) for action in chosen)
