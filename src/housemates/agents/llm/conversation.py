"""A seat as a conversation with a language model: messages, tools, and the act that an answer means.

Nothing here knows a benchmark or an endpoint: `completions.py` and Inspect both speak through it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from string import Template
from typing import Any, Literal, NamedTuple

from housemates.core.actions import Offer
from housemates.core.outcome import Outcome, done
from housemates.core.percepts import Brief, Percept
from housemates.core.wire import picture_of

MEMORY = 8
"""Turns that a model is reminded of, the present one among them, if nobody says how many."""
NUDGES = 2
"""Answers without a call, one after another, that are asked for again; the next one counts as the act."""


Past = Literal["percepts", "outcomes"]
"""What a model is reminded of in past turns: all it was told, or only what it did and what came of it."""


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


def line_of(offer: Offer) -> str:
    """An offer as the lines that mean it, for a model that knows no tools."""
    told = next((each for each in offer.arguments if each.kind != "mask"), None)
    if told is None:
        return f"- {offer.name}: {offer.help}"
    name = f"{offer.name} " if told.kind != "choice" else ""
    meant = " | ".join(told.choices) or f"({told.help.rstrip('.') or told.kind})"
    return f"- {name}{meant}" if not told.choices else f"- {name}{meant}: {offer.help}"


@dataclass
class Conversation:
    """What a model has been told in one seat of one episode, and what it has answered."""

    brief: Brief
    pictures: bool = False
    """Whether it is shown what its role sees, besides being told."""
    memory: int = MEMORY
    nudges: int = NUDGES
    past: Past = "percepts"
    with_tools: bool = True
    """Whether offers are given as tools; else they stand as lines in what is told, and a line is answered."""
    nudged: int = 0
    """How many answers had no call and were asked for again."""
    tools: tuple[Tool, ...] = ()
    """What can be done now."""
    _turns: list[list[Message]] = field(default_factory=list)
    _pending: tuple[Call, ...] = ()
    _nudges_left: int = 0

    def __post_init__(self) -> None:
        brief = self.brief
        answer = prompt("tools" if self.with_tools else "lines").template
        told = prompt("system").substitute(role=brief.role, rules=brief.rules, goal=brief.goal, answer=answer)
        self._system = Message("system", told)

    def messages(self) -> list[Message]:
        """All that is sent."""
        return [self._system, *(message for turn in self._turns for message in turn)]

    def perceive(self, percept: Percept) -> None:
        """Tell what came of the last act and what is perceived now.

        Of what is older than the memory, the first turn stays if it told what is told only once.
        """
        lasting = int(self.brief.told_once)
        came = list(self._answered(percept.last)) if self._turns else []
        if self.with_tools and self._turns:
            self._turns[-1] += came
        if self.past == "outcomes" and len(self._turns) > lasting:
            self._turns[-1][0] = Message("user", prompt("past").template)
        seen = tuple(picture_of(draw()) for draw in percept.pictures.values()) if self.pictures else ()
        self._turns.append([Message("user", self._told(percept, came), seen)])
        del self._turns[lasting : max(lasting, len(self._turns) - self.memory)]
        self.tools = tuple(map(tool_of, percept.offers)) if self.with_tools else ()
        self._nudges_left = self.nudges

    def hear(self, text: str, calls: tuple[Call, ...], original: Any = None) -> Any:
        """The act that an answer means; None if it has none and was asked for again."""
        self._turns[-1].append(Message("assistant", text, calls=calls, original=original))
        self._pending = calls
        if calls:
            return {"name": calls[0].name, "arguments": calls[0].arguments}
        line = text if self.with_tools else next((each for each in text.splitlines() if each.strip()), "")
        if not self._nudges_left or (line and not self.with_tools):
            return line
        self._nudges_left -= 1
        self.nudged += 1
        names = ", ".join(tool.name for tool in self.tools)
        nudge = prompt("nudge").substitute(names=names) if self.with_tools else prompt("lines").template
        self._turns[-1].append(Message("user", nudge))
        return None

    def _told(self, percept: Percept, came: Sequence[Message]) -> str:
        """What a turn tells; without tools also what came of the last act, and what can be answered."""
        if self.with_tools:
            return percept.text
        lines = "\n".join(map(line_of, percept.offers))
        return "\n\n".join([*(each.text for each in came), percept.text, f"Now one line of these:\n{lines}"])

    def _answered(self, last: Outcome | None) -> Iterator[Message]:
        """Every call has to be answered: the first by what came of it, the rest were not done."""
        came = done() if last is None else last
        told = came.message or ("Done." if came.success else "That failed.")
        if not self.with_tools:
            yield Message("user", told, reason=came.reason.value)
        for number, call in enumerate(self._pending):
            if number:
                yield Message("tool", prompt("one").template, answers=call.id)
            else:
                yield Message("tool", told, answers=call.id, reason=came.reason.value)
        self._pending = ()
