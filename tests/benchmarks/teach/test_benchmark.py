"""EDH and TfD: doing what people did succeeds, doing anything at all does not, what is missing is counted."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from housemates.benchmarks.teach.edh import Edh, Tfd
from housemates.benchmarks.teach.following import FollowerSession, Given

from housemates.benchmarks.teach.files.instances import read_edh, write
from housemates.errors import HousematesError
from housemates.evaluation.runner import Run, evaluate, play
from housemates.files import read_text_lines, write_text_lines


@pytest.fixture(scope="module")
def games(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("games") / "few.jsonl.zst"
    lines = read_text_lines(real_data / "teach" / "valid_seen.jsonl.zst")
    write_text_lines(path, (text.strip() for _, text in islice(lines, 6)))
    return str(path)


@pytest.mark.parametrize(("name", "least"), [("teach-edh", 0.8), ("teach-tfd", 0.5)])
def test_the_oracle_does_most_of_it_and_chance_nothing(name: str, least: float, games: str) -> None:
    options = {"games": games, "size": 64}
    oracle = evaluate(Run(name, "oracle", "valid_seen", None, 0, options), workers=1, progress=False)
    chance = evaluate(Run(name, "random", "valid_seen", None, 0, options), workers=1, progress=False)
    assert oracle["episodes"] == chance["episodes"] >= 6
    assert oracle["success"] >= least
    assert chance["success"] <= 0.1


def test_an_instance_starts_where_people_were(games: str) -> None:
    benchmark = Edh(games)
    instance = benchmark.instances("valid_seen", 3, 0)[-1]
    session = benchmark.session(instance)
    observation = session.observe()
    assert observation.dialogue and observation.history
    assert observation.task is None and observation.world is None
    assert session.beginning.satisfied < session.beginning.total
    assert not session.act("Text").success
    assert session.act("Stop").success
    assert session.role is None


def test_a_perfect_replay_weighs_nothing_off(games: str) -> None:
    benchmark = Tfd(games)
    instance = benchmark.instances("valid_seen", 1, 0)[0]
    session, trace = play(benchmark, instance, benchmark.agents("oracle"))
    scores = benchmark.score(instance, session, trace)
    assert scores["success_length_weighted"] == scores["success"] == 1.0


def test_the_goal_of_tfd_is_what_changed_or_the_task(games: str) -> None:
    by_changes, by_task = (Tfd(games, goal=goal).instances("x", 1, 0)[0].data for goal in ("changes", "task"))
    assert isinstance(by_changes, Given) and isinstance(by_task, Given)
    assert by_changes.goal().name == "EDH"
    assert by_task.goal().name == by_task.definition["task_name"]
    assert FollowerSession(by_task, 32).beginning.total > 0
    with pytest.raises(HousematesError, match="goal: expected one of changes, task"):
        Tfd(games, goal="joy")


@pytest.mark.parametrize("name", ["teach-edh", "teach-tfd", "teach-tatc"])
def test_a_broken_game_is_a_failure_and_the_rest_goes_on(name: str, games: str, tmp_path: Path) -> None:
    (_, text), *_ = read_text_lines(games)
    path = tmp_path / "one_and_a_half.jsonl.zst"
    write_text_lines(path, [text.strip(), text.strip()[:2000]])
    agents = "idle" if name == "teach-tatc" else "stop"
    summary = evaluate(
        Run(name, agents, "x", None, 0, {"games": str(path), "size": 32}), workers=1, progress=False
    )
    assert summary["episodes"] >= 2
    assert summary["errors"] == 1
    assert summary["per_task"]["unknown"] == 0.0


def test_a_list_of_names_picks_instances(games: str, tmp_path: Path) -> None:
    everything = [each.id for each in Edh(games).instances("x", None, 0)]
    listed = tmp_path / "divided.txt"
    listed.write_text("\n".join(f"{name}.json" for name in everything[1:4]), encoding="utf-8")
    assert [each.id for each in Edh(games, only=str(listed)).instances("x", None, 0)] == everything[1:4]
    game = everything[0].split(".edh")[0]
    listed.write_text(f"{game}.game.json", encoding="utf-8")
    assert [each.id for each in Tfd(games, only=str(listed)).instances("x", None, 0)] == [f"{game}.tfd"]


def test_official_files_of_games_that_are_missing_are_failures(
    real_data: Path, games: str, tmp_path: Path
) -> None:
    edh = tmp_path / "two.jsonl.zst"
    write(edh, islice(read_edh(real_data / "teach" / "edh_samples.jsonl.zst"), 2))
    options = {"games": games, "edh": str(edh)}
    summary = evaluate(Run("teach-edh", "oracle", "train", None, 0, options), workers=1, progress=False)
    assert (summary["episodes"], summary["errors"], summary["success"]) == (2, 2, 0.0)


def test_official_files_are_played_in_their_games(real_data: Path, tmp_path: Path) -> None:
    edh = tmp_path / "one.jsonl.zst"
    (wanted,) = islice(read_edh(real_data / "teach" / "edh_samples.jsonl.zst"), 1)
    write(edh, [wanted])
    benchmark = Edh(str(real_data / "teach" / "train.jsonl.zst"), edh=str(edh))
    (instance,) = benchmark.instances("train", None, 0)
    session, _ = play(benchmark, instance, benchmark.agents("oracle"))
    assert isinstance(session, FollowerSession)
    assert session.progress().success
    assert [each.text for each in session.given.dialogue] == [text for _, text in wanted.dialog_history]
