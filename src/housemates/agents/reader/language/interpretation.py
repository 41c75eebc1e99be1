"""Interpretation of what the Commander says: orders by grammar, in context; small talk; whole tasks by the network."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from housemates.agents.embodied.semantics import (
    Fact,
    Location,
    LogicalForm,
    NounPhrase,
    Order,
    Question,
    Remark,
)
from housemates.agents.reader.language import small_talk
from housemates.agents.reader.language.decoding import decode_dialogue
from housemates.agents.reader.language.move_commands import moves_of
from housemates.agents.reader.language.network import shipped_network
from housemates.agents.reader.language.slots import TeachTask
from housemates.agents.reader.language.text import dialogue, words_of
from housemates.agents.teach.talk.parsing import parse
from housemates.agents.teach.talk.phrases import NounPhraseParser
from housemates.agents.teach.talk.vocabulary import grammar_words, match, sentences
from housemates.agents.teach.talk.vocabulary import table as vocabulary
from housemates.core.outcome import spoken
from housemates.core.percepts import Utterance
from housemates.home.types import object_types

SURE = 0.5
"""Probability from which a decoded task is carried out."""
LONGEST = 2000
"""Characters of an utterance that are read."""
TASK = "task"
"""Verb of an order that is a whole task, as the network decodes it."""
MOVE = "move"
"""Verb of an order that is a sequence of moves, given in its words."""
INSPECT = "inspect"
"""Verb of an order to tell what is in or on something."""
SURVEY = "survey"
"""Verb of an order to look around and tell what is there."""
UNDO = "undo"
"""Verb of an order to take back what was done last."""
UNCLEAR = "unclear"
"""Kind of a remark that is not understood; its theme has the word in question."""
NOT = re.compile(r"\b(?:do ?n[o']?t|do not|never|no need to)\b")
"""Begins a negated order."""
BUT = re.compile(r",|\b(?:but|instead)\b")
"""Ends a negated order."""
SENTENCE = re.compile(r"[^.!?;\n]+[.!?;\n]*")
WHAT_IS_THERE = re.compile(
    r"\bwhat(?: is|'s)? (?:there )?(?:in|inside|on)\b(?! (?:your|this|the (?:room|kitchen)\b))(?: of)?"
)
"""Asks what is in or on something."""
WITHIN = re.compile(r"^\W*(?:and )?what is (?:inside|in it|in there|on it)\W*$")
"""Asks what is in what was spoken of last."""
OTHER = re.compile(
    r"^(?:(?:no|not (?:that|this)(?: one)?|wrong(?: one| \w+)?|now|and|the|an|try|take|use|please|maybe|then|do)\W+)*"
    r"(?:(?:the )?(?:other|next|second)(?: one)?|another(?: one)?|a different(?: one)?|not (?:that|this)(?: one)?|"
    r"wrong (?:one|\w+))(?: please| too)?\W*$"
)
"""Asks for the last order with another object."""
SAME = re.compile(r"\b(?:same|again)(?: thing)? (?:with|for|to)\b")
"""Asks for the last order with the objects that follow."""
TAKE_BACK = re.compile(
    r"\b(?:put (?:it|that|them) back(?! (?:in|on|into|to|down)\b)|undo(?: (?:it|that|this))?|take (?:it|that) back)\b"
)
MENDED = re.compile(
    r"(?:^|[\s,])(?:no[ ,]+wait|wait[ ,]+no|no[ ,]+i mean(?:t)?|i mean(?:t)?|or rather|sorry|actually|oops|no|not (?:that|this)(?: one)?)\b[ ,:-]*"
)
"""What stands between something said by mistake and what is meant."""
MORE = re.compile(r"^(?:(?:and|also|now|then|or|maybe|just)\W+)+|\W+(?:too|as well|please|instead|then)\W*$")
"""What may stand around a noun phrase that stands for an order."""
WANTED = re.compile(
    r"^\W*(?:(?:now|so|and|first) )?(?:i|we)(?: will)? (?:need|want|would like|would love|could use) (?=(?:the|a|an|some|my|that)\b)"
)
STATED = re.compile(
    r"(?P<theme>(?:the|that|this) [\w ]+?) (?:needs to be|has to be|must be|should be|is supposed to be)"
    r" (?:turned |switched )?(?P<state>on|off|open|opened|closed|shut|clean|cleaned|washed|sliced|cut|cooked|toasted|boiled|filled)\b"
)
"""Says how something has to be."""
SWITCHED = {"on": "start", "off": "stop", "open": "open", "closed": "close", "shut": "close"}
"""The verb that a single word changes another one of them to."""
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
    (re.compile(r"\bi (?:really )?(?:want|need|would like) (the [\w ]+?) (open|closed|on|off|clean|sliced)\b"),
     r"\1 should be \2"),
    (re.compile(r"\b(?:that |which )?you(?: have)? (?:just |already )?(?:washed|cleaned|used|took|had|held|opened|sliced|"
                r"cut|cooked|toasted|rinsed|moved|dropped|put down|picked up)(?: before| earlier)?\b"), ""),
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
ALIKE = 0.85
"""Least similarity of a misspelt word and a noun."""
FOREIGN = 0.5
"""Share of unknown words above which an utterance counts as another language."""


class Interpreter:
    """Turns utterances into logical forms, given what was ordered before."""

    def __init__(self) -> None:
        self.said: Sequence[Order] = ()
        """The orders of the last instruction."""
        self.lacking: Order | None = None
        """An order whose object was asked for."""
        self.asked: NounPhrase | None = None
        """What it was asked for the place of, or which one is meant."""
        self.tasks: dict[str, TeachTask] = {}
        """Decoded tasks by what was said."""

    def read(self, text: str) -> list[LogicalForm]:
        """The logical forms of an utterance: orders and facts, or else one question or remark."""
        text = text[:LONGEST]
        asked = small_talk.question(text.lower())
        if asked is not None and asked.about == "probe":
            return [asked]
        said = small_talk.plain(text)
        if not re.search(r"\w", said):
            return [Remark("nod" if re.search(r"[:;=][-^]?[)DPp]", text) else UNCLEAR)]
        if re.fullmatch(r"\W*(?:\w+ ){0,3}?(?:look|have a look) around(?: \w+){0,3}\W*", said):
            return [Order(SURVEY)]
        if moves := moves_of(said):
            return [Order(MOVE, NounPhrase(words=" ".join(moves)))]
        if _foreign(text):
            return [Remark("foreign")]
        found: list[LogicalForm] = []
        rest: list[str] = []
        for sentence in SENTENCE.findall(said):
            forms = self._sentence(sentence, found)
            rest += [] if forms else [sentence]
            found += forms
        acts = [each for each in found if isinstance(each, Order | Fact)]
        ordered = any(isinstance(each, Order) for each in acts)
        decoded = self._decoded_task(" ".join(rest)) if rest and not ordered else []
        if decoded or acts:
            return [*acts, *decoded]
        asked_last = [each for each in found if isinstance(each, Question)][-1:]
        return [*asked_last] or found[:1] or [self._unclear(said)]

    def _sentence(self, sentence: str, before: list[LogicalForm]) -> list[LogicalForm]:
        """The logical forms of a sentence; what it corrects in those before it is changed there."""
        asked = small_talk.question(sentence)
        place = WHAT_IS_THERE.search(sentence)
        if WITHIN.search(sentence):
            return [*self._ordered(sentence), Order(INSPECT, NounPhrase())]
        if asked is not None and place is None:
            return [asked]
        if place is not None:
            where = next(iter(_themes(sentence[place.end() :])), NounPhrase())
            return [*_affirmed(sentence[: place.start()]), Order(INSPECT, where)]
        if small_talk.is_halt(sentence):
            before.clear()
            return [Remark("stop")]
        if NOT.search(sentence):
            denied = [each for part in NOT.split(sentence)[1:] for each in parse(corrected(_reworded(part)))]
            before[:] = [one for one in before if not any(_same_order(one, each) for each in denied)]
            return _affirmed(sentence)
        if OTHER.search(sentence.strip(" ?!.,")):
            return self._again(frozenset({"other"}), sentence, before)
        found = self._mended(sentence, before)
        if found is None:
            found = self._ordered(sentence) or self._elliptical(sentence, before)
        if not any(isinstance(each, Order | Fact) for each in found):
            talk = small_talk.remark(sentence)
            return (
                [talk]
                if talk is not None
                else [each for each in found if isinstance(each, Question | Remark)]
            )
        return found

    def _ordered(self, sentence: str) -> list[LogicalForm]:
        """Orders and facts of a sentence by the grammar."""
        same = SAME.search(sentence)
        last = self.said[-1] if self.said else None
        if same is not None and last is not None:
            return [replace(last, theme=each) for each in _themes(sentence[same.end() :])]
        if (back := TAKE_BACK.search(sentence)) is not None:
            return [*_affirmed(sentence[: back.start()]), Order(UNDO), *_affirmed(sentence[back.end() :])]
        return _affirmed(sentence)

    def _mended(self, sentence: str, before: list[LogicalForm]) -> list[LogicalForm] | None:
        """What is meant by a sentence that corrects something; None if it corrects nothing."""
        marks = list(MENDED.finditer(sentence))
        if not marks:
            return None
        said, meant = sentence[: marks[0].start()], sentence[marks[-1].end() :]
        earlier = [each for each in _affirmed(said) if isinstance(each, Order | Fact)]
        orders = [each for each in (*before, *earlier) if isinstance(each, Order)]
        now = _affirmed(meant)
        if any(isinstance(each, Order) for each in now):
            before[:] = [each for each in before if not isinstance(each, Order)]
            return now
        changed = self._other_kind(self._elliptical(meant, [*before, *earlier]), [*before, *earlier])
        if not changed and not any(isinstance(each, Fact) for each in now):
            return None
        if orders and changed:
            before[:] = [each for each in before if each is not orders[-1]]
            return [*[each for each in earlier if each is not orders[-1]], *changed]
        return [*earlier, *(changed or now)]

    def _other_kind(self, changed: list[LogicalForm], before: Sequence[LogicalForm]) -> list[LogicalForm]:
        """A corrected order: what was meant is not of the type that the order was taken to be about."""
        last = self._last(before)
        if not changed or last is None or last.theme is None or not isinstance(changed[0], Order):
            return changed
        theme = changed[0].theme
        if theme is None or last.theme.words == theme.words or "other" in theme.traits:
            return changed
        kinds = (
            tuple(each for each in theme.types if each != last.theme.types[:1][0]) if last.theme.types else ()
        )
        return [replace(changed[0], theme=replace(theme, types=kinds or theme.types)), *changed[1:]]

    def _elliptical(self, sentence: str, before: Sequence[LogicalForm]) -> list[LogicalForm]:
        """The last order with the noun phrase, the place or the property that a sentence consists of."""
        last = self._last(before)
        text = sentence.strip(" ?!.,")
        while (shorter := MORE.sub("", text)) != text:
            text = shorter
        wanted = WANTED.sub("", text)
        if wanted != text and (theme := bare_phrase(wanted)) is not None:
            return [Order("take", theme)]
        if last is None:
            return []
        if text in SWITCHED and last.verb in SWITCHED.values():
            return [replace(last, verb=SWITCHED[text])]
        if trait := one_with(text):
            return self._again(frozenset({trait}), sentence, before)
        theme = bare_phrase(text)
        if theme is not None and self.asked is not None and not set(theme.types) & set(self.asked.types):
            kinds = [object_types()[each] for each in theme.types]
            if any(each.can("receptacle") and not each.can("pickup") for each in kinds) and not before:
                return [Fact(NounPhrase(places=(Location("in", theme),)))]
        if theme is not None:
            if self.lacking is not None and not before:
                return [replace(self.lacking, theme=theme)]
            return [replace(last, theme=theme)] if last.verb not in (TASK, MOVE, UNDO) else []
        if last.goal is not None and (place := bare_place(text)) is not None and before:
            return [replace(last, goal=place)]
        return []

    def _again(
        self, traits: frozenset[str], sentence: str, before: Sequence[LogicalForm]
    ) -> list[LogicalForm]:
        """The last order with an object of other traits."""
        last = self._last(before)
        if last is None or last.theme is None or last.verb in (TASK, MOVE, UNDO):
            return [Remark("wrong")]
        theme = replace(last.theme, traits=(last.theme.traits & {"sliced"}) | traits, places=())
        return [replace(last, theme=theme)]

    def _last(self, before: Sequence[LogicalForm]) -> Order | None:
        orders = [each for each in before if isinstance(each, Order)] or list(self.said)
        return self.lacking or (orders[-1] if orders else None)

    def _decoded_task(self, text: str) -> list[LogicalForm]:
        """The decoded task, if it is likely enough and a word of it was said."""
        network = shipped_network()
        words = dialogue([Utterance("commander", text)])
        best = decode_dialogue(network.card, network.log_probs(words), words)[0]
        heard = {
            network.spelling.guess(word) if word not in network.spelling.known else word
            for word in words_of(text)
        }
        evidence = heard | set(words_of(text))
        if best.probability < SURE or not evidence & set(small_talk.table("evidence")[best.task.name]):
            return []
        self.tasks[text] = best.task
        return [Order(TASK, NounPhrase(words=text))]

    def _unclear(self, text: str) -> LogicalForm:
        """A remark that is not understood, with the verb that lacks an object or the word that is unknown."""
        words = [word for sentence in sentences(text) for word in sentence]
        known = shipped_network().spelling.known
        for at in range(len(words)):
            verb, length = match(words, at, "verbs")
            if not verb or verb in ("look", "go", "make", "water", "toast"):
                continue
            said = " ".join(words[at : at + length])
            after = [each for each in words[at + length :] if each.isalpha() and each not in grammar_words()]
            strange = [each for each in after if each not in known and not _noun_like(each)]
            if strange:
                return Remark(UNCLEAR, NounPhrase(words=strange[0]))
            if not after and at + length >= len(words) - 1:
                return Remark("lacking", NounPhrase(words=said, traits=frozenset({verb})))
        return Remark(UNCLEAR)


def bare_phrase(text: str) -> NounPhrase | None:
    """The noun phrase that a text consists of, if it does."""
    words = [word for sentence in sentences(corrected(_reworded(text))) for word in sentence]
    parser = NounPhraseParser(words)
    found = parser.phrase()
    return found if found is not None and found.types and parser.at == len(words) else None


def past_order(text: str) -> Order | None:
    """The order that a past tense tells of: `washed the cup`, `open the fridge`."""
    first, _, rest = text.partition(" ")
    for verb in (first, first.removesuffix("d"), first.removesuffix("ed"), first.removesuffix("ped")):
        found = [each for each in _affirmed(f"{IRREGULAR.get(verb, verb)} {rest}") if isinstance(each, Order)]
        if found:
            return found[0]
    return None


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


def _foreign(text: str) -> bool:
    """Whether more than `FOREIGN` of the words are unknown."""
    said = small_talk.plain(text)
    if sum(ord(each) > 0x24F for each in said) > 2:
        return True
    words, known = [word for word in words_of(said) if word.isalpha()], shipped_network().spelling.known
    strange = [
        word for word in words if word not in known and not _noun_like(word) and word not in grammar_words()
    ]
    return len(strange) > FOREIGN * len(words) and len(words) > 2


def _affirmed(text: str) -> list[LogicalForm]:
    """The logical forms of a text without those that it negates."""
    found: list[LogicalForm] = []
    for sentence in SENTENCE.findall(text):
        said, *others = (corrected(part) for part in NOT.split(_reworded(sentence.lower())))
        found += parse(said)
        for taken_back, *more in (BUT.split(each, maxsplit=1) for each in others):
            for each in parse(taken_back):
                found = [one for one in found if not _same_order(one, each)]
                found.append(Remark("taken back", each.theme if isinstance(each, Order) else None))
            found += [each for part in more for each in parse(part)]
    return found


def _themes(text: str) -> list[NounPhrase]:
    """The noun phrases at the beginning of a text."""
    found = _affirmed(f"go to {text}")
    return [each.theme for each in found if isinstance(each, Order) and each.theme is not None]


def _reworded(text: str) -> str:
    for said, meant in REWORDED:
        text = said.sub(meant, text)
    return STATED.sub(lambda found: f"{VERBS[found['state']]} {found['theme']}", text)


def _same_order(one: LogicalForm, other: LogicalForm) -> bool:
    if not isinstance(one, Order) or not isinstance(other, Order) or one.verb != other.verb:
        return False
    themes = [each.theme.types for each in (one, other) if each.theme is not None]
    return len(themes) < 2 or not themes[1] or themes[0] == themes[1]


def corrected(text: str) -> str:
    """The text with spelling corrected."""
    return " ".join(word if not word.isalpha() else _spelt(word) for word in _parts(text))


@cache
def _spelt(word: str) -> str:
    """A word, or the one of the grammar, of the names of things or of the network that it misspells."""
    spelling = shipped_network().spelling
    if word in grammar_words() or word.removesuffix("s") in _nouns():
        return word
    if word in spelling.known and len(word) < 4:
        return word
    known = word in spelling.known
    near = "" if known else next((each for each in _spellings() if one_edit(word, each)), "")
    return near or _noun_like(word) or (word if known else spelling.guess(word) or word)


def one_edit(word: str, other: str) -> bool:
    """Whether two words differ by one letter more, less or other, or by two that changed places."""
    if word[:1] != other[:1] or abs(len(word) - len(other)) > 1 or len(word) < 3:
        return False
    start = next((at for at, pair in enumerate(zip(word, other, strict=False)) if pair[0] != pair[1]), None)
    if start is None:
        return True
    one, two = word[start:], other[start:]
    swapped = len(one) > 1 and one[1] + one[0] + one[2:] == two
    return swapped or one[1:] == two or one == two[1:] or (len(word) > 3 and one[1:] == two[1:])


@cache
def _spellings() -> tuple[str, ...]:
    """Verbs and nouns that a misspelt word may be, verbs first."""
    verbs = {part for texts in vocabulary("verbs").values() for text in texts for part in text.split()}
    return tuple(sorted(each for each in verbs if len(each) > 3)) + tuple(
        sorted(each for each in _nouns() if len(each) > 2)
    )


@cache
def _noun_like(word: str) -> str:
    """The noun that a word is or misspells; empty if it is another word of the grammar or unlike any noun."""
    if word in grammar_words() or word.removesuffix("s") in _nouns():
        return word if word.removesuffix("s") in _nouns() else ""
    alike = [noun for noun in _nouns() if noun[0] == word[0]] if len(word) > 3 else []
    return next(iter(difflib.get_close_matches(word, alike, 1, ALIKE)), "")


@cache
def _nouns() -> frozenset[str]:
    """Every word of an object name."""
    return frozenset(word for name in object_types() for word in spoken(name).split()) - {"sliced"}


def _parts(text: str) -> list[str]:
    """Words and punctuation of a text, in lower case."""
    return re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\S", text.lower())
