"""Which remembered thing a phrase means."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from housemates.agents.embodied.grounding import Grounding, Hint
from housemates.agents.embodied.manipulation import Manipulator
from housemates.agents.embodied.object_memory import ObjectMemory, TrackedObject
from housemates.agents.embodied.semantics import Location, NounPhrase
from housemates.agents.embodied.spatial_relations import Viewer

CUP, PLATE = NounPhrase(("Cup",)), NounPhrase(("Plate",))


def test_things_that_are_said_to_be_beside_each_other_are_found() -> None:
    memory = ObjectMemory()
    for key, kind, x in [("far", "Cup", 3.0), ("near", "Cup", 0.2), ("plate", "Plate", 0.0)]:
        memory.things[key] = TrackedObject(
            key, kind, np.array([[x, 0.9, 1.0]]), np.array([x, 0.9, 1.0]), 0, 50
        )
    pose = SimpleNamespace(x=0.0, z=0.0, rotation=0.0)
    navigator: Any = SimpleNamespace(memory=memory, pose=pose, position=(0.0, 0.9, 0.0))
    grounding = Grounding(Manipulator(navigator), 1)
    viewer = Viewer(0.0, 0.0, 0.0)
    grounding.hints = [
        Hint(CUP.at(Location("near", PLATE)), viewer),
        Hint(PLATE.at(Location("near", CUP)), viewer),
    ]
    found = grounding.placed(CUP.at(Location("near", PLATE)))
    assert found is memory.things["near"]
