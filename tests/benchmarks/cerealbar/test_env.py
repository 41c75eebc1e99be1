"""Encodings and tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from housemates.benchmarks.cerealbar.benchmark import Games
from housemates.benchmarks.cerealbar.env import GameEncoding, RecordedEncoding
from housemates.benchmarks.cerealbar.generate.maps import new_game
from housemates.benchmarks.cerealbar.session import GameSession
from housemates.benchmarks.cerealbar.world.observe import Memory, observe
from housemates.benchmarks.cerealbar.world.state import FOLLOWER, LEADER
from housemates.benchmarks.cerealbar.world.tensors import INDEX, PROPERTIES, egocentric, encode, radius
from housemates.core import registry
from housemates.core.agent import Agent
from housemates.core.loading import Seating, make_agent
from housemates.errors import HousematesError

pytestmark = pytest.mark.slow


def begin(encoding: GameEncoding, benchmark: Games, number: int = 0) -> tuple[GameSession, Agent]:
    """A game at the follower's first turn, and its leader."""
    references = benchmark.references("generated", 3)
    reference = [next(references) for _ in range(number + 1)][-1]
    session = benchmark.session(benchmark.open(reference)[0])
    leader = make_agent(Games, "leader", Seating("planner"))
    leader.reset(session.brief("leader"))
    lead(session, leader)
    return session, leader


def lead(session: GameSession, leader: Agent) -> None:
    while session.role == "leader":
        session.act(leader.act(session.observe()))


@pytest.mark.parametrize(("view", "ego"), [("full", True), ("partial", False)])
def test_observations_belong_to_their_space(view: str, ego: bool) -> None:
    benchmark = Games(registry.benchmark("cerealbar", view=view, width=12, height=13, cards=9).options)
    encoding = GameEncoding(benchmark, ego=ego)
    session, leader = begin(encoding, benchmark)
    for step in range(40):
        for role in ("leader", "follower"):
            assert encoding.observation_space(role).contains(encoding.observation(session, role)), role
        seen = encoding.observation(session, "follower")
        assert seen["instructions"]
        assert session.act(encoding.act("follower", int(np.flatnonzero(seen["legal"])[step % 3]))).success
        lead(session, leader)
        if session.role is None:
            break


def test_the_numbers_of_actions_are_places_in_the_menu() -> None:
    benchmark = Games()
    encoding = GameEncoding(benchmark)
    session, _ = begin(encoding, benchmark)
    for role in ("leader", "follower"):
        for number, name in enumerate(session.menu(role)):
            action: Any = {"action": number, "text": "go"} if role == "leader" else number
            assert encoding.act(role, action).name == name
    assert encoding.act("leader", {"action": 5, "text": "wait there"}).arguments == {"text": "wait there"}


@pytest.mark.parametrize(
    ("role", "action"),
    [
        ("follower", -1),
        ("follower", 5),
        ("follower", np.int64(-1)),
        ("follower", 1.5),
        ("follower", None),
        ("follower", "Forward"),
        ("leader", 0),
        ("leader", {"action": 6, "text": ""}),
        ("leader", {"action": -1, "text": ""}),
        ("leader", {"action": 5, "text": "x" * 1001}),
    ],
)
def test_what_is_no_element_of_the_space_is_refused(role: str, action: Any) -> None:
    with pytest.raises(HousematesError, match=r"[Ee]xpected"):
        GameEncoding(Games()).act(role, action)


def test_a_refused_action_is_no_success_brings_nothing_and_changes_nothing() -> None:
    benchmark = Games()
    encoding = GameEncoding(benchmark)
    for number in range(30):
        session, _ = begin(encoding, benchmark, number)
        seen = encoding.observation(session, "follower")
        blocked = np.flatnonzero(seen["legal"] == 0)
        if len(blocked):
            break
    before = session.game.digest()
    outcome = session.act(encoding.act("follower", blocked[0]))
    assert "blocked" in outcome.message
    assert session.reward("follower") == 0
    assert session.game.digest() == before
    assert encoding.observation(session, "follower")["success"] == 0


def test_arrays_of_two_observations_are_not_the_same() -> None:
    benchmark = Games()
    encoding = GameEncoding(benchmark)
    session, _ = begin(encoding, benchmark)
    first = encoding.observation(session, "follower")
    second = encoding.observation(session, "follower")
    assert (first["map"] == second["map"]).all()
    first["map"][:] = 7
    assert second["map"].max() == 1
    assert encoding.observation(session, "follower")["map"].max() == 1


def test_the_recorded_follower_has_the_same_spaces() -> None:
    recorded = RecordedEncoding(registry.benchmark("cerealbar-recorded"))
    whole = GameEncoding(Games())
    assert recorded.action_space("follower") == whole.action_space("follower")
    assert recorded.observation_space("follower") == whole.observation_space("follower")


def test_there_are_97_properties_and_each_hex_has_one_ground() -> None:
    assert len(PROPERTIES) == 97
    game = new_game(3)
    planes = encode(observe(game, LEADER))
    assert planes.shape == (97, 25, 25)
    assert (planes[:6].sum(axis=0) == 1).all()
    assert planes[INDEX["card: unselected"]].sum() == 21
    x, y = game.position[LEADER] % 25, game.position[LEADER] // 25
    assert planes[INDEX["leader facing NE"], x, y] == 1
    for at, card in game.cards.items():
        assert planes[INDEX[f"card colour: {card.colour}"], at % 25, at // 25] == 1
        assert planes[INDEX[f"card count: {card.number}"], at % 25, at // 25] == 1


def test_what_was_never_seen_is_all_zeros() -> None:
    game, memory = new_game(3), Memory()
    memory.look(game)
    seen = observe(game, FOLLOWER, memory)
    planes = encode(seen)
    assert seen.seen is not None
    assert planes.any(axis=0).sum() == len(seen.seen)


def test_an_invalid_selection_is_marked_for_the_leader_only() -> None:
    game = new_game(3)
    a, b = next(
        (a, b)
        for a in game.cards
        for b in game.cards
        if game.cards[a].shape == game.cards[b].shape and a != b
    )
    game.selected = [a, b]
    assert encode(observe(game, LEADER))[INDEX["card: invalid"]].sum() == 2
    assert encode(observe(game, FOLLOWER))[INDEX["card: selected"]].sum() == 2


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 624), st.integers(0, 5))
def test_the_egocentric_frame_keeps_everything_and_faces_where_the_player_does(
    place: int, heading: int
) -> None:
    game = new_game(3)
    planes = encode(observe(game, LEADER))
    reach = radius(game.map.size)
    own = egocentric(planes, place * 6 + heading, reach)
    assert (own.sum(axis=(1, 2)) == planes.sum(axis=(1, 2))).all()
    ahead = game.map.exits[place, heading]
    if ahead >= 0:
        assert (own[:, reach, reach + 1] == planes[:, ahead % 25, ahead // 25]).all()
    assert (own[:, reach, reach] == planes[:, place % 25, place // 25]).all()
