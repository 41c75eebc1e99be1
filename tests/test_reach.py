"""Whoever names a thing by its id touches it only where a click could: in sight and within reach."""

from __future__ import annotations

import math
import os
from itertools import islice
from typing import Any

import numpy as np
import pytest

from housemates.core import registry
from housemates.core.actions import Act
from housemates.core.episode import Episode
from housemates.home import World
from housemates.home.geometry import nearest_distance
from housemates.home.things import REACH_M
from housemates.render.agent_camera import Eyes
from housemates.render.frames import Frame

ACTS = int(os.environ.get("HOUSEMATES_REACH_ACTS", "250"))
"""Acts by id in each benchmark; 5,000 and more in all were tried before a release."""
SLACK_M = 0.03
BY_PIXEL = "teach"
"""Where reach is measured to what is seen of a thing; elsewhere to its nearest part, as AI2-THOR does."""
TEACH = ("Pickup", "Place", "Open", "Close", "ToggleOn", "ToggleOff", "Slice", "Pour")
ALFRED = ("PickupObject", "PutObject", "OpenObject", "CloseObject", "ToggleObjectOn", "SliceObject")
NAMES = {
    **dict.fromkeys(("teach-tfd", "teach-edh", "teach-tatc"), TEACH),
    **dict.fromkeys(("alfred", "alfred-subgoals"), ALFRED),
    "home": ("Pickup", "Place", "Open", "Close", "ToggleOn", "ToggleOff", "Slice"),
}
MOVES = {
    **dict.fromkeys(
        ("teach-tfd", "teach-edh", "teach-tatc"),
        ("Forward", "TurnLeft", "TurnRight", "LookUp", "LookDown", "Backward"),
    ),
    **dict.fromkeys(
        ("alfred", "alfred-subgoals"), ("MoveAhead", "RotateLeft", "RotateRight", "LookUp", "LookDown")
    ),
    "home": ("Forward", "TurnLeft", "TurnRight", "LookUp", "LookDown"),
}


def world_of(session: Any) -> World:
    """The home of a session."""
    world = session.world
    return world if isinstance(world, World) else world.home


def frame_of(session: Any) -> Frame:
    """What a pointing finger meets now: what is held is not in the way."""
    eyes = getattr(session, "eyes", None) or getattr(session, "follower", session).sight
    if hasattr(eyes, "felt"):
        return eyes.felt()
    return Eyes(eyes.world, eyes.width, eyes.height, True, eyes.renderer).look()


def nearest_m(benchmark: str, frame: Frame, world: World, name: str) -> float:
    """How far a thing is as reach is measured there; infinite if nothing of it can be seen."""
    rows, columns = np.nonzero(frame.mask(name))
    if rows.size and not benchmark.startswith(BY_PIXEL):
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
            if episode.over:
                break
            world = world_of(episode.session)
            if episode.turn != role:
                episode.take("Pass")
            elif rng.random() < 0.4:
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
    assert touched > 0


def watched(name: str, session: Any) -> list[tuple[str, str, float]]:
    """What is touched from now on, also in rehearsals, and from how far away."""
    world, plain = world_of(session), session.world.act
    touches: list[tuple[str, str, float]] = []

    def act(action: str, *given: Any, **more: Any) -> Any:
        target = more.get("target", given[0] if given else None)
        known = target in world.things and target != world.agent.held
        away = nearest_m(name, frame_of(session), world, str(target)) if known else 0.0
        outcome = plain(action, *given, **more)
        if known and outcome.success:
            touches.append((action, str(target), away))
        return outcome

    session.world.act = act
    return touches


@pytest.mark.slow
@pytest.mark.parametrize("name", ["teach-tfd", "alfred"])
def test_skills_touch_nothing_beyond_reach_or_out_of_sight(name: str) -> None:
    benchmark, rng, touched = registry.benchmark(name, acts="skills"), np.random.default_rng(2), 0
    references = benchmark.references("generated", 4)
    for number in range(max(10, ACTS // 20)):
        if number % 10 == 0:
            episode = Episode(benchmark, benchmark.open(next(references))[0])
            episode.session.limits = type(episode.session.limits)(10_000, 10_000)
            touches = watched(name, episode.session)
        if episode.over:
            continue
        offered = [each for each in episode.session.offers(benchmark.roles[-1]) if each.name != "Stop"]
        offer = offered[int(rng.integers(len(offered)))]
        things = offer.arguments[0].choices if offer.arguments else ()
        named = {"object": str(rng.choice(things))} if things else {}
        episode.take(Act(offer.name, named))
        touched += len(touches)
        assert all(away <= REACH_M + SLACK_M for _, _, away in touches), touches
        touches.clear()
    assert touched > 0


def test_commands_of_alfworld_move_nothing_that_is_elsewhere() -> None:
    benchmark, rng, moved = registry.benchmark("alfworld"), np.random.default_rng(3), 0
    for reference in islice(benchmark.references("generated", 5), max(2, ACTS // 1000)):
        episode = Episode(benchmark, benchmark.open(reference)[0])
        episode.session.limits = type(episode.session.limits)(10_000, 10_000)
        play = episode.session.play
        things, places = play.file.game.names["object"], play.file.game.names["receptacle"]
        for _ in range(ACTS):
            before = play.facts()
            if rng.random() < 0.2:
                command = f"go to {rng.choice(places)}"
            else:
                how = rng.choice(["take {} from {}", "move {} to {}", "open {1}", "heat {} with {}"])
                command = str(how).format(rng.choice(things), rng.choice(places))
            episode.take(Act("Command", {"command": command}))
            now = play.facts()
            touched = {each for each in places if before[each] != now[each]}
            moved += len(touched)
            assert all(each in before["place"].split(" and ") for each in touched), command
            if episode.over:
                break
    assert moved > 0


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
