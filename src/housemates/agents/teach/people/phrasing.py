"""Surface realisation: instructions, places and remarks in the words that people share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from housemates.agents.embodied.spatial_relations import is_stacked, misfit, side_of
from housemates.agents.teach.people.counts import People
from housemates.agents.teach.people.delexicalisation import COUNT, GOAL, THING
from housemates.agents.teach.people.manner import Manner, draw
from housemates.agents.teach.people.places import SIDES
from housemates.agents.teach.talk.realisation import plural
from housemates.agents.teach.talk.referring_expressions import LANDMARKS, ReferringExpressions, preposition
from housemates.agents.teach.talk.vocabulary import table
from housemates.benchmarks.teach.world.names import types_called
from housemates.files import shipped
from housemates.home import Thing

NEAR_M = 1.2
"""Misfit up to which a place is described by a landmark."""
MANY = 6
"""Types that one name may mean at most; `furniture` means more."""


class Phrasing:
    """Words for what one Commander says.

    Args:
        people: What was counted.
        rng: Where chance comes from.
        style: Of this person's lines.
        manner: How the person differs from the counts.
    """

    def __init__(self, people: People, rng: np.random.Generator, style: str, manner: Manner) -> None:
        self.people, self.rng, self.style, self.manner = people, rng, style.split(), manner
        self._names: dict[str, str] = {}
        self._reworded = False
        self.begins = False
        """Whether nothing was asked for yet."""

    def name(self, kind: str, usual: Callable[[str], str]) -> str:
        """What this person calls a type, the same each time; its usual name where people have none."""
        if kind not in self._names:
            counted = self.people.names.get(kind, {})
            fit = {one: float(number) for one, number in counted.items() if _is_name(one, kind)}
            self._names[kind] = draw(self.rng, fit) if fit and not self._reworded else usual(kind)
        return self._names[kind]

    def reword(self) -> None:
        """Call things by their usual names from now on, as somebody does who was not understood."""
        if not self._reworded:
            self._reworded = True
            self._names.clear()

    def instruction(self, key: str, thing: str, whole: str, goal: str, on: str, count: int) -> str | None:
        """An instruction of a kind; None if people have no words for it.

        Args:
            key: Such as `put thing goal`.
            thing: Its name, in the plural if there are several.
            whole: The name of what is to be cut.
            goal: The place where it is to go.
            on: `in` or `on`, as the place takes it.
            count: How many; 0 for all there are.
        """
        cores = {
            core: float(number)
            for core, number in self.people.cores.get(key, {}).items()
            if _counts_fit(core, count) and _place_fits(core, on)
        }
        if not cores:
            return None
        core = draw(self.rng, cores)
        name = whole if core.split()[0] in CUTTING else thing
        text = core.replace(THING, name).replace(GOAL, goal).replace(COUNT, str(count))
        return self.framed(text, key.split()[0])

    def mention(self, thing: str, count: int) -> str | None:
        """A thing that is named without saying what to do with it, as often as people do; else None."""
        cores = self.people.cores
        total = sum(sum(each.values()) for each in cores.values())
        words = set(shipped(__package__, "wording.toml")["mention"]["words"])
        fit = {
            core: float(number)
            for core, number in cores.get(MENTION, {}).items()
            if set(core.split()) <= words and _counts_fit(core, count)
        }
        if not fit or self.rng.random() >= sum(cores[MENTION].values()) / total:
            return None
        return draw(self.rng, fit).replace(THING, thing).replace(COUNT, str(count))

    def framed(self, core: str, verb: str = "") -> str:
        """An instruction with an opener and a closer, as this person's style has them."""
        untimely = set(shipped(__package__, "wording.toml")["openers"]["later" if self.begins else "first"])
        openers = {
            one: float(number)
            for one, number in self.people.openers["instruct"].items()
            if COUNT not in one and not untimely & set(one.split())
        }
        if "please" in self.style and self.rng.random() < 0.6:
            openers = {one: number for one, number in openers.items() if POLITE.search(one)} or openers
        elif "short" in self.style:
            openers = {"": 1.0}
        elif "please" not in self.style:
            openers = {one: number for one, number in openers.items() if not POLITE.search(one)}
        if "long" in self.style and self.rng.random() < 0.6:
            openers = {one: number for one, number in openers.items() if one} or openers
        closers = self.people.closers.get(verb, {"": 1})
        fit = {one: float(number) for one, number in closers.items() if set(one.split()) <= CLOSING}
        closer = "" if "short" in self.style else draw(self.rng, fit or {"": 1.0})
        text = f"{draw(self.rng, openers)} {core} {closer}".strip()
        return re.sub(r"\b(please)\b(.*)\bplease\b", r"\1\2", re.sub(" +", " ", text)).strip()

    def task(self, name: str, params: Sequence[str], named: Callable[[int], str]) -> str | None:
        """The whole task in one instruction; None if people have no words for it."""
        count = params[0] if params and params[0].isdigit() else "1"
        fit = {
            one: float(number)
            for one, number in self.people.tasks.get(name, {}).items()
            if (COUNT in one) == (count != "1") and not NUMBER.search(one)
        }
        if not fit:
            return None
        text = draw(self.rng, fit).replace(COUNT, count)
        return re.sub(r"<(\d)>", lambda found: named(int(found[1])), text)

    def remark(self, act: str, happened: bool = True, asked: bool = False) -> str:
        """Short words that name nothing: a greeting, praise, a nod; empty if there are none.

        Args:
            act: The dialogue act.
            happened: Whether there is something to be content with.
            asked: Whether there is a question to be affirmed.
        """
        told = shipped(__package__, "wording.toml")["remarks"]
        unsaid = {*told["untrue"], *(() if happened else (*told["content"], *self.people.phrases["praise"]))}
        fit = {
            one: float(number)
            for one, number in {**self.people.phrases.get(act, {}), **told.get(act, {})}.items()
            if one not in unsaid
            and (asked or act != "acknowledge" or one.split()[0] not in told["affirming"])
        }
        return draw(self.rng, fit).rstrip(" ,") if fit else ""

    def where(self, thing: Thing, describer: ReferringExpressions, exact: bool) -> str:
        """Where a thing is, in one of the shapes that are true of it; a finer one if it has to be exact."""
        home = describer.home
        holder = next(home.ancestors(thing), None)
        fixed = holder is None or holder.type == "Floor" or not thing.kind.can("pickup")
        about = thing if fixed or holder is None else holder
        true: dict[str, tuple[float, str]] = {}
        for shape, number in self.people.shapes.items():
            text = self._shaped(shape.split(), about, fixed, describer)
            if text:
                true[shape] = (number * (6.0 if exact and " " in shape else 1.0), text)
        if not true:
            return describer.where(thing, careful=exact)
        return true[draw(self.rng, {shape: weight for shape, (weight, _) in true.items()})][1]

    def _shaped(
        self, shape: Sequence[str], about: Thing, fixed: bool, describer: ReferringExpressions
    ) -> str:
        """A place in one shape; empty if that is not true of it."""
        first, *rest = shape
        if len(rest) > 1 or (first not in ("in", "on") and rest):
            return ""
        if first in ("in", "on"):
            if fixed or preposition(about) != first:
                return ""
            detail = self._relation(rest[0], about, describer) if rest else ""
            if rest and not detail:
                return ""
            holder = self._the(self.name(about.type, describer.realiser.name))
            return f"{self._said(first)} {holder} {detail}".strip()
        return self._relation(first, about, describer)

    def _relation(self, relation: str, about: Thing, describer: ReferringExpressions) -> str:
        """One relation to the listener or to a landmark, if it is true."""
        own, viewer = describer.extent(about), describer.viewer
        if relation in SIDES:
            return self._said(relation) if side_of(own, viewer) == relation else ""
        if relation not in ("near", "left", "right", "above", "below"):
            return ""
        fits: dict[str, float] = {}
        for kind in LANDMARKS:
            anchors = [describer.extent(each) for each in describer.home.of_type(kind)]
            if (len(anchors) != 1 and kind != "StoveBurner") or not anchors or kind == about.type:
                continue
            stacked = relation in ("near", "left", "right") or is_stacked(own, relation, anchors[0])
            fit = misfit(own, relation, anchors, viewer)
            if stacked and fit < NEAR_M:
                fits[kind] = fit
        if not fits:
            return ""
        kind = min(fits, key=lambda each: fits[each])
        return f"{self._said(relation)} {self._the(self.name(kind, describer.realiser.name))}"

    def _said(self, relation: str) -> str:
        return draw(self.rng, {one: float(number) for one, number in self.people.relations[relation].items()})

    def _the(self, name: str) -> str:
        return name if "short" in self.style and self.rng.random() < 0.5 else f"the {name}"

    def place(self, thing: str, where: str, asked: bool, several: bool) -> str:
        """That a thing is somewhere."""
        words = shipped(__package__, "wording.toml")["subjects"]
        fit = {
            one: float(number)
            for one, number in self.people.subjects.items()
            if not set(one.split()) & set(words["unsure"])
            and (THING in one or (asked and (one in words["answers"] or not one)))
            and not (several and one.startswith("the <thing>"))
        }
        return f"{draw(self.rng, fit).replace(THING, thing)} {where}".strip()


MENTION = "mention thing -"
POLITE = re.compile(r"\b(please|can you|could you|i need you)\b")
NUMBER = re.compile(r"\b(two|three|four|both)\b")
CUTTING = ("slice", "cut", "chop", "crack", "please", "can")
CLOSING = {
    "please",
    "for",
    "me",
    "first",
    "now",
    "next",
    "with",
    "a",
    "the",
    "knife",
    "using",
    "water",
    "in",
    "sink",
}


def _is_name(words: str, kind: str) -> bool:
    """Whether it is a name in the singular, for a thing rather than a class or a dish."""
    types = types_called(words)
    plain = plural(words) != words or words == "keys"
    single = not (words.endswith("s") and types_called(words[:-1]) == types)
    dishes = {each for row in table("dishes").values() for each in row}
    return plain and single and kind in types and len(types) <= MANY and words not in dishes


def _counts_fit(core: str, count: int) -> bool:
    """Whether words for a number fit it."""
    words = set(core.split())
    numbers: Mapping[str, int] = {"all": 0, "both": 2, "one": 1, "two": 2, "three": 3, "a": 1, "that": 1}
    told = [numbers[each] for each in words if each in numbers and f"{each} {GOAL}" not in core]
    if COUNT in core:
        return count > 1
    return all(each == count for each in told) and (bool(told) or count in (0, 1))


def _place_fits(core: str, on: str) -> bool:
    """Whether the preposition before the goal is the one that the place takes."""
    words = core.split()
    said = {"in": "in", "into": "in", "inside": "in", "to": "in", "on": "on", "onto": "on"}
    told = {said[each] for each in words[: words.index(GOAL)] if each in said} if GOAL in words else set()
    return GOAL not in words or told == {on}
