"""Interpretation of utterances: orders by grammar, in context; small talk; whole tasks by the network."""

from __future__ import annotations

import re
from collections.abc import Sequence
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
from housemates.agents.reader.language import small_talk
from housemates.agents.reader.language.decoding import decode_dialogue
from housemates.agents.reader.language.move_commands import moves_of
from housemates.agents.reader.language.network import shipped_network
from housemates.agents.reader.language.rewording import (
    SENTENCE,
    affirmed,
    bare_phrase,
    bare_place,
    one_with,
    pattern,
    reworded,
    same_order,
    themes_of,
)
from housemates.agents.reader.language.slots import TeachTask
from housemates.agents.reader.language.spelling import corrected, noun_like
from housemates.agents.reader.language.text import dialogue, words_of
from housemates.agents.teach.talk.parsing import parse
from housemates.agents.teach.talk.vocabulary import grammar_words, match, sentences
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
SWITCHED = {"on": "start", "off": "stop", "open": "open", "closed": "close", "shut": "close"}
"""The verb that a single word changes another one of them to."""
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
        if pattern("survey").fullmatch(said):
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
        place = pattern("what is there").search(sentence)
        if pattern("within").search(sentence):
            return [*self._ordered(sentence), Order(INSPECT, NounPhrase())]
        if asked is not None and place is None:
            return [asked]
        if place is not None:
            where = next(iter(themes_of(sentence[place.end() :])), NounPhrase())
            return [*affirmed(sentence[: place.start()]), Order(INSPECT, where)]
        if small_talk.is_halt(sentence):
            before.clear()
            return [Remark("stop")]
        if pattern("not").search(sentence):
            denied = [
                each
                for part in pattern("not").split(sentence)[1:]
                for each in parse(corrected(reworded(part)))
            ]
            before[:] = [one for one in before if not any(same_order(one, each) for each in denied)]
            return affirmed(sentence) or [small_talk.remark(sentence) or Remark("taken back")]
        if pattern("other").search(sentence.strip(" ?!.,")):
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
        same = pattern("same").search(sentence)
        last = self.said[-1] if self.said else None
        if same is not None and last is not None:
            return [replace(last, theme=each) for each in themes_of(sentence[same.end() :])]
        if (back := pattern("undo").search(sentence)) is not None:
            return [*affirmed(sentence[: back.start()]), Order(UNDO), *affirmed(sentence[back.end() :])]
        return affirmed(sentence)

    def _mended(self, sentence: str, before: list[LogicalForm]) -> list[LogicalForm] | None:
        """What is meant by a sentence that corrects something; None if it corrects nothing."""
        marks = list(pattern("mended").finditer(sentence))
        if not marks:
            return None
        said, meant = sentence[: marks[0].start()], sentence[marks[-1].end() :]
        earlier = [each for each in affirmed(said) if isinstance(each, Order | Fact)]
        orders = [each for each in (*before, *earlier) if isinstance(each, Order)]
        now = affirmed(meant)
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
        while (shorter := pattern("more").sub("", text)) != text:
            text = shorter
        wanted = pattern("wanted").sub("", text)
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
            strange = [each for each in after if each not in known and not noun_like(each)]
            if strange:
                return Remark(UNCLEAR, NounPhrase(words=strange[0]))
            if not after and at + length >= len(words) - 1:
                return Remark("lacking", NounPhrase(words=said, traits=frozenset({verb})))
        return Remark(UNCLEAR)


def _foreign(text: str) -> bool:
    """Whether more than `FOREIGN` of the words are unknown."""
    said = small_talk.plain(text)
    if sum(ord(each) > 0x24F for each in said) > 2:
        return True
    words, known = [word for word in words_of(said) if word.isalpha()], shipped_network().spelling.known
    strange = [
        word for word in words if word not in known and not noun_like(word) and word not in grammar_words()
    ]
    return len(strange) > FOREIGN * len(words) and len(words) > 2
