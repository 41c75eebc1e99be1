"""The scripted players: walks are shortest, plans are valid, and each pair plays as well as it should."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise, permutations
from statistics import mean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from housemates.agents.cerealbar.plan import GoldPlanFollower
from housemates.agents.cerealbar.planner import Distances, best_plans
from housemates.benchmarks.cerealbar.formats.episodes import Recording
from housemates.benchmarks.cerealbar.generate.games import record
from housemates.benchmarks.cerealbar.generate.maps import new_game
from housemates.benchmarks.cerealbar.tasks.recorded import Entry, take_apart
from housemates.benchmarks.cerealbar.world.cards import is_set
from housemates.benchmarks.cerealbar.world.dynamics import act
from housemates.benchmarks.cerealbar.world.observe import Memory, observe
from housemates.benchmarks.cerealbar.world.paths import (
    FAR,
    after,
    around_and_back,
    steps_between,
    steps_from,
    steps_to_all,
    walk,
)
from housemates.benchmarks.cerealbar.world.state import FOLLOWER, LEADER, Action, Options
from housemates.benchmarks.cerealbar.world.visibility import visible
from housemates.core import registry
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance
from housemates.errors import HousematesError

Pair = Callable[..., dict[str, Agent]]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 40), st.booleans())
def test_a_walk_ends_on_its_goal_touches_no_other_card_and_is_as_short_as_its_cost(
    seed: int, back: bool
) -> None:
    game = new_game(seed)
    cards = set(game.cards)
    pose = game.position[LEADER] * 6
    steps = steps_to_all(game.map, pose, cards, back)
    for goal in sorted(cards):
        way = walk(game.map, pose, {goal}, cards, back)
        if way is None:
            assert steps[goal * 6 : goal * 6 + 6].min() >= FAR
            continue
        assert len(way) == steps[goal * 6 : goal * 6 + 6].min()
        assert back or "MB" not in way
        poses = [after(game.map, pose, way[: i + 1]) // 6 for i in range(len(way))]
        assert poses[-1] == goal
        assert not cards.intersection(poses[:-1])


def test_costs_agree_with_a_plain_search() -> None:
    game = new_game(11)
    start = game.position[0] * 6 + 2
    steps = steps_to_all(game.map, start, set())
    cost, todo = {start: 0}, [start]
    for pose in todo:
        for move in ("MF", "MB", "RL", "RR"):
            at, heading = divmod(pose, 6)
            if move[0] == "M" and game.map.exits[at, heading if move == "MF" else (heading + 3) % 6] < 0:
                continue
            new = after(game.map, pose, [move])
            if new not in cost:
                cost[new] = cost[pose] + 1
                todo.append(new)
    assert all(steps[pose] == taken for pose, taken in cost.items())
    assert int((steps < FAR).sum()) == len(cost)


@pytest.mark.parametrize("back", [False, True])
def test_steps_between_all_cards_are_those_of_single_searches(back: bool) -> None:
    for options in (Options(), Options(width=40, height=30, cards=45)):
        game = new_game(12, options)
        hexes = np.array(sorted(game.cards), dtype=np.int32)
        table = steps_between(game.map, hexes.tolist(), back)
        for number in (0, len(hexes) // 2, len(hexes) - 1):
            for heading in (0, 4):
                pose = int(hexes[number]) * 6 + heading
                assert (table[number * 6 + heading] == steps_from(game.map, pose, hexes, back)).all()


def test_stepping_off_and_on_again_flips_the_card_under_ones_feet() -> None:
    game = new_game(1)
    card = sorted(game.cards)[0]
    pose = card * 6
    way = around_and_back(game.map, pose, set(game.cards))
    assert way is not None
    assert after(game.map, pose, way) // 6 == card
    assert sum(move[0] == "M" for move in way) == 2


def test_plans_are_sets_and_share_their_cards_between_the_players() -> None:
    for seed in range(10):
        game = new_game(seed)
        distances = Distances(game.map, game.cards, (game.position[0] * 6, game.position[1] * 6))
        plans = best_plans(distances, [], 5)
        assert len(plans) == 2
        for plan in plans:
            assert is_set([game.cards[at] for at in plan.target])
            assert sorted((*plan.leader, *plan.follower)) == sorted(plan.target)
        assert set(plans[0].target).isdisjoint(plans[1].target)


def test_a_wrong_card_is_given_back() -> None:
    game = new_game(3)
    a, b = next(
        (a, b)
        for a in game.cards
        for b in game.cards
        if game.cards[a].colour == game.cards[b].colour and a != b
    )
    game.selected = [a, b]
    distances = Distances(game.map, game.cards, (game.position[0] * 6, game.position[1] * 6))
    plan = best_plans(distances, game.selected, 5)[0]
    flips = {*plan.leader, *plan.follower}
    assert flips == set(plan.target) ^ {a, b}


@pytest.mark.parametrize(
    ("name", "partial", "least"), [("planner", False, 18), ("talking", False, 15), ("talking", True, 13)]
)
def test_pairs_play_well(pair: Pair, name: str, partial: bool, least: float) -> None:
    games = [record(new_game(1000 + seed), pair(name), str(seed), partial=partial) for seed in range(6)]
    assert mean(game.score for game in games) >= least


@pytest.mark.parametrize("name", ["random", "idle"])
def test_random_and_idle_pairs_score_nothing(pair: Pair, name: str) -> None:
    assert [record(new_game(seed), pair(name), "x").score for seed in range(5)] == [0] * 5


def test_a_leader_can_play_with_another_follower(pair: Pair) -> None:
    idle = record(new_game(3), pair("leader=talking", "follower=idle"), "x")
    assert idle.score <= record(new_game(3), pair("talking"), "x").score


def test_a_person_leads_with_the_same_habits_again_and_another_with_others(pair: Pair) -> None:
    games = [record(new_game(seed), pair("leader=people", "follower=talking"), "x") for seed in (3, 3, 4)]
    said = [[each.text for _, each in game.actions if each.name == "SAY"] for game in games]
    assert said[0] == said[1] != said[2] and games[0].score > 0


def test_an_unknown_agent_names_those_there_are(pair: Pair) -> None:
    for names in (["wizards"], ["leader=talking", "follower=wizards"]):
        with pytest.raises(HousematesError, match=r"Unknown agent 'wizards'.*planner, talking, .*idle"):
            pair(*names)


def test_plans_are_the_best_of_all_ways_to_share_a_set() -> None:
    """The planner against every order of every set by each player, on the same steps."""
    for seed in range(3):
        game = new_game(seed)
        poses = (game.position[0] * 6, game.position[1] * 6 + 2)
        distances = Distances(game.map, game.cards, poses)
        layout = distances.layout
        plan = best_plans(distances, [], 5, lookahead=False)[0]
        values = []
        for row in layout.sets.tolist():
            for mine in range(8):
                shares = [[c for i, c in enumerate(row) if (mine >> i & 1) == side] for side in (1, 0)]
                steps = [shortest(distances, role, share) for role, share in enumerate(shares)]
                turns = max(
                    0 if steps[0] <= 5 else 2 * -(-(steps[0] - 5) // 5),
                    0 if steps[1] == 0 else 2 * -(-steps[1] // 10) - 1,
                )
                values.append(turns + 0.5 * steps[0] / 5 + 0.5 * steps[1] / 10)
        assert plan.turns + 0.5 * plan.leader_steps / 5 + 0.5 * plan.follower_steps / 10 == min(values)


def shortest(distances: Distances, role: int, cards: list[int]) -> int:
    """The least steps of a player over cards in any order, by trying all."""
    if not cards:
        return 0
    best = FAR
    for order in permutations(cards):
        come = distances.firsts[role, order[0]].astype(int)
        for a, b in pairwise(order):
            come = (come[:, None] + distances.layout.between[a * 6 : a * 6 + 6, b]).min(axis=0)
        best = min(best, int(come.min()))
    return best


def test_the_same_seed_gives_the_same_game_in_every_process(corpus: list[Recording]) -> None:
    code = (
        "from housemates.benchmarks.cerealbar.generate.games import play_game;"
        "from housemates.benchmarks.cerealbar.generate.maps import new_game;"
        "print(play_game(7, 3).digest, new_game(9).digest(), end='')"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert answers == {f"{corpus[3].digest} {new_game(9).digest()}"}


def test_the_follower_sees_ahead_but_not_behind_nor_through_a_hut() -> None:
    game = new_game(6)
    seen = visible(game.map, game.position[FOLLOWER], 0)
    assert game.position[FOLLOWER] in seen
    behind = visible(game.map, game.position[FOLLOWER], 3)
    assert len(seen & behind) < 10
    assert len(visible(game.map, game.position[FOLLOWER], 0, fog=6.0)) < len(seen)


def test_all_six_headings_together_see_almost_everything_near() -> None:
    game = new_game(6)
    place = game.position[FOLLOWER]
    around = frozenset().union(*(visible(game.map, place, heading) for heading in range(6)))
    assert len(around) > 300


def test_a_partial_view_holds_no_card_that_was_never_in_view() -> None:
    game = new_game(8)
    memory = Memory()
    act(game, LEADER, Action("SAY", "look around"))
    act(game, LEADER, Action("DONE"))
    memory.look(game)
    first = observe(game, FOLLOWER, memory)
    assert first.visible is not None
    assert set(first.cards) == set(game.cards) & first.visible
    act(game, FOLLOWER, Action("RR"))
    memory.look(game)
    second = observe(game, FOLLOWER, memory)
    assert second.seen is not None
    assert first.visible <= second.seen
    assert set(second.cards) == set(game.cards) & second.seen


def test_covered_cards_have_no_face_for_the_follower() -> None:
    game = new_game(8, Options(covers=True))
    assert set(observe(game, FOLLOWER).cards.values()) == {None}
    assert None not in observe(game, LEADER).cards.values()


def test_the_follower_sees_no_instruction_but_the_current_one_and_those_before() -> None:
    game = new_game(8)
    for text in ("one", "two", "three"):
        act(game, LEADER, Action("SAY", text))
    act(game, LEADER, Action("DONE"))
    assert [text for text, _ in observe(game, FOLLOWER).instructions] == ["one"]
    act(game, FOLLOWER, Action("DONE"))
    assert observe(game, FOLLOWER).instruction == "two"
    assert np.array(observe(game, FOLLOWER).waiting) == 1


def test_a_follower_who_is_told_the_gold_plan_takes_the_recorded_cards(corpus: list[Recording]) -> None:
    recorded = registry.benchmark("cerealbar-recorded")
    entry = next(
        Entry(game, number)
        for game in corpus
        for number, gold in take_apart(game).golds.items()
        if gold.board is not None and gold.changed
    )
    instance = Instance("gold", "", entry)
    session = recorded.session(instance)
    agent = GoldPlanFollower()
    agent.reset(session.brief("follower"))
    agent.observe_privileged(instance, session)
    percept = session.observe("follower")
    goals = agent.plan(percept.data)[1]
    assert set(np.flatnonzero(goals)) == {at for at, _ in entry.script().golds[entry.first].changed}
    agent.reset(session.brief("follower"))
    while session.role is not None and len(session.executed) == 1:
        session.act(agent.act(session.observe("follower")))
    assert session.executed[0].changed == entry.script().golds[entry.first].changed
