"""What was told, read, done and answered in an episode, as it is kept on disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec

from housemates.core.percepts import Brief
from housemates.core.tokens import estimated
from housemates.core.trace import Step, Trace
from housemates.core.wire import plain
from housemates.errors import HousematesError


class Told(msgspec.Struct, frozen=True, omit_defaults=True):
    """The brief of a role; what its offers are in full follows from the version of the benchmark."""

    id: str
    rules: str
    goal: str
    offers: list[str]
    seed: int
    data: dict[str, Any] = {}


NONSENSE = object()
"""What is answered again in place of an answer that made no sense."""


class Done(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An act, as `Act.plain` writes it."""

    name: str
    arguments: dict[str, Any] = {}


class Turn(msgspec.Struct, frozen=True, omit_defaults=True):
    """One act and what came of it."""

    role: str
    act: Done | None
    """None if the answer made no sense."""
    success: bool
    reason: str = ""
    """A `Reason`; empty where it was recorded before outcomes had one."""
    message: str = ""
    data: dict[str, Any] = {}
    text: str | None = None
    """What the role had read, if it asked for the text."""
    tokens: int = 0
    """Of that text, as the run's header says that they are counted."""
    answer: str = ""
    """What was answered, where it made no sense."""
    parts: list[str | tuple[int, int]] = []
    """On disk, in place of a text of which some lines were read before in the episode: see `packed`."""

    def again(self) -> Any:
        """What to answer to do the same."""
        return NONSENSE if self.act is None else msgspec.to_builtins(self.act)


class Transcript(msgspec.Struct, frozen=True, omit_defaults=True):
    """One episode from the briefs to the end."""

    id: str
    briefs: dict[str, Told] = {}
    steps: list[Turn] = []
    ended: str = "error"
    error: str = ""


def transcript(name: str, trace: Trace, count: Callable[[str], int] = estimated) -> Transcript:
    """The transcript of an episode; `count` says how many tokens a text has."""
    briefs = {role: _brief_record(brief) for role, brief in trace.briefs.items()}
    return Transcript(name, briefs, [_turn(step, count) for step in trace.steps], trace.ended, trace.error)


def packed(whole: Transcript) -> Transcript:
    """A transcript in which no line that was read is written twice.

    All lines that stand there, in `text` and in texts of `parts`, count from 0 in the order of the steps. A
    text that repeats some of them is its `parts`: new lines as a text, others as `[first, how many]`.
    """
    lines: list[str] = []
    last: dict[str, int] = {}
    steps = [step if step.text is None else _packed(step, lines, last) for step in whole.steps]
    return msgspec.structs.replace(whole, steps=steps)


def unpacked(stored: Transcript) -> Transcript:
    """A transcript as it was before it was `packed`; parts that lead nowhere are refused."""
    lines: list[str] = []
    return msgspec.structs.replace(stored, steps=[_unpacked(step, lines) for step in stored.steps])


def _packed(step: Turn, lines: list[str], last: dict[str, int]) -> Turn:
    """The step with its text in parts, if lines of it are there; new ones are added to the lines."""
    parts: list[tuple[int, int]] = []
    known = len(lines)
    for line in str(step.text).split("\n"):
        first, count = parts[-1] if parts else (0, 0)
        following = first + count
        if parts and first < known and following < known and lines[following] == line:
            place = following
        else:
            place = last.get(line, known)
        if place >= known:
            place = len(lines)
            lines.append(line)
        if parts and place == following and (place < known) == (first < known):
            parts[-1] = (first, count + 1)
        else:
            parts.append((place, 1))
    for place in range(known, len(lines)):
        last[lines[place]] = place
    if parts == [(known, len(lines) - known)]:
        return step
    told = ["\n".join(lines[a : a + n]) if a >= known else (a, n) for a, n in parts]
    return msgspec.structs.replace(step, text=None, parts=told)


def _unpacked(step: Turn, lines: list[str]) -> Turn:
    parts = step.parts or ([] if step.text is None else [step.text])
    read: list[str] = []
    known = len(lines)
    for part in parts:
        if isinstance(part, str):
            lines += part.split("\n")
            read += part.split("\n")
            continue
        first, count = part
        if first < 0 or count < 1 or first + count > known:
            raise HousematesError(
                f"parts: expected lines among the first {known}, found {first} and {count} on."
            )
        read += lines[first : first + count]
    return msgspec.structs.replace(step, text="\n".join(read), parts=[]) if step.parts else step


def _brief_record(brief: Brief) -> Told:
    offers = [offer.name for offer in brief.offers]
    return Told(brief.id, brief.rules, brief.goal, offers, brief.seed, plain(brief.data))


def reading(whole: Transcript) -> dict[str, Counter[str]]:
    """How many percepts each role has read in words, and of how many tokens."""
    found: dict[str, Counter[str]] = {}
    for step in whole.steps:
        if step.text is not None:
            found.setdefault(step.role, Counter()).update(percepts=1, percept_tokens=step.tokens)
    return found


def _turn(step: Step, count: Callable[[str], int]) -> Turn:
    act = None if step.act is None else Done(**step.act.plain())
    outcome = step.outcome
    data = plain(outcome.data) if outcome.data else {}
    came = outcome.success, outcome.reason.value, outcome.message, data
    return Turn(step.role, act, *came, step.text, 0 if step.text is None else count(step.text), step.answer)
