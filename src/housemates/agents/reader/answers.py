"""Answers from what an agent remembers: where things are, how they are, what it holds, sees and did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from housemates.agents.embodied.deeds import Deed, name_of, plural, preposition, treated
from housemates.agents.embodied.grounding import Grounding
from housemates.agents.embodied.object_memory import TrackedObject
from housemates.agents.embodied.semantics import NounPhrase, Order
from housemates.agents.embodied.spatial_relations import misfit, side_of
from housemates.home.kinds import BASIN_TYPES
from housemates.home.recipes import WASHING
from housemates.home.types import object_type, object_types

MOST = 6
"""Most objects that an answer lists."""
OPTIONS = 3
"""Most objects that a question offers."""
SIDES = {
    "my left": "on my left",
    "my right": "on my right",
    "ahead": "in front of me",
    "behind me": "behind me",
}
BESIDE = {"left": "left of", "right": "right of", "above": "above", "below": "below"}
NEAR_M = 1.0
"""Misfit up to which a landmark tells where something is."""
LANDMARKS = (
    "Fridge",
    "Microwave",
    "Toaster",
    "CoffeeMachine",
    "Sink",
    "StoveBurner",
    "Television",
    "Sofa",
    "Bed",
    "Toilet",
)
"""Types by which a place is told."""
ACTIONS = {
    "open": "Open",
    "close": "Close",
    "start": "ToggleOn",
    "stop": "ToggleOff",
    "slice": "Slice",
    "take": "Pickup",
    "put": "Place",
    "pour": "Pour",
}
"""The action of the home that an order asks for."""
MADE = {"clean": WASHING.switch, "cook": "Microwave", "toast": "Toaster"}
"""What has to run for an order."""


class Answers:
    """Sentences about the home as it is remembered."""

    def __init__(self, grounding: Grounding) -> None:
        self.grounding = grounding
        self.navigator = grounding.navigator
        self.memory = grounding.memory

    @property
    def held(self) -> TrackedObject | None:
        """What is in the hand."""
        return self.memory.things.get(self.memory.held)

    def things(self, phrase: NounPhrase) -> list[TrackedObject]:
        """What a phrase may mean, what is in the hand first."""
        types = tuple(dict.fromkeys((*phrase.types, *(BASIN_TYPES.get(each, each) for each in phrase.types))))
        held = [] if self.held is None or self.held.type not in types else [self.held]
        return [*held, *self.grounding.known(NounPhrase(types, phrase.words, traits=phrase.traits))]

    def place(self, thing: TrackedObject) -> str:
        """Where a thing is: `in the sink`, `on the counter by the toaster`, `on my left`."""
        if self.memory.held == thing.key:
            return "in my hand"
        holder = self.memory.things.get(thing.holder)
        side = SIDES[side_of(self.grounding.extent(thing), self.grounding.viewer)]
        if not thing.can("pickup"):
            near = self._near(thing)
            return f"{side}, {near}" if near else side
        if holder is None:
            return self._near(thing) or side
        near = (
            self._near(thing) if object_type(holder.type).can("receptacle") and not holder.can("open") else ""
        )
        near = "" if holder.type in BASIN_TYPES.values() or holder.can("pickup") else near
        return f"{preposition(holder.type)} the {name_of(holder.type)} {near}".strip()

    def _near(self, thing: TrackedObject) -> str:
        own = self.grounding.extent(thing)
        marks = [
            each for each in self.memory.of(LANDMARKS) if each.type != thing.type and each.key != thing.holder
        ]
        away = {
            each.key: misfit(own, "near", [self.grounding.extent(each)], self.grounding.viewer)
            for each in marks
        }
        best = min(marks, key=lambda each: away[each.key], default=None)
        return f"by the {name_of(best.type)}" if best is not None and away[best.key] < NEAR_M else ""

    def where(self, phrase: NounPhrase) -> str:
        """Where something was seen."""
        found = self.things(phrase)
        if not found:
            return f"I have not seen the {phrase.words} yet."
        return f"The {phrase.words or name_of(found[0].type)} is {self.place(found[0])}."

    def exists(self, phrase: NounPhrase) -> str:
        """Whether something was seen, and where."""
        found = self.things(phrase)
        if "other" in phrase.traits:
            used = max((each.last_used for each in found), default=-1)
            found = [each for each in found if each.last_used < used or used < 0]
        if not found:
            more = "another " if "other" in phrase.traits else "any "
            return f"No, I have not seen {more}{phrase.words} yet."
        return f"Yes, I see {self._number(found)} {self.place(found[0])}."

    def count(self, phrase: NounPhrase) -> str:
        """How many of something were seen."""
        found = self.things(phrase)
        return (
            f"I have seen {self._number(found)} so far."
            if found
            else f"I have seen no {phrase.words} so far."
        )

    def _number(self, found: Sequence[TrackedObject]) -> str:
        number = len({each.key for each in found})
        name = name_of(found[0].type)
        return f"{number} {plural(name)}, one" if number > 1 else f"a {name}"

    def colour(self, phrase: NounPhrase) -> str:
        """The colour of something."""
        found = [each for each in self.things(phrase) if each.colour]
        return f"The {phrase.words} looks {found[0].colour} to me." if found else self.where(phrase)

    def holding(self) -> str:
        """What is in the hand."""
        return "My hand is empty." if self.held is None else f"I hold the {name_of(self.held.type)}."

    def holds(self, phrase: NounPhrase) -> str:
        """Whether something is in the hand."""
        if self.held is None:
            return "No, my hand is empty."
        return f"{'Yes' if self.held.type in phrase.types else 'No'}, {self.holding()}"

    def position(self) -> str:
        """The nearest large thing, and what is in the hand."""
        x, _, z = self.navigator.position
        big = [each for each in self.memory.things.values() if not each.can("pickup")]
        if not big:
            return "I am where I was at the beginning."
        near = min(big, key=lambda each: float(np.hypot(each.points[:, 0] - x, each.points[:, 2] - z).min()))
        holding = "" if self.held is None else f" and hold the {name_of(self.held.type)}"
        return f"I am by the {name_of(near.type)}{holding}."

    def sights(self, everywhere: bool = False) -> str:
        """Some of what is in view, or of all that was seen, what can be carried first."""
        here = {self.memory.things[key].type for key in self.navigator.seen if key in self.memory.things}
        if everywhere or not here:
            here = {each.type for each in self.memory.things.values()}
        names = [name_of(kind) for kind in sorted(here, key=_importance)]
        listed = list(dict.fromkeys(names))[:MOST]
        return f"I see {', '.join(listed)} and so on." if listed else "I see nothing of interest."

    def state(self, phrase: NounPhrase, asked: str) -> str:
        """How something is, as far as that is known."""
        slices = tuple(kind for each in phrase.types if (kind := object_type(each).slice_type))
        found = self.things(NounPhrase((*slices, *phrase.types), phrase.words))
        if not found:
            return f"I have not seen the {phrase.words or 'thing'} yet."
        thing = max(found, key=lambda each: each.last_used)
        sliced = any(each.type.endswith("Sliced") for each in found)
        known = {
            **dict.fromkeys(("sliced", "cut"), sliced),
            **dict.fromkeys(
                ("cooked", "toasted", "boiled", "ready", "done"), any(each.cooked for each in found)
            ),
            **dict.fromkeys(("clean", "washed"), thing.clean),
            **dict.fromkeys(("open",), thing.open),
            **dict.fromkeys(("closed", "shut"), not thing.open),
            **dict.fromkeys(("on", "running"), bool(thing.running)),
            "off": not thing.running,
        }
        name = name_of(thing.type) if not sliced else phrase.words
        if asked not in known:
            return f"I cannot see whether the {name} is {asked}."
        if known[asked]:
            return f"Yes, the {name} is {asked}, as far as I know."
        return f"No, the {name} is not {asked}, as far as I know."

    def did(self, order: Order, deeds: Sequence[Deed]) -> bool:
        """Whether some deeds did what an order asks for."""
        types = () if order.theme is None else order.theme.types
        if order.verb in MADE:
            return any(
                kind in types for each in deeds if each.type == MADE[order.verb] for _, kind in each.inside
            )
        action = ACTIONS.get(order.verb, "")
        kinds = {each.load if action == "Place" else each.type for each in deeds if each.action == action}
        return bool(treated(deeds, action)) and bool(kinds & set(types))

    def undone(self, order: Order) -> str:
        """Why nothing had to be done for an order: how its object is."""
        theme = order.theme
        found = [] if theme is None or not theme.types else self.things(theme)
        if theme is None or not found:
            return ""
        name = name_of(found[0].type)
        states = {
            "open": "open",
            "close": "closed",
            "start": "on",
            "stop": "off",
            "clean": "clean",
            "slice": "sliced",
        }
        if order.verb in ("find", "go"):
            return (
                f"I am at the {name}."
                if order.verb == "go"
                else f"I found the {name}: it is {self.place(found[0])}."
            )
        if order.verb == "take" and self.held is not None:
            return f"I have the {name_of(self.held.type)} in my hand already."
        if order.verb in states:
            return f"The {name} is {states[order.verb]} already, as far as I know."
        return ""

    def options(self, rivals: Sequence[TrackedObject]) -> list[str]:
        """How things of a kind can be told apart, the likeliest first; those that cannot be are left out."""
        ways = {each.key: self._ways(each) for each in rivals}
        told = Counter(way for found in ways.values() for way in found)
        own = [next((way for way in ways[each.key] if told[way] == 1), "") for each in rivals]
        return [f"the one {way}" for way in own if way]

    def _ways(self, thing: TrackedObject) -> list[str]:
        """Phrases that may tell a thing from others, the plainest first."""
        holder = self.memory.things.get(thing.holder)
        inside = "" if holder is None else f"{preposition(holder.type)} the {name_of(holder.type)}"
        side = SIDES[side_of(self.grounding.extent(thing), self.grounding.viewer)]
        found = [inside, self._near(thing), *self._beside(thing), side, self.place(thing)]
        return list(dict.fromkeys(each for each in found if each))

    def _beside(self, thing: TrackedObject) -> Iterator[str]:
        """Landmarks on whose left or right it is, or above or below which."""
        own, viewer = self.grounding.extent(thing), self.grounding.viewer
        for mark in self.memory.of(LANDMARKS):
            for relation, words in BESIDE.items():
                if (
                    mark.key != thing.holder
                    and misfit(own, relation, [self.grounding.extent(mark)], viewer) < NEAR_M
                ):
                    yield f"{words} the {name_of(mark.type)}"

    def which(self, phrase: NounPhrase, rivals: Sequence[TrackedObject]) -> str:
        """`Which knife: the one on the counter or the one in the sink?`"""
        found = self.options(rivals) or ["the nearest one"]
        more = len(rivals) > OPTIONS or len(found) < len(rivals)
        options = [*found[: OPTIONS - more], *(["another one"] if more else [])]
        return f"Which {phrase.words}: {', '.join(options[:-1])} or {options[-1]}?"


def _importance(kind: str) -> tuple[bool, str]:
    return (not object_types()[kind].can("pickup"), kind)
