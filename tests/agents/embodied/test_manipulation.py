"""What hands do when things are not as they are remembered."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from housemates.agents.embodied.manipulation import Manipulator, Stuck
from housemates.agents.embodied.object_memory import ObjectMemory, TrackedObject


@pytest.mark.parametrize("act", ["put", "pour"])
def test_an_empty_hand_is_stuck_and_raises_nothing_else(act: str) -> None:
    navigator: Any = SimpleNamespace(memory=ObjectMemory())
    sink = TrackedObject("it", "SinkBasin", np.array([[0.0, 0.9, 1.0]]), np.zeros(3), 0, 50)
    with pytest.raises(Stuck):
        next(getattr(Manipulator(navigator), act)(sink))
