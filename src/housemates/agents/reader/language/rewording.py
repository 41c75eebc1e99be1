"""Rewording: people's phrasings as the grammar has them, and the logical forms of what is not negated."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from housemates.agents.embodied.semantics import Location, LogicalForm, NounPhrase, Order, Remark
from housemates.agents.reader.language.spelling import corrected
from housemates.agents.teach.talk.parsing import parse
from housemates.agents.teach.talk.phrases import NounPhraseParser
from housemates.agents.teach.talk.vocabulary import match, sentences
from housemates.files import shipped

SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]*")


def pattern(name: str) -> re.Pattern[str]:
    """A pattern of `rewording.toml` by its name."""
    return _patterns()[name]


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    return {name: re.compile(text) for name, text in _table("patterns").items()}


@cache
def _phrasings() -> Sequence[tuple[re.Pattern[str], str]]:
    return [(re.compile(said), meant) for said, meant in _table("reworded").items()]


def _table(name: str) -> Mapping[str, str]:
    found: Mapping[str, str] = shipped(__package__, "rewording.toml")[name]
    return found


def affirmed(text: str) -> list[LogicalForm]:
    """The logical forms of a text without those that it negates."""
    found: list[LogicalForm] = []
    for sentence in SENTENCE.findall(text):
        said, *others = (corrected(part) for part in pattern("not").split(reworded(sentence.lower())))
        found += parse(said)
        for taken_back, *more in (pattern("but").split(each, maxsplit=1) for each in others):
            for each in parse(taken_back):
                found = [one for one in found if not same_order(one, each)]
                found.append(Remark("taken back", each.theme if isinstance(each, Order) else None))
            found += [each for part in more for each in parse(part)]
    return found


def themes_of(text: str) -> list[NounPhrase]:
    """The noun phrases at the beginning of a text."""
    found = affirmed(f"go to {text}")
    return [each.theme for each in found if isinstance(each, Order) and each.theme is not None]


def reworded(text: str) -> str:
    """A plain text in phrasings that the grammar has."""
    for said, meant in _phrasings():
        text = said.sub(meant, text)
    verbs = _table("verbs")
    return pattern("stated").sub(lambda found: f"{verbs[found['state']]} {found['theme']}", text)


def same_order(one: LogicalForm, other: LogicalForm) -> bool:
    """Whether two orders ask for the same with the same objects, as far as they name them."""
    if not isinstance(one, Order) or not isinstance(other, Order) or one.verb != other.verb:
        return False
    themes = [each.theme.types for each in (one, other) if each.theme is not None]
    return len(themes) < 2 or not themes[1] or themes[0] == themes[1]


def bare_phrase(text: str) -> NounPhrase | None:
    """The noun phrase that a text consists of, if it does."""
    words = [word for sentence in sentences(corrected(reworded(text))) for word in sentence]
    parser = NounPhraseParser(words)
    found = parser.phrase()
    return found if found is not None and found.types and parser.at == len(words) else None


def bare_place(text: str) -> Location | None:
    """The place that a text consists of, such as `in the fridge`, if it does."""
    words = [word for sentence in sentences(corrected(text)) for word in sentence]
    parser = NounPhraseParser(words)
    found = parser.places()
    return found[0] if found and parser.at == len(words) else None


def one_with(text: str) -> str:
    """The trait in `the blue one`; empty if the text is nothing like it."""
    found = pattern("one with").fullmatch(text.strip())
    if found is None:
        return ""
    word = [found["trait"]]
    return match(word, 0, "traits")[0] or match(word, 0, "colours")[0]


def past_order(text: str) -> Order | None:
    """The order that a past tense tells of: `washed the cup`, `open the fridge`."""
    first, _, rest = text.partition(" ")
    for verb in (first, first.removesuffix("d"), first.removesuffix("ed"), first.removesuffix("ped")):
        found = [
            each for each in affirmed(f"{_table('past').get(verb, verb)} {rest}") if isinstance(each, Order)
        ]
        if found:
            return found[0]
    return None
