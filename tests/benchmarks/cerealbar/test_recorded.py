"""Evaluation on recorded games: the oracle is perfect, idlers and wanderers are not."""

from __future__ import annotations

import json

import pytest

from housemates.benchmarks.base import Instance
from housemates.benchmarks.cerealbar.benchmark import Games, Recorded
from housemates.benchmarks.cerealbar.files.episodes import Recording
from housemates.benchmarks.cerealbar.metrics import released, score_example, table_row
from housemates.benchmarks.cerealbar.tasks.recorded import MOST_ACTIONS, RecordedSession, Script, take_apart
from housemates.benchmarks.cerealbar.world.state import MOVES
from housemates.cli.main import main
from housemates.errors import HousematesError
from housemates.evaluation.runner import Run, evaluate, play


@pytest.fixture(scope="module")
def scripts(corpus: list[Recording]) -> list[Script]:
    return [script for script in map(take_apart, corpus) if script.completed]


class Held:
    """An instance's data that holds its script."""

    def __init__(self, script: Script, first: int) -> None:
        self.held, self.first = script, first

    def script(self) -> Script:
        return self.held


def scores(scripts: list[Script], name: str, turns: str = "ten") -> list[list[dict[str, float]]]:
    benchmark = Recorded(turns=turns)
    found = []
    for script in scripts:
        rows = []
        for first in script.completed:
            instance = Instance(f"{first}", script.recording.id, Held(script, first), first)
            session, trace = play(benchmark, instance, benchmark.agents(name))
            rows.append(benchmark.score(instance, session, trace))
        found.append(rows)
    return found


def flat(games: list[list[dict[str, float]]]) -> list[dict[str, float]]:
    return [row for game in games for row in game]


def test_the_static_oracle_is_perfect_under_recorded_turn_ends(scripts: list[Script]) -> None:
    row = table_row(flat(scores(scripts, "oracle", "recorded")))
    points = [len(script.taken) for script in scripts]
    assert row.pop("full game points") == pytest.approx(sum(points) / len(points), abs=0.01)
    assert set(row.values()) == {100.0}


def test_with_ten_steps_the_oracles_actions_are_right_but_the_world_may_differ(scripts: list[Script]) -> None:
    row = table_row(flat(scores(scripts, "oracle", "ten")))
    assert row["action sequence"] == 100.0
    assert 90.0 <= row["card state"] <= 100.0
    assert row["points scored"] >= 80.0


def test_idlers_and_wanderers_score_next_to_nothing(scripts: list[Script]) -> None:
    for name in ("idle", "random"):
        row = table_row(flat(scores(scripts, name)))
        assert row["points scored"] < 8.0
        assert row["full game points"] < 0.5
        assert row["environment state"] < 15.0


def test_the_english_follower_is_between_them_and_the_oracle(scripts: list[Script]) -> None:
    row = table_row(flat(scores(scripts[:3], "english")))
    assert row["card state"] > 75.0
    assert row["points scored"] > 35.0


def test_the_released_definition_divides_by_all_sets_and_stops_at_the_first_failure() -> None:
    def row(in_a_row: float, left: float, points: float) -> dict[str, float]:
        return {"followed in a row": in_a_row, "instructions left": left, "points of the game": points}

    games = [[row(1, 2, 0.5), row(1, 1, 0.0)], [row(0, 1, 0.0)]]
    assert released(games) == {"instructions followed": 33.33, "points scored": 16.67}


def test_points_made_before_an_example_do_not_count_by_the_papers_definition(scripts: list[Script]) -> None:
    script = max(scripts, key=lambda script: len(script.taken))
    games = scores([script], "oracle", "recorded")
    assert all(row["points scored"] == 1.0 for row in games[0] if "points scored" in row)
    assert games[0][0]["points of the game"] == 1.0
    late = [row for row in games[0] if row.get("points scored")][-1]
    assert late["points of the game"] < 1.0


def test_an_instruction_has_at_most_25_actions_or_as_many_as_recorded(scripts: list[Script]) -> None:
    script = scripts[0]
    session = RecordedSession(script, script.completed[0])
    limit = max(MOST_ACTIONS, len(script.golds[script.completed[0]].actions))
    for _ in range(limit):
        assert len(session.executed) == 1
        session.act("RL")
    assert len(session.executed) == 2


def test_the_follower_of_a_recorded_game_cannot_speak(scripts: list[Script]) -> None:
    session = RecordedSession(scripts[0], scripts[0].completed[0])
    assert not session.act("SAY").success
    assert not session.act(None).success
    assert session.role == "follower"


def test_a_set_that_was_not_recorded_ends_the_example(scripts: list[Script]) -> None:
    script = max(scripts, key=lambda script: len(script.taken))
    session = RecordedSession(script, script.completed[0])
    assert session.deal(session.game, (1, 2, 3)) == {}
    assert session.invalid
    session.act("DONE")
    assert session.role is None
    assert session.points == 0


def test_the_runner_evaluates_whole_games_and_recorded_ones() -> None:
    whole = evaluate(Run("cerealbar", "planner", "generated", 2), workers=1, progress=False)
    assert whole["games"] == 2
    assert whole["score"] >= 12
    recorded = evaluate(Run("cerealbar-recorded", "oracle", "generated", 2, 5), workers=1, progress=False)
    assert recorded["table"]["this follower"]["action sequence"] == 100.0
    assert recorded["table"]["static oracle (dev)"]["points scored"] == 97.9
    assert recorded["errors"] == 0


def test_one_command_puts_all_followers_beside_the_papers(capsys: pytest.CaptureFixture[str]) -> None:
    main(
        [
            "verify",
            "cerealbar",
            "--split",
            "generated",
            "--episodes",
            "1",
            "--seed",
            "5",
            "--workers",
            "1",
            "--json",
        ]
    )
    table = json.loads(capsys.readouterr().out)["table"]
    oracle = table["static oracle, recorded turn ends"]
    assert oracle["instructions followed"] == oracle["points scored"] == 100.0
    assert table["does nothing"]["full game points"] == 0.0
    assert table["paper: full model (test)"]["points scored"] == 17.9


@pytest.mark.parametrize(
    ("options", "words"), [({"view": "psychic"}, "full, partial"), ({"turns": "endless"}, "ten, recorded")]
)
def test_an_unknown_option_names_those_there_are(options: dict[str, str], words: str) -> None:
    with pytest.raises(HousematesError, match=words):
        Recorded(**options)


def test_an_action_that_makes_no_sense_is_a_failed_one() -> None:
    session = Games().session(Instance("x", "game", None, 0))
    for nonsense in (None, 7, "FLY", ("MF",)):
        assert not session.act(nonsense).success
    assert session.act("RL").success


def test_gold_actions_are_moves_and_one_done(scripts: list[Script]) -> None:
    for script in scripts:
        for number in script.completed:
            actions = script.golds[number].actions
            assert actions[-1] == "DONE"
            assert set(actions[:-1]) <= set(MOVES)
            assert (
                score_example(script, number, RecordedSession(script, number))["instructions followed"] <= 1.0
            )
