"""The talking Follower without the reader's network: it knows no order but those of the grammar."""

from __future__ import annotations

from housemates.agents.embodied.semantics import LogicalForm
from housemates.agents.reader.follower import Follower
from housemates.agents.reader.language.interpretation import Interpreter
from housemates.core.percepts import Brief


class GrammarInterpreter(Interpreter):
    """Reads orders, facts, questions and remarks; a whole task in other words is not understood."""

    def _decoded_task(self, text: str) -> list[LogicalForm]:
        return []


class GrammarFollower(Follower):
    """Acts on what the grammar covers and asks about the rest."""

    def reset(self, brief: Brief) -> None:
        """Forget the last home; draw a manner from the seed."""
        super().reset(brief)
        self.interpreter = GrammarInterpreter()
