"""Pages: how the seats of a benchmark look to people. One file here and one ES module make a page.

A page that says nothing of its own is made from offers and percepts alone (`static/pages/any.js`), so every
seat of every benchmark has one.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from housemates.core.benchmark import Benchmark, Instance, Reference
from housemates.core.percepts import Limits
from housemates.core.session import Session
from housemates.errors import HousematesError

Drawing = Callable[[], np.ndarray]
Clock = Callable[[], float]
SCALE = ("1: not at all", "2", "3", "4", "5: very")
"""The answers to a survey's question of kind `scale`."""


class Lesson(NamedTuple):
    """A tutorial: what it is made from, and its seats, one of which is a person's."""

    reference: Reference
    seats: dict[str, str]


class Page:
    """What the studio asks a page about; everything has an answer that serves any benchmark.

    All of it is called in the process that holds the world, with the session itself. Whatever `views`,
    `drawings` and `pointed` return is sent to the person in that seat: it must be what the role may know, and
    nothing else.
    """

    name: ClassVar[str] = "any"
    benchmarks: ClassVar[tuple[str, ...]] = ()
    """The benchmarks whose plays are played on this page."""
    module: ClassVar[str] = "any.js"
    """The ES module in `static/pages` that shows it."""
    title: ClassVar[str] = "A seat"
    parts: ClassVar[tuple[str, ...]] = ("text", "offers")
    """What of the percept is sent beside `last` and `said`: `text`, `offers`."""
    yielding: ClassVar[str] = ""
    """The act that hands the turn over. With one, people act whenever they like: it is done for whoever has
    the turn, and for the person once more if the turn was an agent's."""
    limits: ClassVar[Limits | None] = None
    """When plays of people are cut off; the session's own limits if None."""
    quality: ClassVar[int] = 88
    """Of the pictures, as JPEG has it."""
    pace_s: ClassVar[float] = 0.35
    """How long an agent's act is to be seen before its next one."""
    tutorials: ClassVar[tuple[str, ...]] = ()
    """The pages of its tutorials, in the order in which they are passed; each of them has `lesson`."""
    rules: ClassVar[Sequence[str]] = ()
    """What people read before the quiz."""
    quiz: ClassVar[Sequence[Mapping[str, Any]]] = ()
    """What they are asked after the tutorials: `name`, `label`, `choices`, and the `right` one."""
    compares: ClassVar[str] = ""
    """The benchmark whose finished plays are compared here, if that is what is done here."""
    repeats: ClassVar[int] = 1
    """How many plays of a project there are of the same reference, one after the other."""
    survey: ClassVar[Sequence[Mapping[str, Any]]] = ()
    """What people are asked at the end: `name`, `kind` (scale, choice or text), `label`, `choices`."""

    def lesson(self, seed: int) -> Lesson:
        """What a tutorial is made from, and who sits where in it."""
        raise NotImplementedError

    def options(self, seats: Mapping[str, str]) -> dict[str, Any]:
        """Options of the benchmark where people play it; a project's own come over them."""
        return {}

    def task(self, reference: Reference) -> str | None:
        """The kind of task of a reference, if that is known without opening it."""
        return None

    def instances(self, benchmark: Benchmark, reference: Reference) -> Sequence[Instance]:
        """The instances of a reference."""
        return benchmark.open(reference)

    def session(
        self, benchmark: Benchmark, instance: Instance, seats: Mapping[str, str], clock: Clock
    ) -> Session:
        """Begin; `clock` tells when the act that is being done was done."""
        return benchmark.session(instance)

    def legend(self) -> dict[str, Any]:
        """What the page is told once, whoever sits there: how things look, what words mean."""
        return {}

    def views(self, session: Session, role: str) -> dict[str, Any]:
        """What the page shows beyond the percept, as JSON."""
        return {}

    def drawings(self, session: Session, role: str) -> Mapping[str, Drawing]:
        """The role's pictures; those that look as before are not sent again."""
        return {name: session.handle("drawn", role, name) for name in session.pictures(role)}

    def pointed(self, session: Session, role: str, picture: str, x: float, y: float) -> dict[str, Any] | None:
        """What is at a place of one of the role's own pictures, and what can be done to it."""
        return None

    def worded(self, message: str) -> str:
        """What came of an act, as people read it."""
        return message

    def official(self, session: Session, name: str) -> dict[str, bytes]:
        """What was played as files of the official format: name of the file -> its bytes."""
        return {}

    def joined(
        self, files: Sequence[tuple[str, bytes]], votes: Mapping[str, Sequence[int]]
    ) -> Sequence[tuple[str, bytes]]:
        """The files of all plays of a project, laid together where several are about the same.

        Args:
            files: What `official` gave, play by play.
            votes: Play -> what those who compared it with others said: 1 where it was not the odd one out.
        """
        return files

    def deadline(self, session: Session) -> tuple[float, Any] | None:
        """Seconds after the last act when something is done for the role that has the turn, and what."""
        return None


@cache
def registry() -> Mapping[str, Page]:
    """All pages by name; every file of this folder has one or more as `PAGES`."""
    found = {Page.name: Page()}
    for module in pkgutil.iter_modules([str(Path(__file__).parent)]):
        for made in getattr(importlib.import_module(f"{__package__}.{module.name}"), "PAGES", ()):
            found[made.name] = made
    return found


def page(name: str) -> Page:
    """A page by its name."""
    if name not in registry():
        raise HousematesError(f"There is no page {name!r}: expected one of {', '.join(registry())}.")
    return registry()[name]


def page_of(benchmark: str) -> Page:
    """The page that plays of a benchmark are played on."""
    return next((each for each in registry().values() if benchmark in each.benchmarks), registry()[Page.name])
