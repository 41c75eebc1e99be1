"""Whoever names a thing by its id touches it only where a click could: in sight and within reach."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np
import pytest

from housemates.core import registry
from housemates.core.actions import Act
from housemates.core.episode import Episode
from housemates.home import World
from housemates.home.geometry import nearest_distance
from housemates.home.things import REACH_M
from housemates.render.frames import Frame

ACTS = int(os.environ.get("HOUSEMATES_REACH_ACTS", "250"))
"""Acts by id in each benchmark; 5,000 and more in all were tried before a release."""
SLACK_M = 0.03
BY_PIXEL = ("teach-tfd",)
"""Where reach is measured to what is seen of a thing; elsewhere to its nearest part, as AI2-THOR does."""
NAMES = {
    "teach-tfd": ("Pickup", "Place", "Open", "Close", "ToggleOn", "ToggleOff", "Slice", "Pour"),
    "alfred": ("PickupObject", "PutObject", "OpenObject", "CloseObject", "ToggleObjectOn", "SliceObject"),
    "home": ("Pickup", "Place", "Open", "Close", "ToggleOn", "ToggleOff", "Slice"),
}
MOVES = {
    "teach-tfd": ("Forward", "TurnLeft", "TurnRight", "LookUp", "LookDown", "Backward"),
    "alfred": ("MoveAhead", "RotateLeft", "RotateRight", "LookUp", "LookDown"),
    "home": ("Forward", "TurnLeft", "TurnRight", "LookUp", "LookDown"),
}


def world_of(session: Any) -> World:
    """The home of a session."""
    world = session.world
    return world if isinstance(world, World) else world.home


def frame_of(session: Any) -> Frame:
    """What a pointing finger meets now."""
    eyes = getattr(session, "eyes", None) or getattr(session, "follower", session).sight
    return eyes.felt() if hasattr(eyes, "felt") else eyes.look()


def nearest_m(benchmark: str, frame: Frame, world: World, name: str) -> float:
    """How far a thing is as reach is measured there; infinite if nothing of it can be seen."""
    rows, columns = np.nonzero(frame.mask(name))
    if rows.size and benchmark not in BY_PIXEL:
        return nearest_distance(world.things[name], world.agent.position)
    points = [
        frame.camera.point(column + 0.5, row + 0.5, float(frame.depth[row, column]))
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    ]
    return min((math.dist(each, world.agent.position) for each in points), default=math.inf)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_touched_by_its_id_beyond_reach_or_out_of_sight(name: str) -> None:
    benchmark, rng, done, touched = registry.benchmark(name), np.random.default_rng(0), 0, 0
    references = benchmark.references("generated", 3)
    while done < ACTS:
        episode = Episode(benchmark, benchmark.open(next(references))[0])
        episode.session.limits = type(episode.session.limits)(10_000, 10_000)
        role = benchmark.roles[-1]
        known = set(episode.session.menu(role))
        for _ in range(60):
            world = world_of(episode.session)
            if rng.random() < 0.4:
                episode.take(str(rng.choice(MOVES[name])))
            else:
                frame = frame_of(episode.session)
                there = [each.id for each in world.things.values()]
                seen = [each for each in frame.visible() if each in world.things]
                pool = seen if seen and rng.random() < 0.5 else there
                thing = str(pool[int(rng.integers(len(pool)))])
                away, held = nearest_m(name, frame, world, thing), world.agent.held
                act = Act(str(rng.choice([each for each in NAMES[name] if each in known])), {"object": thing})
                outcome = episode.take(act).outcome
                done += 1
                if outcome.success and thing != held:
                    touched += 1
                    assert away <= REACH_M + SLACK_M, (act, away)
            if episode.over:
                break
    assert touched > 0


@pytest.mark.slow
def test_an_agent_that_never_takes_a_step_finishes_no_task_that_needs_one() -> None:
    benchmark, rng = registry.benchmark("teach-tatc"), np.random.default_rng(1)
    references = benchmark.references("generated", 5)
    for _ in range(max(3, ACTS // 50)):
        episode = Episode(benchmark, benchmark.open(next(references))[0])
        session: Any = episode.session
        for _ in range(300):
            if episode.over:
                break
            if session.role == "commander":
                episode.take("Pass")
                continue
            world = world_of(session)
            if rng.random() < 0.3:
                episode.take(str(rng.choice(["TurnLeft", "TurnRight", "LookUp", "LookDown"])))
                continue
            fitting = [(verb, each) for verb in NAMES["teach-tfd"] for each in session.follower.fitting(verb)]
            anything = [(verb, each) for verb in NAMES["teach-tfd"] for each in list(world.things)[::7]]
            choices = fitting if fitting and rng.random() < 0.7 else anything
            verb, thing = choices[int(rng.integers(len(choices)))]
            episode.take(Act(verb, {"object": thing}))
        assert not session.complete
