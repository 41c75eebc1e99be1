"""The talking Follower with its grammar alone: no network, no spelling, no context."""

from __future__ import annotations

from housemates.agents.embodied.semantics import LogicalForm, Remark
from housemates.agents.reader.follower import Follower
from housemates.agents.reader.language.interpretation import UNCLEAR, Interpreter
from housemates.agents.teach.talk.parsing import parse
from housemates.core.percepts import Brief


class GrammarInterpreter(Interpreter):
    """Reads what the grammar covers as it stands."""

    def read(self, text: str) -> list[LogicalForm]:
        """The logical forms of an utterance; a remark that it is unclear if there are none."""
        return parse(text) or [Remark(UNCLEAR)]


class GrammarFollower(Follower):
    """Acts on what the grammar covers and asks about the rest."""

    def reset(self, brief: Brief) -> None:
        """Forget the last home; draw a manner from the seed."""
        super().reset(brief)
        self.interpreter = GrammarInterpreter()
