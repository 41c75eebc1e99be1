"""ALFRED's seat: the picture with a menu on it, the goal once, the instructions, and the tutorial."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

import msgspec
import numpy as np

from housemates.benchmarks.alfred.generate.sampling import Sample
from housemates.benchmarks.alfred.session import AGENT, VIEW, AlfredSession
from housemates.benchmarks.alfred.world.dynamics import INTERACTIONS, MOVES
from housemates.benchmarks.teach.world.descriptions import states
from housemates.benchmarks.teach.world.pointing import fits
from housemates.core import registry
from housemates.core.actions import Act
from housemates.core.benchmark import Benchmark, Instance, Reference
from housemates.core.masks import runs_of
from housemates.core.outcome import Outcome
from housemates.core.percepts import Limits
from housemates.core.session import Session
from housemates.home.things import Thing
from housemates.studio.pages import SCALE, Clock, Drawing
from housemates.studio.pages import Lesson as Tutorial
from housemates.studio.pages.household import ENDING, HouseholdPage
from housemates.studio.pages.lessons import Lesson, told
from housemates.studio.pages.menus import Choice, blocked, choice, lacking
from housemates.studio.pages.names import called

ACTS = {**{name: does for name, (does, _) in MOVES.items()}, **INTERACTIONS}
"""All that one does in the home, by the home's names."""
POINTING = "point"
"""How people point: by clicking."""
TASK = "pick_heat_then_place_in_recep"
"""The kind of task of the tutorial: nearly everything that can be done is a part of it."""
LESSONS = (
    Lesson("Walk a few steps with the arrow buttons.", "W", ("MoveAhead",)),
    Lesson("Turn around.", "A D", ("RotateLeft", "RotateRight")),
    Lesson("Look up and down.", "R F", ("LookUp", "LookDown")),
    Lesson("Take something into your hand: choose it in the picture.", "", ("PickupObject",)),
    Lesson("Open something that is closed.", "", ("OpenObject",)),
    Lesson("Put down what you hold, or put it into something.", "", ("PutObject",)),
)
FAILURES = 1000
"""Failed acts after which a tutorial ends."""


class AlfredPage(HouseholdPage):
    """A person who follows instructions in a home."""

    acts: ClassVar[Mapping[str, str]] = ACTS
    name = "alfred"
    benchmarks: ClassVar[tuple[str, ...]] = ("alfred", "alfred-subgoals")
    module = "alfred.js"
    title = "ALFRED"
    parts: ClassVar[tuple[str, ...]] = ()
    tutorials: ClassVar[tuple[str, ...]] = ("alfred-tutorial",)
    survey: ClassVar[Sequence[Mapping[str, Any]]] = (
        {"name": "clear", "kind": "scale", "label": "How clear were the instructions?", "choices": SCALE},
        *ENDING,
    )

    def options(self, seats: Mapping[str, str]) -> dict[str, Any]:
        """People see larger pictures than agents do."""
        return {} if seats.get(AGENT) else {"size": "500"}

    def session(
        self, benchmark: Benchmark, instance: Instance, seats: Mapping[str, str], clock: Clock
    ) -> Session:
        """A person does the thirteen actions and points by clicking, whatever an agent would do."""
        if seats.get(AGENT):
            return benchmark.session(instance)
        return AlfredSession(instance, benchmark.limits, POINTING, _size(benchmark))

    def views(self, session: Session, role: str) -> dict[str, Any]:
        """What is asked, what is held, what cannot be done, and at the end how it went."""
        assert isinstance(session, AlfredSession)
        world, held = session.world, session.world.home.held
        return {
            "goal": session.episode.goal,
            "instructions": list(session.episode.instructions),
            "held": held and called(held.type),
            "lacking": lacking(ACTS, held),
            "blocked": blocked(world, MOVES, world.act),
            "success": self.reached(session) if session.role is None else None,
        }

    def reached(self, session: AlfredSession) -> bool:
        """Whether what was asked is done; as far as it is known."""
        met, total = session.progress
        return session.reached or met == total > 0

    def drawings(self, session: Session, role: str) -> Mapping[str, Drawing]:
        """What the agent sees."""
        assert isinstance(session, AlfredSession)
        return {VIEW: lambda: np.asarray(session.drawn(role, VIEW))}

    def pointed(self, session: Session, role: str, picture: str, x: float, y: float) -> dict[str, Any] | None:
        """What is under the pointer, and what can be done to it."""
        assert isinstance(session, AlfredSession)
        thing = _under(session, x, y)
        if picture != VIEW or thing is None:
            return None
        acts = [each.told() for each in _possible(session, thing)]
        mask = runs_of(session.sight.mask(thing.id))
        return {"name": called(thing.type), "states": list(states(thing)), "acts": acts, "mask": mask}


class LessonSession(AlfredSession):
    """A tutorial: it remembers what was tried with success."""

    def __init__(self, instance: Instance, limits: Limits, size: tuple[int, int]) -> None:
        super().__init__(instance, limits, POINTING, size)
        self.learnt: set[str] = set()
        """The acts that were done."""

    def do(self, role: str, act: Act) -> Outcome:
        """Carry out an act."""
        outcome = super().do(role, act)
        if outcome.success:
            self.learnt.add(act.name)
        return outcome


class TutorialPage(AlfredPage):
    """One task, the same for everybody, with lessons beside it."""

    name = "alfred-tutorial"
    benchmarks = ()
    tutorials = ()
    survey = ()

    def lesson(self, seed: int) -> Tutorial:
        """The first generated task of the kind in which nothing has to be cut."""
        references = registry.benchmark("alfred").references("generated", 0)
        return Tutorial(next(filter(_wanted, references)), {AGENT: ""})

    def session(
        self, benchmark: Benchmark, instance: Instance, seats: Mapping[str, str], clock: Clock
    ) -> Session:
        """Begin; nobody fails too often."""
        limits = Limits(benchmark.limits.steps, FAILURES)
        return LessonSession(instance, limits, _size(benchmark))

    def views(self, session: Session, role: str) -> dict[str, Any]:
        """The task, and the lessons."""
        assert isinstance(session, LessonSession)
        return {**super().views(session, role), "lessons": told(LESSONS, session.learnt)}


def _size(benchmark: Benchmark) -> tuple[int, int]:
    size: tuple[int, int] = benchmark.size  # type: ignore[attr-defined]
    return size


def _wanted(reference: Reference) -> bool:
    task = msgspec.convert(reference.data["sample"], Sample).task
    return task.type == TASK and not task.object_sliced


def _under(session: AlfredSession, x: float, y: float) -> Thing | None:
    """What a click there means: the usable thing at the place or close to it, else whatever is there."""
    sight = session.sight
    frame = sight.look()
    height, width = frame.ids.shape
    label = frame.labels[int(frame.ids[min(int(y * height), height - 1), min(int(x * width), width - 1)])]
    return sight.home.things.get(sight.pick_at((x, y)) or label.id)


def _possible(session: AlfredSession, thing: Thing) -> Iterator[Choice]:
    """What could be done to a thing now."""
    world = session.world
    for act, touch in INTERACTIONS.items():
        if session.sight.usable(thing) and fits(world.home, touch, thing):
            attempt = partial(world.act, act, thing.id)
            found = choice(world, act, touch, thing, world.home.held, attempt)
            if found is not None:
                yield found


PAGES = (AlfredPage(), TutorialPage())
