"""The rules: Table 2 row by row, the turn table, and what holds in any game whatever the players do."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from housemates.benchmarks.cerealbar.generate.maps import new_game
from housemates.benchmarks.cerealbar.world.cards import Card, has_set, is_set
from housemates.benchmarks.cerealbar.world.dynamics import act
from housemates.benchmarks.cerealbar.world.hexes import distance
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.state import (
    BACKWARD,
    DONE,
    FOLLOWER,
    FORWARD,
    INTERRUPT,
    LEADER,
    LEFT,
    MOVES,
    RIGHT,
    Action,
    Game,
    Options,
    restore,
    say,
    wait,
)
from housemates.errors import HousematesError

TINY = Options(width=8, height=8, cards=3, deal_sets=True)
"""Three cards that are a set, so that wanderers who are drawn to cards take many."""
GAMES_PER_EXAMPLE, EXAMPLES = 50, 60
ADDED = [10, 8, 8, 6, 6, 4, 4, 2, 2, 2]


@cache
def hexmap(number: int, tiny: bool) -> HexMap:
    return new_game(number, TINY if tiny else None).map


def expected(game: Game, name: str) -> tuple[int, int, int]:
    """Queue, turn-taker and steps after an action that is possible, written down from the paper's Table 2."""
    queue, role, steps = len(game.queue), game.role, game.steps
    if name == "SAY":
        return queue + 1, LEADER, steps  # rule 1
    if name == "DONE" and role == LEADER:
        return (queue, FOLLOWER, 10) if queue else (0, LEADER, 5)  # rules 2 and 3
    if name == "DONE":
        return (queue - 1, FOLLOWER, steps) if queue > 1 else (0, LEADER, 5)  # rules 5 and 6
    if steps == 1:
        return (queue, LEADER, 0) if role == LEADER else (queue, LEADER, 5)  # rules 4 and 7
    return queue, role, steps - 1  # rule 8


def random_action(draw: random.Random) -> Action:
    mark = draw.random()
    if mark < 0.8:
        return (FORWARD, FORWARD, FORWARD, BACKWARD, LEFT, RIGHT)[int(mark / 0.8 * 6)]
    return DONE if mark < 0.9 else say("onward")


def step_to_a_card(game: Game, role: int) -> Action:
    """Turn or step towards a card that is not selected, as the crow flies."""
    left = sorted(set(game.cards) - set(game.selected))
    exits, width = game.map.exit_table[game.position[role]].tolist(), game.map.size.width
    if not left or max(exits) < 0:
        return LEFT
    far = [distance(to, left[0], width) if to >= 0 else 99 for to in exits]
    turn = (far.index(min(far)) - game.heading[role]) % 6
    return FORWARD if turn == 0 else RIGHT if turn <= 3 else LEFT


def play_randomly(game: Game, draw: random.Random) -> None:
    """Play to the end with actions of either player, possible or not, checking every one."""
    total = game.turns_left
    for _ in range(3000):
        if game.over:
            break
        role = game.role if draw.random() < 0.95 else 1 - game.role
        action = random_action(draw)
        if game.options == TINY and action.name in MOVES and draw.random() < 0.8:
            action = step_to_a_card(game, role)
        before = (len(game.queue), game.role, game.steps)
        score, turn, left, cards = game.score, game.turn, game.turns_left, len(game.cards)
        wanted = expected(game, action.name) if role == game.role else before
        pose = (game.position[role], game.heading[role])
        blocked = action.name in ("MF", "MB") and game.destination(role, action.name) < 0
        spent = action.name in MOVES and game.steps == 0
        if not act(game, role, action).success:
            assert role != before[1] or blocked or spent or (action.name == "SAY" and role == FOLLOWER)
            assert (len(game.queue), game.role, game.steps) == before
            assert (game.position[role], game.heading[role]) == pose
            assert (game.score, game.turn) == (score, turn)
            continue
        assert not (role != before[1] or blocked or spent)
        assert (len(game.queue), game.role, game.steps) == wanted
        gained = ADDED[score] if game.score > score and score < 10 else 0
        total += gained
        skipped = action.name == "DONE" and role == LEADER and before[0] == 0
        ended = game.turn - turn
        assert ended in ((2,) if skipped else (0, 1))
        assert game.turns_left == left + gained - ended
        assert len(game.cards) == cards
        assert game.turn <= total <= 65
    assert game.over
    assert game.turn == total
    assert not act(game, game.role, DONE).success


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True)
@given(st.integers(0, 2**32 - 1))
def test_the_rules_hold_in_three_thousand_random_games(seed: int) -> None:
    draw = random.Random(seed)
    for number in range(GAMES_PER_EXAMPLE):
        tiny = number % 5 == 0
        where = hexmap(draw.randrange(20), tiny)
        play_randomly(new_game(draw.randrange(2**31), TINY if tiny else Options(), where), draw)


def test_random_games_reach_sets_so_that_the_turn_table_is_tried() -> None:
    draw = random.Random(0)
    games = [new_game(draw.randrange(2**31), TINY, hexmap(i % 20, True)) for i in range(100)]
    for game in games:
        play_randomly(game, draw)
    scores = [game.score for game in games]
    assert sum(scores) > 100
    assert max(scores) > 10


def two_step_game() -> Game:
    """A game in which the leader stands before a free hex."""
    for seed in range(100):
        game = new_game(seed)
        if game.destination(LEADER, "MF") >= 0 and game.destination(LEADER, "MB") >= 0:
            return game
    raise AssertionError


def test_five_steps_for_the_leader_and_ten_for_the_follower() -> None:
    game = two_step_game()
    assert game.steps == 5
    for _ in range(5):
        assert act(game, LEADER, LEFT).success
    refused = act(game, LEADER, LEFT)
    assert not refused.success
    assert "Rule 4" in refused.message
    assert game.role == LEADER
    act(game, LEADER, say("turn around"))
    act(game, LEADER, DONE)
    assert (game.role, game.steps) == (FOLLOWER, 10)


def test_an_empty_queue_skips_the_followers_turn_but_counts_it() -> None:
    game = new_game(0)
    act(game, LEADER, DONE)
    assert (game.role, game.turns_left, game.turn) == (LEADER, 10, 2)


def test_a_step_into_an_obstacle_is_refused_and_free() -> None:
    for seed in range(100):
        game = new_game(seed)
        if game.destination(LEADER, "MF") < 0:
            before = game.digest()
            assert not act(game, LEADER, FORWARD).success
            assert game.digest() == before
            return
    raise AssertionError


def put(game: Game, cards: dict[int, Card]) -> None:
    game.cards = dict(cards)
    game.selected = []


def line_of_free_hexes(game: Game) -> list[int]:
    """Hexes straight ahead of the leader, some of them turned to, free to walk on."""
    for at in game.map.playable:
        for heading in range(6):
            line = [at]
            while len(line) < 5 and game.map.exits[line[-1], heading] >= 0:
                line.append(game.map.exits[line[-1], heading])
            if len(line) == 5 and set(line) <= set(game.map.playable):
                game.position[LEADER], game.heading[LEADER] = at, heading
                return line
    raise AssertionError


def test_walking_over_a_set_takes_it_scores_and_adds_ten_turns() -> None:
    game = new_game(2)
    line = line_of_free_hexes(game)
    cards = [Card(1, "red", "star"), Card(2, "blue", "heart"), Card(3, "green", "plus")]
    put(game, dict(zip(line[1:4], cards, strict=True)))
    for step in range(3):
        assert game.score == 0
        assert len(game.selected) == step
        act(game, LEADER, FORWARD)
    assert (game.score, game.turns_left) == (1, 22)
    assert len(game.cards) == 3
    assert set(game.cards).isdisjoint(line[1:4])
    assert has_set(list(game.cards.values()))


def test_stepping_on_a_card_again_undoes_the_selection_and_turning_does_not() -> None:
    game = new_game(2)
    line = line_of_free_hexes(game)
    put(game, {line[1]: Card(1, "red", "star"), line[4]: Card(2, "red", "star")})
    act(game, LEADER, FORWARD)
    act(game, LEADER, LEFT)
    act(game, LEADER, RIGHT)
    assert game.selected == [line[1]]
    act(game, LEADER, BACKWARD)
    act(game, LEADER, FORWARD)
    assert game.selected == []


def test_an_invalid_selection_stays_until_it_is_undone() -> None:
    game = new_game(2)
    line = line_of_free_hexes(game)
    cards = [Card(1, "red", "star"), Card(2, "red", "heart"), Card(3, "green", "plus")]
    put(game, dict(zip(line[1:4], cards, strict=True)))
    for _ in range(3):
        act(game, LEADER, FORWARD)
    assert game.score == 0
    assert len(game.selected) == 3
    assert not game.valid


def test_a_card_dealt_under_a_player_is_selected() -> None:
    game = new_game(2)
    line = line_of_free_hexes(game)
    put(
        game,
        {
            line[1]: Card(1, "red", "star"),
            line[2]: Card(2, "blue", "heart"),
            line[3]: Card(3, "green", "plus"),
        },
    )
    game.deal = lambda game, taken: {line[3]: Card(1, "pink", "cube")}
    for _ in range(3):
        act(game, LEADER, FORWARD)
    assert game.selected == [line[3]]


def test_a_turn_ends_when_its_time_is_up() -> None:
    game = new_game(0)
    act(game, LEADER, say("go"))
    act(game, LEADER, wait(44.9))
    assert game.role == LEADER
    act(game, LEADER, wait(0.1))
    assert (game.role, game.turns_left) == (FOLLOWER, 11)
    act(game, FOLLOWER, wait(15.0))
    assert (game.role, game.turns_left, len(game.queue)) == (LEADER, 10, 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "empty"), ("   ", "empty"), ("x" * 10_000, "at most 1000 characters, found 10000")],
)
def test_an_instruction_without_words_or_without_end_is_refused(text: str, words: str) -> None:
    game = new_game(0)
    before = game.digest()
    refused = act(game, LEADER, say(text))
    assert not refused.success
    assert words in refused.message
    assert game.digest() == before


def test_whoever_acts_out_of_turn_is_told_whose_turn_it_is() -> None:
    game = new_game(0)
    before = game.digest()
    assert act(game, FOLLOWER, FORWARD).message == "It is the leader's turn, not the follower's."
    act(game, LEADER, say("go"))
    act(game, LEADER, DONE)
    assert "follower's turn" in act(game, LEADER, say("no, stop")).message
    assert game.digest() != before


def test_an_unknown_action_names_those_there_are() -> None:
    assert "expected one of MF, MB" in act(new_game(0), LEADER, Action("FLY")).message


def test_an_interrupt_cancels_the_queue_and_needs_its_option() -> None:
    for allowed in (False, True):
        game = new_game(0, Options(interrupt=allowed))
        act(game, LEADER, say("one"))
        act(game, LEADER, say("two"))
        act(game, LEADER, DONE)
        assert act(game, LEADER, INTERRUPT).success == allowed
        assert (game.role == LEADER) == allowed
        assert [item.state for item in game.instructions] == ["cancelled" if allowed else "pending"] * 2


def test_feedback_and_questions_are_messages_if_the_game_has_them() -> None:
    game = new_game(0, Options(feedback=True, questions=True))
    act(game, LEADER, say("go"))
    act(game, LEADER, DONE)
    assert act(game, LEADER, Action("FEEDBACK", "", 1)).success
    assert act(game, FOLLOWER, Action("ASK", "which one?")).success
    assert game.messages == [(LEADER, "feedback", "good"), (FOLLOWER, "question", "which one?")]
    assert not act(new_game(0), LEADER, Action("FEEDBACK", "", 1)).success


def test_a_snapshot_restores_the_game_and_a_diff_names_what_changed() -> None:
    game = new_game(4)
    act(game, LEADER, say("get the three red hearts"))
    copy = restore(game.snapshot())
    assert copy.digest() == game.digest()
    assert copy.diff(game) == {}
    act(copy, LEADER, LEFT)
    assert set(copy.diff(game)) == {"heading", "steps"}
    assert game.copy().digest() == game.digest()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cards": [[0, 1, "red"]]}, "expected a snapshot"),
        ({"position": [-1, 4]}, "blocked or beyond the map"),
        ({"selected": [0]}, "expected hexes that hold a card"),
        ({"heading": [0, 9]}, "expected 0 to 5"),
    ],
)
def test_a_broken_snapshot_is_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(HousematesError, match=words):
        restore({**new_game(1).snapshot(), **change})


def test_sets_differ_in_everything() -> None:
    a, b, c = Card(1, "red", "star"), Card(2, "blue", "heart"), Card(3, "green", "plus")
    assert is_set([a, b, c])
    assert not is_set([a, b])
    assert not is_set([a, b, Card(3, "red", "plus")])
    assert not is_set([a, b, Card(2, "green", "plus")])
