"""A seat as a conversation with a language model: messages, tools, and the act that an answer means.

Nothing here knows a benchmark or an endpoint: `completions.py` and Inspect both speak through it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from string import Template
from typing import Any, NamedTuple

from housemates.core.actions import Offer
from housemates.core.outcome import Outcome, done
from housemates.core.percepts import Brief, Percept
from housemates.core.wire import picture_of

MEMORY = 8
"""Turns that a model is reminded of, the present one among them, if nobody says how many."""
NUDGES = 2
"""Answers without a call, one after another, that are asked for again; the next one counts as the act."""


class Call(NamedTuple):
    """A tool call: what a model wants to do."""

    id: str
    name: str
    arguments: Any
    """By name, or as the text that should be JSON."""


@dataclass(frozen=True)
class Message:
    """One message of a conversation."""

    role: str
    """`system`, `user`, `assistant` or `tool`."""
    text: str
    pictures: tuple[str, ...] = ()
    """PNG files in base64."""
    calls: tuple[Call, ...] = ()
    """Of the assistant."""
    answers: str = ""
    """The id of the call that a tool's message answers."""
    reason: str = ""
    """What came of that call, as a `Reason`; empty if it was not done."""
    original: Any = None
    """The assistant's message as it came, for those who can send it back unchanged."""


class Tool(NamedTuple):
    """An offer as models know it."""

    name: str
    help: str
    parameters: dict[str, Any]
    """A JSON schema that every provider takes: an object without alternatives."""


@cache
def prompt(name: str) -> Template:
    """One of the files in `prompts`."""
    file = resources.files(__package__).joinpath("prompts", f"{name}.txt")
    return Template(file.read_text(encoding="utf-8").strip())


def tool_of(offer: Offer) -> Tool:
    """An offer as a tool; masks are left out where there is another way to point."""
    spare = {each.name for each in offer.arguments if each.kind == "mask" and not each.required}
    ways = [name for name in offer.one_of if name not in spare] or list(offer.one_of)
    told = f"{offer.help} Give {' or '.join(ways)}." if len(ways) > 1 else offer.help
    schema = offer.schema()
    kept = {name: each for name, each in schema["properties"].items() if name not in spare.difference(ways)}
    required = [*schema["required"], *(ways if len(ways) == 1 else ())]
    return Tool(
        offer.name,
        told,
        {"type": "object", "properties": kept, "required": required, "additionalProperties": False},
    )


@dataclass
class Conversation:
    """What a model has been told in one seat of one episode, and what it has answered."""

    brief: Brief
    pictures: bool = False
    """Whether it is shown what its role sees, besides being told."""
    memory: int = MEMORY
    nudges: int = NUDGES
    nudged: int = 0
    """How many answers had no call and were asked for again."""
    tools: tuple[Tool, ...] = ()
    """What can be done now."""
    _turns: list[list[Message]] = field(default_factory=list)
    _pending: tuple[Call, ...] = ()
    _nudges_left: int = 0

    def __post_init__(self) -> None:
        brief = self.brief
        told = prompt("system").substitute(role=brief.role, rules=brief.rules, goal=brief.goal)
        self._system = Message("system", told)

    def messages(self) -> list[Message]:
        """All that is sent."""
        return [self._system, *(message for turn in self._turns for message in turn)]

    def perceive(self, percept: Percept) -> None:
        """Tell what came of the last act and what is perceived now."""
        if self._turns:
            self._turns[-1] += self._answered(percept.last)
        seen = tuple(picture_of(draw()) for draw in percept.pictures.values()) if self.pictures else ()
        self._turns.append([Message("user", percept.text, seen)])
        del self._turns[: -self.memory]
        self.tools = tuple(map(tool_of, percept.offers))
        self._nudges_left = self.nudges

    def hear(self, text: str, calls: tuple[Call, ...], original: Any = None) -> Any:
        """The act that an answer means; None if it has none and was asked for again."""
        self._turns[-1].append(Message("assistant", text, calls=calls, original=original))
        self._pending = calls
        if calls:
            return {"name": calls[0].name, "arguments": calls[0].arguments}
        if not self._nudges_left:
            return text
        self._nudges_left -= 1
        self.nudged += 1
        names = ", ".join(tool.name for tool in self.tools)
        self._turns[-1].append(Message("user", prompt("nudge").substitute(names=names)))
        return None

    def _answered(self, last: Outcome | None) -> Iterator[Message]:
        """Every call has to be answered: the first by what came of it, the rest were not done."""
        came = done() if last is None else last
        told = came.message or ("Done." if came.success else "That failed.")
        for number, call in enumerate(self._pending):
            if number:
                yield Message("tool", prompt("one").template, answers=call.id)
            else:
                yield Message("tool", told, answers=call.id, reason=came.reason.value)
        self._pending = ()
