"""Rows for the demonstration: the expert on seven tasks, one of each type."""

from __future__ import annotations

from typing import Any

import numpy as np

from housemates.benchmarks.alfred.generate.demonstration import draw_similar
from housemates.benchmarks.alfred.generate.sampling import Sample
from housemates.benchmarks.alfred.generate.speech import directives
from housemates.benchmarks.alfred.tasks.goals import TITLES, Task

TASKS = (
    Sample(Task("pick_and_place_simple", "KeyChain", "Sofa"), "living-room-01"),
    Sample(Task("pick_and_place_with_movable_recep", "Fork", "CounterTop", "Cup"), "kitchen-02"),
    Sample(Task("pick_two_obj_and_place", "Pencil", "Drawer"), "bedroom-03"),
    Sample(Task("pick_clean_then_place_in_recep", "Cloth", "Toilet"), "bathroom-04"),
    Sample(Task("pick_heat_then_place_in_recep", "Potato", "CounterTop", object_sliced=True), "kitchen-05"),
    Sample(Task("pick_cool_then_place_in_recep", "Tomato", "Microwave"), "kitchen-06"),
    Sample(Task("look_at_obj_in_light", "Book", toggle_target="DeskLamp"), "bedroom-07"),
)


def rows() -> list[dict[str, Any]]:
    """What was asked, what the expert did, and whether its replay reached the goal."""
    found = []
    for number, sample in enumerate(TASKS):
        rng = np.random.default_rng([number, 17])
        made = draw_similar(sample, rng, by_mask=True)
        if made is None:
            found.append({"type": TITLES[sample.task.type], "scene": sample.scene, "success": False})
            continue
        said = directives(made, rng, 1)[0]
        found.append(
            {
                "type": TITLES[sample.task.type],
                "scene": sample.scene,
                "goal": said.goal,
                "instructions": " ".join(said.steps),
                "sub-goals": len(made.subgoals()),
                "actions": len(made.deeds),
                "success": True,
            }
        )
    return found
