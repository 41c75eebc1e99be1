"""Semantic parsing: a recursive-descent grammar over `words.toml`, from utterances to logical forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from housemates.agents.embodied.semantics import (
    Fact,
    Location,
    LogicalForm,
    NounPhrase,
    Order,
    Question,
    Remark,
)
from housemates.agents.teach.talk.phrases import NounPhraseParser
from housemates.agents.teach.talk.vocabulary import match, sentences, table
from housemates.benchmarks.teach.world.names import types_called
from housemates.home.types import object_types

PARTICLES = ("on", "off", "up", "down", "out")
THEMELESS = ("put", "pour", "empty")
"""Verbs whose theme may be what is in the hand."""


def parse(text: str) -> list[LogicalForm]:
    """The logical forms of an utterance, in order; what the grammar does not cover is skipped."""
    return [meaning for sentence in sentences(text) for meaning in _SentenceParser(sentence).read()]


class _SentenceParser(NounPhraseParser):
    """A recursive-descent parser for one sentence."""

    def __init__(self, words: list[str]) -> None:
        super().__init__(words)
        self._also: list[str | NounPhrase] = []
        """Further verbs and themes of the order that is read."""

    def read(self) -> Iterator[LogicalForm]:
        """The logical forms of the sentence."""
        while self.at < len(self.words):
            start = self.at
            found = self._clause()
            if found is not None:
                yield found
                yield from self._alike(found)
            elif self.at == start:
                self.at += 1

    def _clause(self) -> LogicalForm | None:
        self.skip_commas()
        for attempt in (self._question, self._there_is, self._hint, self._fact, self._order, self._remark):
            start = self.at
            found: LogicalForm | None = attempt()
            if found is not None:
                return found
            self.at = start
        if self.word() in table("small")["polite"]:
            self.at += 1
        return None

    def _alike(self, found: LogicalForm) -> Iterator[LogicalForm]:
        """The orders that share a verb and a destination with one that was read: `a fork and a spoon`."""
        also, self._also = self._also, []
        if isinstance(found, Order):
            for each in also:
                if isinstance(each, str):
                    yield replace(found, verb=each)
                else:
                    yield replace(found, theme=each)

    def _question(self) -> LogicalForm | None:
        kind = self.take("questions")
        if not kind:
            return None
        theme = self.phrase() if kind in ("where", "which") else None
        if kind == "which" and theme is not None:
            self.skip_commas()
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
        """Whether an order follows, as in `next, put ...`."""
        return any(
            match(self.words, at, "verbs")[1] for at in range(self.at, min(self.at + 5, len(self.words)))
        )

    def _there_is(self) -> LogicalForm | None:
        if not self.take_one("there_is"):
            return None
        theme = self.phrase()
        return Fact(theme) if theme is not None and (theme.places or theme.types) else None

    def _hint(self) -> LogicalForm | None:
        """Places alone, as an answer: `in the drawer`, `try the fridge`, `the top one by the stove`."""
        looking = match(self.words, self.at, "verbs")[0] == "look"
        if looking:
            self.take("verbs")
        self.take_one("articles")
        side = self.side("next_to_last")
        if side:
            return Fact(NounPhrase(traits=frozenset([f"next {side}"])))
        traits: frozenset[str] = frozenset()
        trait, length = match(self.words, self.at, "traits")
        if self.word(length) == "one":
            self.at += length + 1
            traits = frozenset([trait] if trait else ())
        places = self.places()
        if not places and looking:
            theme = self.phrase()
            if theme is not None and theme.types and object_types()[theme.types[0]].can("receptacle"):
                places = (Location("in", theme),)
        return Fact(NounPhrase(traits=traits, places=places)) if places else None

    def _fact(self) -> LogicalForm | None:
        theme = self.phrase()
        if theme is None:
            return None
        is_said = self.take_one("is")
        while self.take_one("located"):
            pass
        if is_said and self.word() in ("already", "clean", "done", "dirty", "off", "cooked"):
            self.at += 1
            return Remark("state", theme)
        side = self.side("next_to_last") if is_said and (self.take_one("articles") or True) else ""
        if side:
            return Fact(NounPhrase(theme.types, theme.words, traits=frozenset([f"next {side}"])))
        places = self.places()
        if not places and is_said:
            holder = self.phrase()
            if holder is not None and holder.traits & {"next left", "next right"}:
                return Fact(holder)
        theme = theme.at(*places)
        return Fact(theme) if theme.places and (is_said or theme.types) else None

    def _remark(self) -> LogicalForm | None:
        kind = self.take("remarks")
        if kind == "trouble":
            rest = list(self._nouns())
            self.at = len(self.words)
            return Remark(kind, rest[0] if rest else None)
        return Remark(kind) if kind else None

    def _nouns(self) -> Iterator[NounPhrase]:
        while self.at < len(self.words):
            start = self.at
            found = self.phrase()
            if found is not None and found.types:
                yield found
            self.at = max(self.at, start + 1)

    def _order(self) -> LogicalForm | None:
        while self.word() in table("small")["polite"] and not self._verb_here():
            self.at += 1
        verb = self.take("verbs")
        if not verb:
            return None
        if verb == "make":
            return self._dish()
        if verb == "turn":
            return self._switch()
        if verb == "take" and self._is_dish_ahead():
            return self._dish()
        if self.word() in ("out", "up", "down") and self.word(1) in table("small")["articles"]:
            self.at += 1
        self._also = [] if verb == "water" else list(self._verbs())
        poured = verb == "pour" and self.take_one("liquids")
        theme = self.phrase(verb)
        if theme is not None and theme.types:
            self._also += self._themes(verb)
        if theme is not None and (served := self._served(theme)) is not None:
            wanted = verb == "take" and served.theme is not None and not served.theme.definite
            return served if wanted else _order(verb, theme, None)
        here = match(self.words, self.at, "relations")[1]
        if self.word() in PARTICLES and self.word() not in ("on", "off") and not here:
            self.at += 1
        goal, sources = self._goal(verb)
        if poured and sources:
            theme = sources[0].anchor
        elif theme is not None:
            theme = theme.at(*sources)
        return _order(verb, theme, goal)

    def _verbs(self) -> Iterator[str]:
        """Further verbs with the same theme: `open and close the fridge`."""
        while self.word() == "and":
            verb, length = match(self.words, self.at + 1, "verbs")
            if not length or verb in ("make", "turn", "look", "go"):
                return
            self.at += 1 + length
            yield verb

    def _themes(self, verb: str) -> Iterator[NounPhrase]:
        """Further themes of a verb: `the fork, the spoon and the knife`."""
        while self.word() in ("and", ","):
            start = self.at
            while self.word() in ("and", ",", "also", "then"):
                self.at += 1
            theme = None if match(self.words, self.at, "verbs")[1] else self.phrase(verb)
            if theme is None or not theme.types or self.word() in ("is", "are", "should", "needs"):
                self.at = start
                return
            yield theme

    def _served(self, theme: NounPhrase) -> Order | None:
        """`with a tomato on it` after a theme; None, with nothing read, otherwise."""
        start = self.at
        if self.take("relations") == "with":
            load, relation = self.phrase("put"), self.take("relations")
            if load is not None and load.types and relation in ("in", "on") and self.take_one("pronouns"):
                return Order("put", load, Location(relation, theme))
        self.at = start
        return None

    def _verb_here(self) -> bool:
        verb, length = match(self.words, self.at, "verbs")
        if self.word() == "get" and self.word(1) in ("to", "started"):
            return False
        if self.word() == "start" and self.word(1) == "by":
            return False
        return bool(verb) and bool(length)

    def _is_dish_ahead(self) -> bool:
        """Whether a dish that has to be made is asked for: `some coffee`, but not `the coffee mug`."""
        at = self.at + (self.word() in table("small")["articles"])
        dish, length = match(self.words, at, "dishes")
        return bool(dish) and dish != "toast" and not types_called(" ".join(self.words[at : at + length + 1]))

    def _switch(self) -> LogicalForm | None:
        """`turn the faucet on`."""
        theme = self.phrase("turn")
        way = self.word()
        if theme is None or way not in ("on", "off"):
            return None
        self.at += 1
        return Order("start" if way == "on" else "stop", theme)

    def _dish(self) -> LogicalForm | None:
        """`make a salad with a slice of tomato and two slices of lettuce`."""
        count = self.take("counts")
        self.take_one("articles")
        dish = self.take("dishes")
        if not dish:
            theme = self.phrase()
            return Order("make", theme) if theme is not None else None
        parts = []
        if self.take("relations") == "with" or self.word() == "of":
            while (part := self.phrase()) is not None:
                parts.append(part)
                while self.word() in (",", "and") and not self._verb_after_and():
                    self.at += 1
        goal, _ = self._goal("put")
        theme = NounPhrase(words=dish, count=int(count or 1))
        return Order("make", theme, goal, tuple(parts))

    def _verb_after_and(self) -> bool:
        return bool(match(self.words, self.at + 1, "verbs")[1])

    def _goal(self, verb: str) -> tuple[Location | None, tuple[Location, ...]]:
        """The destination, and the places that the theme comes from."""
        goal: Location | None = None
        sources: list[Location] = []
        while True:
            yours = self.side("yours")
            if yours:
                sources.append(Location(yours))
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
                sources.append(Location("in" if relation in ("from", "with") else relation, anchor))
            else:
                goal = Location("in" if relation == "to" else relation, anchor)


def _order(verb: str, theme: NounPhrase | None, goal: Location | None) -> LogicalForm | None:
    """An order in canonical form; None if its theme is missing."""
    if verb == "look":
        return Fact(NounPhrase(places=(goal,))) if goal is not None else None
    if verb == "go":
        where = goal.anchor if goal is not None else theme
        return Order("go", where) if where is not None else None
    if verb == "take" and goal is not None:
        return Order("put", theme, goal)
    if theme is None and verb not in THEMELESS:
        return None
    return Order(verb, theme, goal)
