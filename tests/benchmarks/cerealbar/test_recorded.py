"""Evaluation on recorded games: the oracle is perfect, idlers and wanderers are not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from housemates.agents.cerealbar.baselines import OracleFollower
from housemates.benchmarks.cerealbar.benchmark import Recorded, RecordedOptions
from housemates.benchmarks.cerealbar.formats.episodes import Recording, to_json, write_recordings
from housemates.benchmarks.cerealbar.metrics import released, score_entry, table_row
from housemates.benchmarks.cerealbar.session import MOVES
from housemates.benchmarks.cerealbar.tasks.recorded import (
    MOST_ACTIONS,
    Entry,
    RecordedSession,
    Script,
    take_apart,
)
from housemates.cli.main import main
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.benchmark import Instance, Result
from housemates.core.episode import play
from housemates.core.loading import Seating, make_agent, seat_all
from housemates.core.percepts import Percept
from housemates.errors import HousematesError
from housemates.evaluation.runner import Run, evaluate


@pytest.fixture(scope="module")
def scripts(corpus: list[Recording]) -> list[Script]:
    return [script for script in map(take_apart, corpus) if script.completed]


def entry(script: Script, first: int) -> Instance:
    return Instance(f"{first}", "instruction", Entry(script.recording, first))


def begin(script: Script, ten_steps: bool = True) -> RecordedSession:
    """A session from the first instruction."""
    return RecordedSession(entry(script, script.completed[0]), Recorded.limits, ten_steps)


def results(scripts: list[Script], name: str, turns: str = "ten") -> list[Result]:
    benchmark = Recorded(RecordedOptions(turns=turns))  # type: ignore[arg-type]
    agent = make_agent(Recorded, "follower", Seating(name))
    found = []
    for script in scripts:
        for number, first in enumerate(script.completed):
            instance = replace(entry(script, first), tags={"entry": str(number)})
            session = benchmark.session(instance)
            trace = play(session, {"follower": agent}, instance)
            scores = benchmark.score(instance, session, trace)
            tags = dict(instance.tags)
            game, of = script.recording.id, len(script.completed)
            found.append(Result(instance.id, instance.task, scores, tags, source=game, of=of))
    return found


def test_the_static_oracle_is_perfect_under_recorded_turn_ends(scripts: list[Script]) -> None:
    row = table_row(results(scripts, "oracle", "recorded"))
    points = [len(script.taken) for script in scripts]
    assert row.pop("full_game_points") == pytest.approx(sum(points) / len(points), abs=0.01)
    assert set(row.values()) == {100.0}


def test_with_ten_steps_the_oracles_actions_are_right_but_the_world_may_differ(scripts: list[Script]) -> None:
    row = table_row(results(scripts, "oracle", "ten"))
    assert row["action_sequence"] == 100.0
    assert 90.0 <= row["card_state"] <= 100.0
    assert row["points_scored"] >= 80.0


def test_idlers_and_wanderers_score_next_to_nothing(scripts: list[Script]) -> None:
    for name in ("idle", "random"):
        row = table_row(results(scripts, name))
        assert row["points_scored"] < 8.0
        assert row["full_game_points"] < 0.5
        assert row["environment_state"] < 15.0


def test_the_english_follower_is_between_them_and_the_oracle(scripts: list[Script]) -> None:
    row = table_row(results(scripts[:3], "english"))
    assert row["card_state"] > 75.0
    assert row["points_scored"] > 35.0


def scored(game: str, number: int, of: int, **scores: float) -> Result:
    return Result(f"{game}/{number}", "instruction", scores, {"entry": str(number)}, source=game, of=of)


def test_the_released_definition_divides_by_all_sets_and_stops_at_the_first_failure() -> None:
    found = [
        scored("a", 0, 2, followed_in_a_row=1, points_of_the_game=0.5),
        scored("a", 1, 2, followed_in_a_row=1, points_of_the_game=0.0),
        scored("b", 0, 1, followed_in_a_row=0, points_of_the_game=0.0),
    ]
    assert released(found) == {"instructions_followed": 33.33, "points_scored": 16.67}


def test_an_entry_with_an_error_counts_as_nothing_in_every_number() -> None:
    good = {"card_state": 1.0, "points_scored": 1.0, "followed_in_a_row": 1.0, "full_game_points": 6.0}
    whole = table_row([scored("a", 0, 1, **good), scored("b", 0, 1, **good)])
    assert (whole["card_state"], whole["full_game_points"]) == (100.0, 6.0)
    half = [scored("a", 0, 1, **good), scored("b", 0, 1)]
    assert table_row(half) == {name: value / 2 for name, value in whole.items()}
    assert released(half)["instructions_followed"] == 50.0
    late = [scored("a", 0, 2, **good), scored("a", 1, 2)]
    assert table_row(late)["full_game_points"] == 6.0
    assert table_row(late)["card_state"] == 50.0


def test_points_made_before_an_entry_do_not_count_by_the_papers_definition(scripts: list[Script]) -> None:
    script = max(scripts, key=lambda script: len(script.taken))
    rows = [each.scores for each in results([script], "oracle", "recorded")]
    assert all(row["points_scored"] == 1.0 for row in rows if "points_scored" in row)
    assert rows[0]["points_of_the_game"] == 1.0
    late = [row for row in rows if row.get("points_scored")][-1]
    assert late["points_of_the_game"] < 1.0


def test_an_instruction_has_at_most_25_actions_or_as_many_as_recorded(scripts: list[Script]) -> None:
    script = scripts[0]
    session = begin(script)
    limit = max(MOST_ACTIONS, len(script.golds[script.completed[0]].actions))
    for _ in range(limit):
        assert len(session.executed) == 1
        session.act("TurnLeft")
    assert len(session.executed) == 2


def test_the_follower_of_a_recorded_game_cannot_speak(scripts: list[Script]) -> None:
    session = begin(scripts[0])
    assert [offer.name for offer in session.brief("follower").offers] == [*MOVES, "Done"]
    for nonsense in ("Say hello", "Ask where?", None, 7):
        assert not session.act(nonsense).success
    assert session.role == "follower"


def test_following_the_recorded_leader_as_recorded_earns_the_recorded_points(scripts: list[Script]) -> None:
    script = max(scripts, key=lambda script: len(script.taken))
    session = begin(script, ten_steps=False)
    before, total = session.game.score, 0.0
    names = {move: name for name, move in MOVES.items()} | {"DONE": "Done"}
    for name in [name for _, gold in sorted(script.golds.items()) for name in gold.actions]:
        session.act(names[name])
        total += session.reward("follower")
        if session.role is None:
            break
    assert total == script.recording.score - before


def test_a_set_that_was_not_recorded_ends_the_entry(scripts: list[Script]) -> None:
    session = begin(max(scripts, key=lambda script: len(script.taken)))
    assert session.deal(session.game, (1, 2, 3)) == {}
    assert session.invalid
    session.act("Done")
    assert session.role is None
    assert session.points == 0


def test_a_follower_who_is_always_refused_comes_to_the_limit_of_failures(scripts: list[Script]) -> None:
    class Stubborn(Agent):
        def act(self, percept: Percept) -> str:
            return "Fly"

    session = begin(scripts[0])
    trace = play(session, {"follower": Stubborn()})
    assert (trace.ended, trace.failures) == ("failures", Recorded.limits.failures)


def test_the_runner_evaluates_recorded_games() -> None:
    run = Run("cerealbar-recorded", seat_all(Recorded, ["oracle"], {}), "generated", 12, 5)
    report = evaluate(run, workers=1, progress=False)
    assert (report["episodes"], report["errors"], report["privileged"]) == (12, 0, ["follower"])
    assert report["metrics"]["action_sequence"] == 100.0
    assert report["success"] == report["metrics"]["card_state"]
    assert report["paper"]["static oracle"]["points_scored"] == 97.9


def test_a_store_is_listed_without_being_read_and_opened_game_by_game(
    corpus: list[Recording], tmp_path: Path
) -> None:
    write_recordings(tmp_path / "test.jsonl.zst", corpus)
    benchmark = Recorded(RecordedOptions(data=tmp_path))
    references = list(benchmark.references("test", 0))
    assert [each.id for each in references] == [f"test-{line}" for line in range(1, 9)]
    for number in (5, 2):
        instances = benchmark.open(references[number])
        assert {each.tags["game"] for each in instances} == {corpus[number].id}
        assert [each.data.first for each in instances] == take_apart(corpus[number]).completed
        assert [each.tags["entry"] for each in instances] == [str(i) for i in range(len(instances))]
    assert benchmark.files() == [tmp_path / "test.jsonl.zst"]


def test_an_entry_can_be_written_and_read(scripts: list[Script]) -> None:
    data = Entry(scripts[0].recording, scripts[0].completed[0])
    read = msgspec.msgpack.decode(msgspec.msgpack.encode(data), type=Recorded.Data)
    assert to_json(read.recording) == to_json(data.recording)
    again = RecordedSession(Instance("x", "instruction", read), Recorded.limits)
    assert again.digest() == begin(scripts[0]).digest()


@pytest.mark.parametrize("split", ["development", "typo"])
def test_a_split_that_is_not_there_names_those_that_are(
    split: str, corpus: list[Recording], tmp_path: Path
) -> None:
    write_recordings(tmp_path / "train.jsonl.zst", corpus[:1])
    with pytest.raises(HousematesError, match=rf"expected one of train, generated .*found '{split}'"):
        Recorded(RecordedOptions(data=tmp_path)).references(split, 0)


def test_one_command_puts_all_followers_beside_the_papers(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--split", "generated", "--limit", "1", "--seed", "5", "--workers", "1", "--json"]
    main(["verify", "cerealbar", *flags])
    report = json.loads(capsys.readouterr().out)
    assert (report["games"], report["errors"]) == (1, 0)
    oracle = report["table"]["static oracle, recorded turn ends"]
    assert oracle["instructions_followed"] == oracle["points_scored"] == 100.0
    assert report["table"]["does nothing"]["full_game_points"] == 0.0
    assert report["table"]["paper: full model (test)"]["points_scored"] == 17.9


def test_gold_actions_are_moves_and_one_done(scripts: list[Script]) -> None:
    for script in scripts:
        for number in script.completed:
            actions = script.golds[number].actions
            assert actions[-1] == "DONE"
            assert set(actions[:-1]) <= set(MOVES.values())
            session = RecordedSession(entry(script, number), Recorded.limits)
            assert score_entry(script, number, session)["instructions_followed"] <= 1.0


def test_the_oracle_needs_to_see_the_instance(scripts: list[Script]) -> None:
    trace = play(begin(scripts[0]), {"follower": OracleFollower()})
    assert trace.ended == "error"
    assert "privileged" in trace.error
    session = begin(scripts[0])
    agent = OracleFollower()
    agent.observe_privileged(entry(scripts[0], scripts[0].completed[0]), session)
    assert isinstance(agent.act(session.observe()), Act)
