"""How ALFRED's language is collected: people describe a demonstration, others compare three descriptions."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np

from housemates.benchmarks.alfred.tasks.episode import Done, Part
from housemates.benchmarks.alfred.world.agent_camera import Sight
from housemates.benchmarks.alfred.world.dynamics import AlfredWorld
from housemates.core.actions import Act, Argument, Offer
from housemates.core.benchmark import Instance, Reference
from housemates.core.outcome import Outcome, Reason, done, refuse, spoken
from housemates.core.percepts import Limits
from housemates.core.session import Session
from housemates.home.things import Scene, type_in

ANNOTATOR, JUDGE = "annotator", "judge"
LONGEST = 500
"""Characters of a sentence."""
GOAL = "goal"
"""What a description of the whole is called among the parts."""
SAME = "same"
"""The verdict that all directives describe the same actions."""
LITTLE = re.compile(
    r"\b(an?|the|its?|them|this|your?|to|in|on|and|of|at|with|from|into|then|is|by|for|up|down|out|off|left|right"
    r"|inside|onto|towards?|around|under|near|over|away|between|back|forward)\b"
)
"""Words of which English sentences have one: of those that people wrote for ALFRED, 99.99 % do."""
WORD = re.compile("[a-z']+")
_TEXT = Argument("text", "text", f"One or two sentences in English, at most {LONGEST} characters.")


class Demonstrated(msgspec.Struct, frozen=True):
    """A demonstration as annotators see it: where it begins, and what is done, by sub-goal."""

    id: str
    start: Scene
    parts: tuple[tuple[str, tuple[Done, ...]], ...]
    """Kind of each sub-goal, and its low-level actions."""
    source: Reference
    """Where it comes from."""


class Directive(msgspec.Struct, frozen=True):
    """One person's words: the goal, and a sentence for each sub-goal."""

    goal: str
    steps: tuple[str, ...]


class Compared(msgspec.Struct, frozen=True):
    """Directives of one demonstration that somebody compares."""

    id: str
    directives: tuple[Directive, ...]


class Segment(NamedTuple):
    """A sub-goal on the time line: from which picture to which."""

    kind: str
    first: int
    last: int


def demonstrated(source: Reference, start: Scene, parts: Sequence[Part]) -> Demonstrated:
    """What annotators see of a demonstration; sub-goals in which nothing is done are left out."""
    shown = tuple((part.kind, part.deeds) for part in parts if part.deeds)
    return Demonstrated(source.id, start, shown, source)


class Describing(Session):
    """Somebody writes a sentence for each sub-goal of a demonstration, and one for the whole."""

    def __init__(self, instance: Instance, limits: Limits) -> None:
        """Play the demonstration and keep what its agent sees."""
        super().__init__(instance, limits)
        self.shown: Demonstrated = instance.data
        self.segments = segments(self.shown)
        self.written: dict[str, str] = {}
        """`goal` or the number of a sub-goal, from 1 -> what was written."""
        self.submitted = False
        self._frames = frames(self.shown)
        choices = (GOAL, *(str(number + 1) for number in range(len(self.segments))))
        part = Argument("part", "choice", "The whole, or which sub-goal.", choices)
        self._menu = {
            "Write": Offer("Write", "Describe a sub-goal, or the goal of it all.", (part, _TEXT)),
            "Submit": Offer("Submit", "Hand it in; everything has to be described."),
        }

    @property
    def role(self) -> str | None:
        """The annotator, until the description is handed in."""
        return None if self.submitted else ANNOTATOR

    @property
    def missing(self) -> list[str]:
        """What is not described yet."""
        return [
            name for name in (GOAL, *map(str, range(1, len(self.segments) + 1))) if name not in self.written
        ]

    @property
    def directive(self) -> Directive:
        """What was written, in order."""
        steps = (self.written.get(str(number + 1), "") for number in range(len(self.segments)))
        return Directive(self.written.get(GOAL, ""), tuple(steps))

    def menu(self, role: str) -> Mapping[str, Offer]:
        """Writing and handing in."""
        return self._menu

    def rules(self, role: str) -> str:
        """The rules of the seat, in words."""
        return (
            "Watch the demonstration. For each of its parts write what a robot must do there, so that it "
            "could follow your words without seeing this. Then write the goal of it all in one sentence."
        )

    def goal(self, role: str) -> str:
        """What the role is asked to do, in words."""
        return f"Describe the {len(self.segments)} parts and the goal, then submit."

    def text(self, role: str) -> str:
        """What is done in each part, and what was written about it."""
        lines = []
        for number, (kind, deeds) in enumerate(self.shown.parts, 1):
            said = self.written.get(str(number), "nothing")
            lines.append(f"{number}. {spoken(kind)}: {_in_words(deeds)}. You wrote: {said}")
        return "\n".join([*lines, f"Goal. You wrote: {self.written.get(GOAL, 'nothing')}"])

    def view(self, role: str) -> tuple[Segment, ...]:
        """The demonstration as a time line of parts, and what was written so far."""
        return self.segments

    def pictures(self, role: str) -> Sequence[str]:
        """What the agent sees before each of its actions, and after the last."""
        return [str(number) for number in range(len(self._frames))]

    def draw(self, role: str, name: str) -> np.ndarray:
        """Draw the frame that the name tells."""
        if not name.isdecimal() or int(name) >= len(self._frames):
            return super().draw(role, name)
        return self._frames[int(name)]

    def do(self, role: str, act: Act) -> Outcome:
        """Keep a sentence, or hand everything in."""
        if act.name == "Submit":
            if self.missing:
                told = f"Submit: not described yet: {', '.join(self.missing)}."
                return refuse(Reason.INCOMPLETE, told, missing=list(self.missing))
            self.submitted = True
            return done("Thank you.")
        return _kept(self.written, act.arguments["part"], act.arguments["text"])

    def digest(self) -> str:
        """A fingerprint of what was written."""
        return _digest(self.shown.id, sorted(self.written.items()), self.submitted)


class Comparing(Session):
    """Somebody says whether directives describe the same actions, and if not which is most different."""

    def __init__(self, instance: Instance, limits: Limits) -> None:
        super().__init__(instance, limits)
        self.shown: Compared = instance.data
        self.verdict = ""
        """`same`, or the number of the directive that is most different, from 1."""
        choices = (SAME, *(str(number + 1) for number in range(len(self.shown.directives))))
        which = Argument("different", "choice", "All the same, or which is most different.", choices)
        self._menu = {"Judge": Offer("Judge", "Say whether they describe the same actions.", (which,))}

    @property
    def role(self) -> str | None:
        """The judge, until there is a verdict."""
        return None if self.verdict else JUDGE

    def menu(self, role: str) -> Mapping[str, Offer]:
        """The one offer: the verdict on the directives."""
        return self._menu

    def rules(self, role: str) -> str:
        """The rules of the seat, in words."""
        return "Several people described the same task. Say whether they describe the same actions."

    def goal(self, role: str) -> str:
        """What the role is asked to do, in words."""
        return "Do these directives describe the same actions? If not, which is most different?"

    def text(self, role: str) -> str:
        """The directives that are compared, in words."""
        return "\n\n".join(
            "\n".join([f"{number + 1}. {each.goal}", *(f"  - {step}" for step in each.steps)])
            for number, each in enumerate(self.shown.directives)
        )

    def view(self, role: str) -> tuple[Directive, ...]:
        """The same as records."""
        return self.shown.directives

    def do(self, role: str, act: Act) -> Outcome:
        """Keep the verdict, and end the session."""
        self.verdict = act.arguments["different"]
        return done("Thank you.")

    def digest(self) -> str:
        """A fingerprint of the verdict."""
        return _digest(self.shown.id, self.verdict)


def segments(shown: Demonstrated) -> tuple[Segment, ...]:
    """Where each sub-goal begins and ends on the time line."""
    found, first = [], 0
    for kind, deeds in shown.parts:
        found.append(Segment(kind, first, first + len(deeds)))
        first += len(deeds)
    return tuple(found)


def frames(shown: Demonstrated) -> list[np.ndarray]:
    """What the agent sees before each of its actions, and after the last."""
    from housemates.benchmarks.alfred.formats.loader import known_as

    world = AlfredWorld(shown.start)
    sight = Sight(world.home)
    found = [sight.look().rgb.copy()]
    for _, deeds in shown.parts:
        for action, target in deeds:
            world.act(action, target and known_as(world, target))
            found.append(sight.look().rgb.copy())
    for each in found:
        each.flags.writeable = False
    return found


def _in_words(deeds: Sequence[Done]) -> str:
    """Low-level actions in words; steps that come one after the other are counted."""
    names = [
        f"{spoken(action)} {spoken(type_in(target))}" if target else spoken(action)
        for action, target in deeds
    ]
    return ", ".join(names)


def _kept(written: dict[str, str], part: str, text: str) -> Outcome:
    said = " ".join(text.split())
    if not said or len(said) > LONGEST:
        return refuse(Reason.MALFORMED, f"Write: expected 1 to {LONGEST} characters, found {len(said)}.")
    if len(WORD.findall(said.lower())) < 2 or not LITTLE.search(said.lower()):
        return refuse(Reason.MALFORMED, "Write: expected a sentence in English, such as: Walk to the table.")
    written[part] = said
    return done(f"Kept: {part}.")


def _digest(*values: Any) -> str:
    return hashlib.sha256(repr(values).encode()).hexdigest()[:16]
