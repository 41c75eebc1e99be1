"""The tutorial of TEACh: one kitchen, two tasks, and lessons that tick themselves off."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from housemates.benchmarks.teach.formats.starts import Start
from housemates.benchmarks.teach.generate.arrangement import Arranger
from housemates.benchmarks.teach.generate.sampling import definition, homes
from housemates.benchmarks.teach.session import TatcSession
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.errors import HousematesError
from housemates.home.scenes import load
from housemates.studio.pages.lessons import Lesson, told

TASK = "Tutorial"
LESSONS = (
    Lesson("Walk a few steps with the arrow buttons.", "W S", ("Forward", "Backward")),
    Lesson("Turn around.", "A D", ("TurnLeft", "TurnRight")),
    Lesson("Look up and down.", "R F", ("LookUp", "LookDown")),
    Lesson("Open a drawer, a cabinet or the fridge: choose it in the picture.", "", ("Open",)),
    Lesson("Take something into your hand.", "", ("Pickup",)),
    Lesson("Put it down somewhere.", "", ("Place",)),
)
"""What is tried first, and the acts that show it."""


@lru_cache(maxsize=8)
def tutorial_start(seed: int) -> Start:
    """A kitchen for the tutorial, the same for the same seed."""
    task = tasks.bind(TASK, ())
    kitchens = homes("seen")["kitchen"]
    for number in range(len(kitchens)):
        home = kitchens[(seed + number) % len(kitchens)]
        made = Arranger(load(str(home)), task, np.random.default_rng([seed, number])).arrange()
        if made is not None:
            return Start(made, definition(TASK, ()))
    raise HousematesError("No kitchen could be arranged for the tutorial.")


def lessons(session: TatcSession) -> list[dict[str, Any]]:
    """The lessons, and which of them were done."""
    done = {deed.act.name for deed in session.histories["follower"] if deed.act and deed.outcome.success}
    return told(LESSONS, done)
