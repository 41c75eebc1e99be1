"""Instructions: a subplan in words, as a part of the task or step by step."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from housemates.agents.teach.planning import OpenCondition, PlannedStep, Subplan
from housemates.agents.teach.planning.steps import CUT, INSIDE
from housemates.agents.teach.talk.realisation import Realiser, plural, sayings
from housemates.agents.teach.talk.referring_expressions import ReferringExpressions, preposition
from housemates.benchmarks.teach.tasks.tdl.definitions import object_classes
from housemates.home import ACTIONS, Thing, World
from housemates.home.kinds import BASINS
from housemates.home.types import object_types

ACHIEVERS = {
    "isDirty": ("clean the {x}", "wash the {x}", "rinse the {x} in the sink"),
    "simbotIsFilledWithCoffee": ("make coffee in the {x}",),
    "isFilledWithLiquid": ("water the plant",),
    "simbotIsBoiled": ("boil the {x}",),
    CUT: ("slice the {x}", "cut the {x} with a knife", "slice the {x} with a knife"),
}
TOAST = ("toast a slice of bread",)
COOK = ("cook a slice of potato", "cook a potato slice")


class InstructionWriter:
    """Generates instructions for a task, for subplans and for single steps."""

    def __init__(self, task: Mapping[str, Any], describer: ReferringExpressions, realiser: Realiser) -> None:
        self.task = task
        self.describer = describer
        self.realiser = realiser

    @property
    def home(self) -> World:
        """The home that is spoken of."""
        return self.describer.home

    def side(self, side: str) -> str:
        """A side in words, such as `to the left`."""
        return self.realiser.choose(sayings()["sides"][side])

    def whole_task(self) -> str:
        """The whole task in one instruction."""
        name = str(self.task["task_name"])
        params = [str(each) for each in self.task.get("task_params") or ()]
        text = self.realiser.choose(sayings()["tasks"][name])
        text = re.sub(
            r"\{(\d+)(?::(\w+))?\}", lambda found: self._param(params[int(found[1])], found[2], params), text
        )
        text += self._parts(name, params)
        return self.realiser.say("task", task=text)

    def _param(self, value: str, form: str | None, params: Sequence[str]) -> str:
        if value not in object_types() and value not in _classes():
            return value
        if form == "s":
            name = self.realiser.name(f"{value}Sliced")
            return plural(name) if params[0] != "1" else name
        name = self.realiser.name(value)
        return plural(name) if form == "p" else name

    def _parts(self, name: str, params: Sequence[str]) -> str:
        """The ingredients of a sandwich or salad."""
        parts = {
            "Sandwich": [("2", "toast"), (params[0:1], "LettuceSliced"), (params[1:2], "TomatoSliced")],
            "Salad": [
                (params[0:1], "LettuceSliced"),
                (params[1:2], "TomatoSliced"),
                (params[2:3], "cooked PotatoSliced"),
            ],
        }.get(name)
        if parts is None:
            return ""
        said = []
        for count, kind in parts:
            number = str("".join(count))
            if number in ("", "0"):
                continue
            if kind == "toast":
                said.append("2 slices of toast")
                continue
            trait, _, noun = kind.rpartition(" ")
            words = self.realiser.name(noun)
            said.append(f"{number} {trait} {plural(words) if number != '1' else words}".replace("  ", " "))
        listed = ", ".join(said[:-1]) + (" and " if len(said) > 1 else "") + said[-1]
        return f" with {listed}, on a clean plate"

    def subplan(
        self, subplan: Subplan, conditions: Sequence[OpenCondition], helpful: float, first: bool
    ) -> str:
        """One part of the task, and perhaps where its objects are."""
        condition = subplan.condition
        thing = self.home.things[condition.thing]
        if condition.property == INSIDE:
            place = self._goal(condition)
            order = f"put the {self._name(thing)} {place}"
        else:
            order = self.realiser.choose(self._lines(condition, thing)).format(x=self._name(thing))
        order = self._several(order, condition, conditions)
        facts = self.facts(subplan, helpful)
        return f"{self.realiser.say('first' if first else 'order', order=order)} {facts}".strip()

    def facts(self, subplan: Subplan, helpful: float) -> str:
        """Where the objects of a subplan are; each is told with probability `helpful`."""
        names = [*(each.target for each in subplan.steps), subplan.condition.thing]
        return self._facts([self.home.things[each] for each in names], helpful)

    def _lines(self, condition: OpenCondition, thing: Thing) -> Sequence[str]:
        if condition.property in ("isCooked", "simbotIsCooked"):
            return TOAST if thing.type == "BreadSliced" else COOK
        return ACHIEVERS.get(condition.property, ("turn on the {x}",))

    def _several(self, order: str, condition: OpenCondition, conditions: Sequence[OpenCondition]) -> str:
        """`cook 3 slices` where three are still to be cooked."""
        kind = self.home.things[condition.thing].type
        alike = [
            each
            for each in conditions
            if each.property == condition.property
            and self.home.things[each.thing].type == kind
            and each.places == condition.places
        ]
        if len(alike) < 2 or not kind.endswith("Sliced"):
            return order
        names = {one: plural(one) for one in sayings()["names"].get(kind, ())} | {"toast": "slices of toast"}
        for one, several in names.items():
            order = re.sub(rf"\b(?:a|the) (cooked )?{one}\b", rf"{len(alike)} \g<1>{several}", order)
        return order

    def _name(self, thing: Thing) -> str:
        if thing.type == "BreadSliced" and thing.cooked:
            return "toast"
        name = self.realiser.name(thing.type)
        return f"cooked {name}" if thing.cooked else name

    def _goal(self, condition: OpenCondition) -> str:
        """`in the cabinet left of the sink`, or `on a table` where any will do."""
        places = [self.home.things[each] for each in condition.places]
        place = min(places, key=self._away)
        if len(places) > 1:
            return f"{preposition(place)} a {self.realiser.name(place.type)}"
        return f"{preposition(place)} {self.describer.the(place)}"

    def _away(self, thing: Thing) -> float:
        return (thing.position[0] - self.home.agent.x) ** 2 + (thing.position[2] - self.home.agent.z) ** 2

    def _facts(self, things: Sequence[Thing], helpful: float) -> str:
        """Where some objects are."""
        said = []
        for thing in dict.fromkeys(each.id for each in things):
            found = self.home.things[thing]
            if not found.can("pickup") or self.home.in_hand(found) or not self.realiser.likely(helpful):
                continue
            name = self._name(found)
            said.append(
                self.realiser.say("fact", x=name, ax=_indefinite(name), where=self.describer.where(found))
            )
        return " ".join(said)

    def steps(self, subplan: Subplan, helpful: float, first: bool) -> str:
        """Each step of a subplan, in words."""
        orders = list(self.orders(subplan.steps))
        things = [
            self.home.things[each.thing] for each in subplan.steps if each.action in ("Pickup", "Slice")
        ]
        facts = self._facts(things, helpful)
        listed = (
            " and ".join(orders) if len(orders) < 3 else ", ".join(orders[:-1]) + " and then " + orders[-1]
        )
        return f"{self.realiser.say('first' if first else 'order', order=listed)} {facts}".strip()

    def orders(self, steps: Sequence[PlannedStep]) -> Sequence[str]:
        """Steps as orders; picking up and opening are left implicit."""
        orders: list[str] = []
        taken = ""
        for index, step in enumerate(steps):
            thing = self.home.things[step.thing]
            later = steps[index + 1 :]
            if step.action == "Pickup":
                taken = step.thing
                if not any(each.action in ("Place", "Pour") and each.thing == step.thing for each in later):
                    orders.append(
                        f"{self.realiser.choose(('get', 'grab', 'pick up', 'take'))} the {self._name(thing)}"
                    )
            elif step.action in ("Place", "Pour"):
                if step.action == "Place" and step.thing != taken and self._is_aside(step, later):
                    continue
                place = self.home.things[step.place]
                if step.action == "Pour":
                    orders.append(self._pouring(thing, place))
                    continue
                orders.append(f"put the {self._name(thing)} {preposition(place)} {self.describer.the(place)}")
            elif step.action == "ToggleOff" and index and steps[index - 1].thing == step.thing:
                orders.append(self.realiser.choose(("turn it off", "turn it off again")))
            elif step.action not in ("Open", "Close"):
                orders.append(f"{_verb(step.action)} the {self._name(thing)}")
        return orders or [f"{_verb(steps[0].action)} the {self._name(self.home.things[steps[0].thing])}"]

    def _pouring(self, thing: Thing, place: Thing) -> str:
        """`pour the water from the mug onto the plant`."""
        name, goal = self._name(thing), self.describer.the(place)
        if place.type in BASINS and self.realiser.likely(0.5):
            return f"pour out the {name} in {goal}"
        way = self.realiser.choose(("on", "onto") if place.type == "HousePlant" else ("into", "in"))
        return f"pour the {thing.liquid or 'water'} from the {name} {way} {goal}"

    def _is_aside(self, step: PlannedStep, later: Sequence[PlannedStep]) -> bool:
        """Whether something is only put down to have a free hand."""
        return any(each.action == "Pickup" for each in later)


def _verb(action: str) -> str:
    """The word for an action, as on its button."""
    return ACTIONS[action].offered.text.lower()


def _indefinite(name: str) -> str:
    """`a mug`, `an apple`, `some bread`."""
    if name.split()[-1] in UNCOUNTED and " of " not in name:
        return f"some {name}"
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


UNCOUNTED = ("bread", "toast", "lettuce", "salt", "pepper", "keys")


def _classes() -> set[str]:
    return {name for names in object_classes().values() for name in names}
