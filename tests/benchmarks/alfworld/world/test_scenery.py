"""Pictures of new games: they show what the text tells at the same moment."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from housemates.agents.alfworld.expert import next_command
from housemates.benchmarks.alfworld.session import AlfworldSession
from housemates.core import registry
from housemates.errors import HousematesError

SHOWN_PX = 4


def begin(**options: Any) -> AlfworldSession:
    benchmark = registry.benchmark("alfworld", **options)
    session = benchmark.session(benchmark.open(next(benchmark.references("generated", 1)))[0])
    assert isinstance(session, AlfworldSession)
    return session


def walk(session: AlfworldSession) -> list[str]:
    """A round of all receptacles, each opened."""
    names = session.play.file.game.names["receptacle"]
    return [command for name in names for command in (f"go to {name}", f"open {name}")]


def shown(session: AlfworldSession) -> tuple[list[bool], list[bool]]:
    """Of what the text tells to be here, what the picture shows; and what it shows of what is shut in."""
    play, seen = session.play, session.eyes().look().visible()
    scenery, state = session._scenery, session.play.state
    assert scenery is not None
    told, hidden = [], []
    for place in play.file.game.receptacles_at[state.location]:
        for thing in state.inside[place]:
            visible = seen.get(scenery.things[thing], 0) >= SHOWN_PX
            (told if state.is_open(place) else hidden).append(visible)
    held = scenery.world.agent.held
    assert held == (scenery.things[state.held] if state.held >= 0 else "")
    return told, hidden


def test_text_and_picture_of_a_moment_agree() -> None:
    told, hidden = [], []
    for options in (
        {"task": "pick_heat_then_place_in_recep"},
        {"goals": 2, "hidden": True, "distractors": 5},
    ):
        session = begin(**options)
        for command in walk(session)[:24]:
            if session.act(command).success:
                both = shown(session)
                told, hidden = told + both[0], hidden + both[1]
        while session.role is not None:
            assert session.act(next_command(session.play)).success
            told += shown(session)[0]
    assert len(told) > 30 and np.mean(told) > 0.9
    assert not any(hidden)


def test_a_picture_depends_on_the_moment_and_not_on_the_way_there() -> None:
    session = begin()
    first, name = session.drawn("agent", "view"), walk(session)[0]
    for command in (name, "look", *walk(session)[2:6]):
        session.act(command)
        session.drawn("agent", "view")
    session.act(name)
    twin = begin()
    for command in walk(session)[2:6]:
        twin.act(command)
    twin.act(name)
    assert (session.drawn("agent", "view") == twin.drawn("agent", "view")).all()
    assert not (session.drawn("agent", "view") == first).all()
    alone = copy.deepcopy(session._scenery)
    assert alone is not None
    assert (alone.show(session.play.state).look().rgb == session.drawn("agent", "view")).all()


def test_a_game_of_words_alone_has_no_picture() -> None:
    session = begin()
    session._scene = None
    assert session.pictures("agent") == ()
    with pytest.raises(HousematesError, match="has no pictures"):
        session.drawn("agent", "view")
