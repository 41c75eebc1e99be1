"""Which remembered thing a phrase means."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from housemates.agents.embodied.grounding import Finder, Hint
from housemates.agents.embodied.manipulation import Hands
from housemates.agents.embodied.object_memory import Memory, Seen
from housemates.agents.embodied.semantics import Phrase, Place
from housemates.agents.embodied.spatial_relations import Viewer

CUP, PLATE = Phrase(("Cup",)), Phrase(("Plate",))


def test_things_that_are_said_to_be_beside_each_other_are_found() -> None:
    memory = Memory()
    for key, kind, x in [("far", "Cup", 3.0), ("near", "Cup", 0.2), ("plate", "Plate", 0.0)]:
        memory.things[key] = Seen(key, kind, np.array([[x, 0.9, 1.0]]), np.array([x, 0.9, 1.0]), 0, 50)
    pose = SimpleNamespace(x=0.0, z=0.0, rotation=0.0)
    body: Any = SimpleNamespace(memory=memory, pose=pose, position=(0.0, 0.9, 0.0))
    finder = Finder(Hands(body), 1)
    viewer = Viewer(0.0, 0.0, 0.0)
    finder.hints = [
        Hint(CUP.at(Place("near", PLATE)), viewer),
        Hint(PLATE.at(Place("near", CUP)), viewer),
    ]
    found = finder.placed(CUP.at(Place("near", PLATE)))
    assert found is memory.things["near"]
