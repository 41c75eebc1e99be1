"""Rewording: people's phrasings as the grammar has them, and the logical forms of what is not negated."""

from __future__ import annotations

import re

from housemates.agents.embodied.semantics import Location, LogicalForm, NounPhrase, Order, Remark
from housemates.agents.reader.language.spelling import corrected
from housemates.agents.teach.talk.parsing import parse
from housemates.agents.teach.talk.phrases import NounPhraseParser
from housemates.agents.teach.talk.vocabulary import match, sentences

NOT = re.compile(r"\b(?:do ?n[o']?t|do not|never|no need to)\b")
"""Begins a negated order."""
BUT = re.compile(r",|\b(?:but|instead)\b")
"""Ends a negated order."""
SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]*")
STATED = re.compile(
    r"(?P<theme>(?:the|that|this) [\w ]+?) (?:needs to be|has to be|must be|should be|is supposed to be)"
    r" (?:turned |switched )?(?P<state>on|off|open|opened|closed|shut|clean|cleaned|washed|sliced|cut|cooked|"
    r"toasted|boiled|filled)\b"
)
"""Says how something has to be."""
VERBS = {
    "on": "turn on", "off": "turn off", "open": "open", "opened": "open", "closed": "close", "shut": "close",
    "clean": "wash", "cleaned": "wash", "washed": "wash", "sliced": "slice", "cut": "slice", "cooked": "cook",
    "toasted": "toast", "boiled": "boil", "filled": "fill",
}  # fmt: skip
"""The order that brings a state about."""
REWORDED = (
    (re.compile(r"\bafter (?:you )?(?:have )?(?:opened|opening) (the \w+)"), r"open \1,"),
    (re.compile(r"\b(?:by|mind|start|try|keep) (\w+?)(p|t|l)\2ing\b"), r"\1\2"),
    (re.compile(r"\b(?:by|mind|start|try|keep) (\w+)ing\b"), r"\1"),
    (re.compile(r"\b(?:bring|give|hand|fetch|pass|get|grab|pick) (?:me|us)(?: up)?\b"), "get"),
    (re.compile(r"\b(make|cook|prepare|brew|toast|boil|slice|cut|fill) (?:me|us)\b"), r"\1"),
    (re.compile(r"\b(?:the )?(?:water|tap)(?= (?:on|off|running)\b)"), "the faucet"),
    (re.compile(r"\b(on|off) the (?:water|tap)\b"), r"\1 the faucet"),
    (re.compile(r"\b(on|off) the (?:kitchen )?lights?\b(?! switch)"), r"\1 the light switch"),
    (re.compile(r"\bthe (?:kitchen )?lights?(?= (?:on|off)\b)"), "the light switch"),
    (re.compile(r"\bi (?:really )?(?:want|need|would like) (the [\w ]+?) (open|closed|on|off|clean)\b"),
     r"\1 should be \2"),
    (re.compile(r"\b(?:that |which )?you(?: have)? (?:just |already )?(?:washed|cleaned|used|took|had|held|opened|"
                r"sliced|cut|cooked|toasted|rinsed|moved|dropped|put down|picked up)(?: before| earlier)?\b"), ""),
    (re.compile(r"\bto you\b"), ""),
)  # fmt: skip
"""Phrasings of people, and how the grammar has them."""
IRREGULAR = {
    "taken": "take",
    "took": "take",
    "got": "get",
    "made": "make",
    "found": "find",
    "gone": "go",
    "cut": "cut",
}
"""Past forms of verbs."""


def affirmed(text: str) -> list[LogicalForm]:
    """The logical forms of a text without those that it negates."""
    found: list[LogicalForm] = []
    for sentence in SENTENCE.findall(text):
        said, *others = (corrected(part) for part in NOT.split(reworded(sentence.lower())))
        found += parse(said)
        for taken_back, *more in (BUT.split(each, maxsplit=1) for each in others):
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
    for said, meant in REWORDED:
        text = said.sub(meant, text)
    return STATED.sub(lambda found: f"{VERBS[found['state']]} {found['theme']}", text)


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
    found = re.fullmatch(
        r"(?:no |not that )?(?:the |a |an )?(?P<trait>\w+)(?: one)(?: please| then)?", text.strip()
    )
    if found is None:
        return ""
    word = [found["trait"]]
    return match(word, 0, "traits")[0] or match(word, 0, "colours")[0]


def past_order(text: str) -> Order | None:
    """The order that a past tense tells of: `washed the cup`, `open the fridge`."""
    first, _, rest = text.partition(" ")
    for verb in (first, first.removesuffix("d"), first.removesuffix("ed"), first.removesuffix("ped")):
        found = [each for each in affirmed(f"{IRREGULAR.get(verb, verb)} {rest}") if isinstance(each, Order)]
        if found:
            return found[0]
    return None
