"""Conversation: what a Follower answers to what asks for no act."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from housemates.agents.embodied.deeds import Deed, report
from housemates.agents.embodied.semantics import NounPhrase, Order, Question, Remark
from housemates.agents.reader.answers import Answers
from housemates.agents.reader.language import small_talk
from housemates.agents.reader.language.interpretation import UNCLEAR
from housemates.agents.reader.language.rewording import bare_phrase, past_order
from housemates.agents.teach.talk.realisation import Realiser

PRONOUNS = ("it", "that", "this", "they", "them", "one", "those", "these")
ALIAS = {
    "hello": "greet",
    "finished": "bye",
    "no": "wrong",
    "yes": "nod",
    "done": "nod",
    "state": "taken back",
    "trouble": "wrong",
}
"""Remarks of the grammar, as small talk calls them."""
ALSO = {"water": "faucet", "tap": "faucet", "light": "light switch", "lights": "light switch"}
"""Words for what one switches."""
QUIET = ("nod", "praise", "thanks", "greet", "yes")
"""Remarks that need no answer while there is something to do."""


class Conversation:
    """Answers questions and remarks; nothing in an answer claims what was not done or seen.

    Args:
        answers: What is remembered.
        realiser: Chooses among wordings.
    """

    def __init__(self, answers: Answers, realiser: Realiser) -> None:
        self.answers = answers
        self.realiser = realiser
        self.orders: Sequence[Order] = ()
        """The orders of the last instruction."""
        self.words = ""
        """The words of the last instruction."""
        self.last: NounPhrase | None = None
        """What was spoken of last."""
        self._misunderstood = 0

    def line(self, key: str, **slots: str) -> str:
        """One of the fixed answers of a kind."""
        found = self.realiser.choose(small_talk.table("answers")[key])
        return found.format(next=self.next() if "{next}" in found else "", **slots)

    def next(self) -> str:
        """A question for what is to be done."""
        return self.realiser.choose(small_talk.table("answers")["next"])

    def remark(self, said: Remark) -> str:
        """The answer to a remark."""
        kind = ALIAS.get(said.kind, said.kind)
        self._misunderstood = self._misunderstood + 1 if kind == UNCLEAR else 0
        if kind == "lacking" and said.theme is not None:
            return self.line("lacking", verb=said.theme.words)
        if kind != UNCLEAR:
            return self.line(kind)
        if said.theme is not None:
            return self.line("unknown", word=said.theme.words)
        return self.line(UNCLEAR if self._misunderstood < 2 else "unclear again")

    def question(self, asked: Question, done: Sequence[Deed], past: Sequence[Deed]) -> str:
        """The answer to a question.

        Args:
            asked: What is asked, its theme as it was parsed or in its words.
            done: What was done for the last instruction.
            past: All that was done.
        """
        about = self._about(asked.theme)
        fixed = small_talk.table("answers")
        if asked.about in FROM_MEMORY and about is not None and not about.types:
            return f"I have not seen any {about.words}. {self.next()}" if about.words else self.line(UNCLEAR)
        if asked.about in FROM_MEMORY and about is not None:
            self.last = replace(about, traits=frozenset(), places=())
            return f"{FROM_MEMORY[asked.about](self.answers, about)} {self.next()}"
        if asked.about in OF_ITSELF:
            return f"{OF_ITSELF[asked.about](self.answers)} {self.next()}"
        if asked.about == "state":
            return self._state(asked, about)
        if asked.about == "did it":
            return self._did(asked, past)
        if asked.about in ("did", "doing"):
            nothing = "I have not done anything yet." if asked.about == "did" else "I am waiting for you."
            return f"{report(done) or report(past) or nothing} {self.next()}"
        if asked.about == "instruction":
            return f'You said: "{self.words}". {self.next()}' if self.words else self.line("why nothing")
        if asked.about == "why":
            return self.line("why", asked=self.words) if self.words else self.line("why nothing")
        return self.line(asked.about) if asked.about in fixed else self.line(UNCLEAR)

    def _about(self, theme: NounPhrase | None) -> NounPhrase | None:
        """What a question is about; an empty phrase for what has no name here."""
        if theme is None or theme.types:
            return theme
        words = theme.words.strip()
        if not words or words.split()[-1] in PRONOUNS:
            traits = frozenset({"other"}) if "other" in words else frozenset[str]()
            return None if self.last is None else replace(self.last, traits=traits, places=())
        words = " ".join(ALSO.get(word, word) for word in words.split())
        return bare_phrase(words) or NounPhrase(words=words.split()[-1])

    def _state(self, asked: Question, about: NounPhrase | None) -> str:
        if about is None or not about.types:
            return f"I do not know of any {about.words if about is not None else 'such thing'}. {self.next()}"
        self.last = replace(about, traits=frozenset(), places=())
        assert asked.theme is not None
        return f"{self.answers.state(about, next(iter(asked.theme.traits)))} {self.next()}"

    def _did(self, asked: Question, past: Sequence[Deed]) -> str:
        assert asked.theme is not None
        order = past_order(asked.theme.words)
        if order is not None and order.theme is not None and not order.theme.types and self.last is not None:
            order = replace(order, theme=self.last)
        if order is None or not self.answers.did(order, past):
            return f"No, I have not done that. {self.next()}"
        return f"Yes, I did. {self.next()}"


FROM_MEMORY: Mapping[str, Callable[[Answers, NounPhrase], str]] = {
    "where": Answers.where,
    "which": Answers.where,
    "whereabouts": Answers.where,
    "seen": Answers.exists,
    "count": Answers.count,
    "colour": Answers.colour,
    "holding it": Answers.holds,
}
"""Questions about a thing."""
OF_ITSELF: Mapping[str, Callable[[Answers], str]] = {
    "position": Answers.position,
    "holding": Answers.holding,
    "seeing": Answers.sights,
}
"""Questions about itself."""
