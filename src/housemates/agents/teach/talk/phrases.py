"""Noun phrases: types, count, modifiers and places of what is spoken of."""

from __future__ import annotations

from collections.abc import Sequence

from housemates.agents.embodied.semantics import ALL, Location, NounPhrase
from housemates.agents.teach.talk.vocabulary import match, table
from housemates.benchmarks.teach.world.names import types_called
from housemates.home.types import object_types

LONGEST = 3
"""Most words of a noun."""
DEFINITE = ("the", "that", "this")
WHERE = ("in", "on", "inside", "behind", "to", "next", "near", "by", "under", "above")
MOVING = (
    *("put", "pour", "turn", "make", "take", "slice", "clean"),
    *("cook", "toast", "boil", "fill", "empty", "find"),
)
"""Verbs that take places as source or destination."""


class NounPhraseParser:
    """Parses noun phrases at a position of a sentence, and moves behind them."""

    def __init__(self, words: list[str]) -> None:
        self.words = words
        self.at = 0

    def word(self, ahead: int = 0) -> str:
        """The word here or so many ahead; empty behind the last one."""
        return self.words[self.at + ahead] if self.at + ahead < len(self.words) else ""

    def skip_commas(self) -> None:
        """Move the position behind any commas."""
        while self.word() == ",":
            self.at += 1

    def take(self, name: str) -> str:
        """Consume an entry of a table; returns what it stands for, or nothing."""
        key, length = match(self.words, self.at, name)
        self.at += length
        return key

    def take_one(self, name: str) -> bool:
        """Consume one of a list of words; returns whether there was one."""
        for text in sorted(table("small")[name], key=len, reverse=True):
            words = text.split()
            if self.words[self.at : self.at + len(words)] == words:
                self.at += len(words)
                return True
        return False

    def side(self, name: str) -> str:
        """The side in `to the left`, which `to the left of the stove` does not mean."""
        side, length = match(self.words, self.at, name)
        if self.word(length) == "of":
            return ""
        self.at += length
        return side

    def places(self) -> tuple[Location, ...]:
        """Where something is said to be: `in the drawer left of the stove`, `on your right`."""
        found: list[Location] = []
        if self._is_relative():
            self.at += 2
        while True:
            if self.word() in ("and", ",") and match(self.words, self.at + 1, "yours")[1]:
                self.at += 1
            yours = self.side("yours")
            if yours:
                found.append(Location(yours))
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
            found.append(Location(relation, anchor))

    def _is_relative(self) -> bool:
        """Whether a relative clause such as `that is in the sink` begins here."""
        return self.word() in ("that", "which") and self.word(1) == "is" and self.word(2) in WHERE

    def phrase(self, verb: str = "") -> NounPhrase | None:
        """The noun phrase here with its places; None if there is none.

        After a verb that moves things, what follows about a place is left to the verb.
        """
        start = self.at
        count, traits, plural, definite = 1, set(), False, False
        spared: NounPhrase | None = None
        while True:
            if count == ALL and spared is None and (spared := self._spared()) is not None:
                continue
            key, length = match(self.words, self.at, "counts")
            if length and not (self.word() == "one" and not _is_noun_ahead(self.words, self.at + 1)):
                count, self.at = int(key), self.at + length
                plural = count != 1
                continue
            trait, length = max(
                (match(self.words, self.at, name) for name in ("traits", "colours")), key=lambda each: each[1]
            )
            if length and _is_noun_ahead(self.words, self.at + length):
                traits.add(trait)
                self.at += length
                continue
            if self.word() in table("small")["articles"] and self.word(1):
                definite = definite or self.word() in DEFINITE
                self.at += 1
                continue
            if self.word() in table("small")["adjectives"] and _is_noun_ahead(self.words, self.at + 1):
                self.at += 1
                continue
            break
        noun = self._noun()
        if noun is None and self.at > start + 1 and self.word(-1) in table("cuts")["after"]:
            return NounPhrase(count=count, traits=frozenset([*traits, "sliced"]), plural=count != 1)
        if noun is None:
            if self.word(-1 if self.at > start else 0) in table("small")["pronouns"] and self.at >= start:
                self.at = max(self.at, start + 1)
                return NounPhrase(count=count, plural=self.words[self.at - 1] in ("them", "they", "those"))
            self.at = start
            return None
        types, words, cut = noun
        places: tuple[Location, ...] = ()
        if verb not in MOVING or self._is_relative():
            places = self.places()
        elif match(self.words, self.at, "relations")[0] in ("left", "right", "near", "above", "below"):
            places = self._place()
        if cut:
            traits.add("sliced")
        if count == ALL:
            spared = spared or self._spared()
        if words == "toast":
            types, traits = ("BreadSliced",), traits | {"sliced", "cooked"}
        plural = plural or words.endswith("s")
        return NounPhrase(types, words, count, frozenset(traits), places, plural, definite, spared)

    def _spared(self) -> NounPhrase | None:
        """What `all but` leaves out: `one of the`, `the one on the counter`, `two`."""
        start = self.at
        if self.take_one("except"):
            told = self.take_one("articles")
            key, length = match(self.words, self.at, "counts")
            if length and key != str(ALL):
                self.at += length
                if self.word() == "of":
                    self.at += 1
                return NounPhrase(count=int(key), places=self._place() if told else ())
        self.at = start
        return None

    def _place(self) -> tuple[Location, ...]:
        """One place, if there is one here."""
        relation = self.take("relations")
        anchor = self.phrase("put")
        return (Location(relation, anchor),) if anchor is not None and anchor.types else ()

    def _noun(self) -> tuple[tuple[str, ...], str, bool] | None:
        cut = bool(self.take("cuts"))
        if not cut and self.word() in ("bread",) and self.word(1) in ("knife",):
            self.at += 1
        for length in range(LONGEST, 0, -1):
            words = " ".join(self.words[self.at : self.at + length])
            if self.at + length > len(self.words) or words in table("never")["nouns"] or "," in words:
                continue
            types = types_called(words) or types_called(words.removesuffix("s"))
            if types:
                self.at += length
                if self.word() in table("cuts")["after"]:
                    self.at += 1
                    cut = True
                cut = cut or types[0].endswith("Sliced")
                return (_cut(types) if cut else types), words, cut
        return None


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
    """The slice types of these types."""
    kinds = object_types()
    return tuple(dict.fromkeys(kinds[each].slice_type or each for each in types))
