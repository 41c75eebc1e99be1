"""The home as a benchmark without a task: rooms to stay in, and a goal only if somebody gives one."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, ClassVar, Literal

import numpy as np

from housemates.benchmarks.home.session import ROLE, Goal, HomeSession
from housemates.core import scoring
from housemates.core.benchmark import Benchmark, Instance, Reference, Result, Summary
from housemates.core.options import AtLeastOne
from housemates.core.percepts import Limits
from housemates.core.session import Session
from housemates.core.trace import Trace
from housemates.errors import HousematesError
from housemates.home.naming import NamesOption
from housemates.home.scenes import load, scene_ids
from housemates.home.scenes.catalogue import SPLITS, rooms
from housemates.home.scenes.files import load_scene
from housemates.home.things import Scene
from housemates.render.camera import read_size
from housemates.render.looks import LooksName


@dataclass(frozen=True)
class Options:
    """Options of the environment."""

    scene: str | None = None
    """One home instead of those of the split: a room's id, a scene file or a house in ProcTHOR's format."""
    size: str = "300x300"
    """Width and height of the picture in pixels, or one number for both."""
    steps: AtLeastOne = 1000
    """Maximum number of actions per episode."""
    pointing: Literal["any", "object", "point"] = "any"
    """How objects may be selected."""
    looks: LooksName = "plain"
    """Appearance of the home: plain, or varied, with materials and light drawn for each episode."""
    names: NamesOption = "ids"
    """Names of objects in texts and choices: AI2-THOR's ids, or short names that last for the episode, such
    as `mug 2`. Both are accepted."""
    goal: Any = None
    """A function of the world, or its `module:name`; the episode ends when it returns true."""


class Home(Benchmark):
    """Rooms to stay in; success is to reach the goal, if there is one."""

    name = "home"
    id = "housemates/home-v3"
    roles = (ROLE,)
    limits = Limits(steps=1000, failures=1000)
    splits: ClassVar[Mapping[str, str]] = dict.fromkeys(("generated", *SPLITS), "")
    episodes = 10
    Data = Scene
    Options = Options
    seat_options = frozenset({"size", "pointing", "steps", "looks", "names"})

    def __init__(self, options: Any = None) -> None:
        super().__init__(options)
        self.size = read_size(self.options.size)
        self.goal = _goal(self.options.goal)

    @classmethod
    def tasks(cls) -> tuple[str, ...]:
        """The kinds of rooms."""
        return tuple(rooms())

    def references(self, split: str, seed: int) -> Iterator[Reference]:
        """The rooms of a split that come with the package; `generated` ones are made from the seed."""
        if split not in (*SPLITS, "generated"):
            raise HousematesError(f"Unknown split {split!r}: expected {', '.join(SPLITS)} or generated.")
        if self.options.scene is not None:
            yield Reference(self.options.scene, seed=seed)
        elif split in SPLITS:
            yield from (Reference(room, seed=seed) for room in scene_ids(split=split))
        else:
            kinds = [kind.replace(" ", "-") for kind in rooms()]
            for number in count():
                drawn = int(np.random.default_rng([seed, number]).integers(2**31))
                yield Reference(f"{kinds[number % len(kinds)]}-seed-{drawn}", seed=seed)

    def open(self, reference: Reference) -> Sequence[Instance]:
        """The room of a reference."""
        file = reference.id.endswith((".json", ".json.zst", ".json.gz"))
        scene = load_scene(reference.id) if file else load(reference.id)
        return [Instance(reference.id, scene.room, scene, reference.seed)]

    def session(self, instance: Instance) -> HomeSession:
        """Return a new session in the room."""
        limits = Limits(self.options.steps, self.options.steps)
        given = self.options
        return HomeSession(instance, limits, self.size, given.pointing, self.goal, given.looks, given.names)

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Whether the goal was reached."""
        assert isinstance(session, HomeSession)
        return {"success": float(session.done), "steps": float(len(trace.steps))}

    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        """Success, and how long stays were."""
        metrics = {**scoring.percent(results, "success"), "steps": scoring.mean(results, "steps")}
        return Summary(metrics, {"by room": scoring.table(results, lambda each: each.task, ("success",))})


def _goal(given: Any) -> Goal | None:
    if given is None or callable(given):
        return given  # type: ignore[no-any-return]
    module, separator, name = str(given).partition(":")
    try:
        found = getattr(importlib.import_module(module), name) if separator else None
    except (ImportError, AttributeError) as error:
        raise HousematesError(f"home: goal: {given} cannot be imported ({error}).") from None
    if not callable(found):
        raise HousematesError(f"home: goal: expected a function or module:name, found {given!r}.")
    return found  # type: ignore[no-any-return]
