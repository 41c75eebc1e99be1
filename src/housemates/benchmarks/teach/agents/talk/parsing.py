"""From an utterance to what it means: a small grammar over the tables of `words.toml`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from housemates.benchmarks.embodied.meaning import (
    Fact,
    Meaning,
    Order,
    Phrase,
    Place,
    Question,
    Remark,
)
from housemates.benchmarks.teach.agents.talk.vocabulary import match, sentences, table
from housemates.benchmarks.teach.world.naming import types_called
from housemates.home.types import object_types

LONGEST = 3
"""Words that make up a noun, at most."""
DEFINITE = ("the", "that", "this")
WHERE = ("in", "on", "inside", "behind", "to", "next", "near", "by", "under", "above")
PARTICLES = ("on", "off", "up", "down", "out")
THEMELESS = ("put", "pour", "empty")
"""Verbs that can be about what is in the hand, and need not say so."""


def understand(text: str) -> list[Meaning]:
    """All that an utterance says, in order; what is not understood is left out."""
    return [meaning for sentence in sentences(text) for meaning in _Reader(sentence).read()]


class _Reader:
    """Reads one sentence from left to right."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.at = 0

    def read(self) -> Iterator[Meaning]:
        """Everything the sentence says."""
        while self.at < len(self.words):
            start = self.at
            found = self._clause()
            if found is not None:
                yield found
            elif self.at == start:
                self.at += 1

    def _clause(self) -> Meaning | None:
        self._skip_commas()
        for attempt in (self._question, self._there_is, self._hint, self._fact, self._order, self._remark):
            start = self.at
            found: Meaning | None = attempt()
            if found is not None:
                return found
            self.at = start
        if self._word() in table("small")["polite"]:
            self.at += 1
        return None

    def _word(self, ahead: int = 0) -> str:
        return self.words[self.at + ahead] if self.at + ahead < len(self.words) else ""

    def _skip_commas(self) -> None:
        while self._word() == ",":
            self.at += 1

    def _take(self, name: str) -> str:
        """Step over an entry of a table, if one stands here, and say what it stands for."""
        key, length = match(self.words, self.at, name)
        self.at += length
        return key

    def _take_one(self, name: str) -> bool:
        """Step over one of a list of words."""
        for text in sorted(table("small")[name], key=len, reverse=True):
            words = text.split()
            if self.words[self.at : self.at + len(words)] == words:
                self.at += len(words)
                return True
        return False

    def _question(self) -> Meaning | None:
        kind = self._take("questions")
        if not kind:
            return None
        theme = self.phrase() if kind in ("where", "which") else None
        if kind == "which" and theme is not None:
            self._skip_commas()
            guess = self._hint()
            theme = theme.at(*guess.theme.places) if isinstance(guess, Fact) else theme
        if kind == "where" and theme is None and self.at < len(self.words):
            return None
        if kind in ("next", "how"):
            if self._says_more():
                return None
            self.at = len(self.words)
        return Question(kind, theme)

    def _says_more(self) -> bool:
        """Whether an order follows: `next, put ...` is no question."""
        return any(
            match(self.words, at, "verbs")[1] for at in range(self.at, min(self.at + 5, len(self.words)))
        )

    def _there_is(self) -> Meaning | None:
        if not self._take_one("there_is"):
            return None
        theme = self.phrase()
        return Fact(theme) if theme is not None and (theme.places or theme.types) else None

    def _hint(self) -> Meaning | None:
        """Places alone, as an answer: `in the drawer`, `try the fridge`, `the top one by the stove`."""
        looking = match(self.words, self.at, "verbs")[0] == "look"
        if looking:
            self._take("verbs")
        self._take_one("articles")
        side = self._side("next_to_last")
        if side:
            return Fact(Phrase(traits=frozenset([f"next {side}"])))
        traits: frozenset[str] = frozenset()
        trait, length = match(self.words, self.at, "traits")
        if self._word(length) == "one":
            self.at += length + 1
            traits = frozenset([trait] if trait else ())
        places = self._places()
        if not places and looking:
            theme = self.phrase()
            if theme is not None and theme.types and object_types()[theme.types[0]].can("receptacle"):
                places = (Place("in", theme),)
        return Fact(Phrase(traits=traits, places=places)) if places else None

    def _side(self, name: str) -> str:
        """The side in `to the left`, which `to the left of the stove` does not mean."""
        side, length = match(self.words, self.at, name)
        if self._word(length) == "of":
            return ""
        self.at += length
        return side

    def _fact(self) -> Meaning | None:
        theme = self.phrase()
        if theme is None:
            return None
        is_said = self._take_one("is")
        while self._take_one("located"):
            pass
        if is_said and self._word() in ("already", "clean", "done", "dirty", "off", "cooked"):
            self.at += 1
            return Remark("state", theme)
        side = self._side("next_to_last") if is_said and (self._take_one("articles") or True) else ""
        if side:
            return Fact(Phrase(theme.types, theme.words, traits=frozenset([f"next {side}"])))
        places = self._places()
        if not places and is_said:
            holder = self.phrase()
            if holder is not None and holder.traits & {"next left", "next right"}:
                return Fact(holder)
        theme = theme.at(*places)
        return Fact(theme) if theme.places and (is_said or theme.types) else None

    def _remark(self) -> Meaning | None:
        kind = self._take("remarks")
        if kind == "trouble":
            rest = list(self._nouns())
            self.at = len(self.words)
            return Remark(kind, rest[0] if rest else None)
        return Remark(kind) if kind else None

    def _nouns(self) -> Iterator[Phrase]:
        while self.at < len(self.words):
            start = self.at
            found = self.phrase()
            if found is not None and found.types:
                yield found
            self.at = max(self.at, start + 1)

    def _order(self) -> Meaning | None:
        while self._word() in table("small")["polite"] and not self._verb_here():
            self.at += 1
        verb = self._take("verbs")
        if not verb:
            return None
        if verb == "make":
            return self._dish()
        if verb == "turn":
            return self._switch()
        poured = verb == "pour" and self._take_one("liquids")
        theme = self.phrase(verb)
        if theme is not None and (served := self._served(theme)) is not None:
            wanted = verb == "take" and served.theme is not None and not served.theme.definite
            return served if wanted else _order(verb, theme, None)
        if self._word() in PARTICLES and self._word() not in ("on", "off"):
            self.at += 1
        goal, sources = self._goal(verb)
        if poured and sources:
            theme = sources[0].anchor
        elif theme is not None:
            theme = theme.at(*sources)
        return _order(verb, theme, goal)

    def _served(self, theme: Phrase) -> Order | None:
        """`with a tomato on it`: what is to be on the theme; nothing stands here otherwise."""
        start = self.at
        if self._take("relations") == "with":
            load, relation = self.phrase("put"), self._take("relations")
            if load is not None and load.types and relation in ("in", "on") and self._take_one("pronouns"):
                return Order("put", load, Place(relation, theme))
        self.at = start
        return None

    def _verb_here(self) -> bool:
        verb, length = match(self.words, self.at, "verbs")
        if self._word() == "get" and self._word(1) in ("to", "started"):
            return False
        if self._word() == "start" and self._word(1) == "by":
            return False
        return bool(verb) and bool(length)

    def _switch(self) -> Meaning | None:
        """`turn the faucet on`."""
        theme = self.phrase("turn")
        way = self._word()
        if theme is None or way not in ("on", "off"):
            return None
        self.at += 1
        return Order("start" if way == "on" else "stop", theme)

    def _dish(self) -> Meaning | None:
        """`make a salad with a slice of tomato and two slices of lettuce`."""
        count = self._take("counts")
        self._take_one("articles")
        dish = self._take("dishes")
        if not dish:
            theme = self.phrase()
            return Order("make", theme) if theme is not None else None
        parts = []
        if self._take("relations") == "with" or self._word() == "of":
            while (part := self.phrase()) is not None:
                parts.append(part)
                while self._word() in (",", "and") and not self._verb_after_and():
                    self.at += 1
        goal, _ = self._goal("put")
        theme = Phrase(words=dish, count=int(count or 1))
        return Order("make", theme, goal, tuple(parts))

    def _verb_after_and(self) -> bool:
        return bool(match(self.words, self.at + 1, "verbs")[1])

    def _goal(self, verb: str) -> tuple[Place | None, tuple[Place, ...]]:
        """Where something is to go, and where it comes from."""
        goal: Place | None = None
        sources: list[Place] = []
        while True:
            yours = self._side("yours")
            if yours:
                sources.append(Place(yours))
                continue
            relation, length = match(self.words, self.at, "relations")
            if not length:
                return goal, tuple(sources)
            start = self.at
            self.at += length
            anchor = self.phrase(verb if relation == "from" and verb == "pour" else "")
            if anchor is None:
                self.at = start
                return goal, tuple(sources)
            if relation == "with":
                continue
            if relation == "from" or (verb in ("take", "slice", "find") and relation not in ("to",)):
                sources.append(Place("in" if relation in ("from", "with") else relation, anchor))
            else:
                goal = Place("in" if relation == "to" else relation, anchor)

    def _places(self) -> tuple[Place, ...]:
        """Where something is said to be: `in the drawer left of the stove`, `on your right`."""
        found: list[Place] = []
        if self._word() in ("that", "which") and self._word(1) == "is" and self._word(2) in WHERE:
            self.at += 2
        while True:
            if self._word() in ("and", ",") and match(self.words, self.at + 1, "yours")[1]:
                self.at += 1
            yours = self._side("yours")
            if yours:
                found.append(Place(yours))
                continue
            relation, length = match(self.words, self.at, "relations")
            if not length or relation in ("with", "from", "to"):
                return tuple(found)
            start = self.at
            self.at += length
            anchor = self.phrase()
            if anchor is None or not anchor.types:
                self.at = start
                return tuple(found)
            found.append(Place(relation, anchor))

    def phrase(self, verb: str = "") -> Phrase | None:
        """A noun phrase with what is said about where the thing is; None if there is none here.

        After a verb that moves things, what follows about a place is left to the verb.
        """
        start = self.at
        count, traits, plural, definite = 1, set(), False, False
        while True:
            key, length = match(self.words, self.at, "counts")
            if length and not (self._word() == "one" and not _is_noun_ahead(self.words, self.at + 1)):
                count, self.at = int(key), self.at + length
                plural = count != 1
                continue
            trait, length = match(self.words, self.at, "traits")
            if length and _is_noun_ahead(self.words, self.at + length):
                traits.add(trait)
                self.at += length
                continue
            if self._word() in table("small")["articles"] and self._word(1):
                definite = definite or self._word() in DEFINITE
                self.at += 1
                continue
            if self._word() in table("small")["adjectives"] and _is_noun_ahead(self.words, self.at + 1):
                self.at += 1
                continue
            break
        noun = self._noun()
        if noun is None:
            if self._word(-1 if self.at > start else 0) in table("small")["pronouns"] and self.at >= start:
                self.at = max(self.at, start + 1)
                return Phrase(count=count, plural=self.words[self.at - 1] in ("them", "they", "those"))
            self.at = start
            return None
        types, words, cut = noun
        places: tuple[Place, ...] = ()
        if verb not in MOVING:
            places = self._places()
        elif match(self.words, self.at, "relations")[0] in ("left", "right", "near", "above", "below"):
            places = self._places_near()
        if cut:
            traits.add("sliced")
        if words == "toast":
            types, traits = ("BreadSliced",), traits | {"sliced", "cooked"}
        return Phrase(types, words, count, frozenset(traits), places, plural or words.endswith("s"), definite)

    def _places_near(self) -> tuple[Place, ...]:
        relation = self._take("relations")
        anchor = self.phrase("put")
        return (Place(relation, anchor),) if anchor is not None and anchor.types else ()

    def _noun(self) -> tuple[tuple[str, ...], str, bool] | None:
        cut = bool(self._take("cuts"))
        if not cut and self._word() in ("bread",) and self._word(1) in ("knife",):
            self.at += 1
        for length in range(LONGEST, 0, -1):
            words = " ".join(self.words[self.at : self.at + length])
            if self.at + length > len(self.words) or words in table("never")["nouns"] or "," in words:
                continue
            types = types_called(words) or types_called(words.removesuffix("s"))
            if types:
                self.at += length
                if self._word() in table("cuts")["after"]:
                    self.at += 1
                    cut = True
                cut = cut or types[0].endswith("Sliced")
                return (_cut(types) if cut else types), words, cut
        return None


MOVING = (
    *("put", "pour", "turn", "make", "take", "slice", "clean"),
    *("cook", "toast", "boil", "fill", "empty", "find"),
)
"""Verbs that say themselves where things go or come from."""


def _is_noun_ahead(words: Sequence[str], at: int) -> bool:
    """Whether a noun follows, perhaps after adjectives."""
    for ahead in range(at, min(at + 4, len(words))):
        if match(words, ahead, "relations")[1] or words[ahead] in ("is", "are", ","):
            return False
        if words[ahead] not in table("never")["nouns"] and types_called(words[ahead]):
            return True
        if match(words, ahead, "cuts")[1] or types_called(" ".join(words[ahead : ahead + 2])):
            return True
    return False


def _cut(types: tuple[str, ...]) -> tuple[str, ...]:
    """The types that pieces of these are."""
    kinds = object_types()
    return tuple(dict.fromkeys(kinds[each].slice_type or each for each in types))


def _order(verb: str, theme: Phrase | None, goal: Place | None) -> Meaning | None:
    """An order, with what is meant where people say it in other ways."""
    if verb == "look":
        return Fact(Phrase(places=(goal,))) if goal is not None else None
    if verb == "go":
        where = goal.anchor if goal is not None else theme
        return Order("go", where) if where is not None else None
    if verb == "take" and goal is not None:
        return Order("put", theme, goal)
    if theme is None and verb not in THEMELESS:
        return None
    return Order(verb, theme, goal)
