"""Two runs beside each other, and campaigns of many."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from housemates.cli.main import main
from housemates.core.benchmark import Result
from housemates.errors import HousematesError
from housemates.evaluation.campaign import read_campaign
from housemates.evaluation.comparison import compare, compared
from housemates.evaluation.results import read_header
from housemates.evaluation.runner import evaluate

CAMPAIGN = """
[[runs]]
benchmarks = ["counting"]
agents = ["good", "counter=bad"]
seeds = [0, 1]
episodes = 3
"""


def test_what_changed_is_told_with_its_chance(counting, tmp_path: Path) -> None:
    for agent in ("good", "bad"):
        evaluate(counting.run_of(agent, episodes=20), workers=1, out=tmp_path / agent)
    found = compare(tmp_path / "good", tmp_path / "bad")
    assert found.decided == 'agents: counter: name was "good", is now "bad"'
    assert (found.episodes, found.only, found.gained) == (20, (0, 0), [])
    assert found.lost == [f"count-{number}" for number in range(1, 20)]
    success = found.numbers["success"]
    assert (success.first, success.second, success.difference) == (100.0, 5.0, -95.0)
    assert success.more_than_chance
    assert success.interval[0] <= -95.0 <= success.interval[1]
    same = compare(tmp_path / "good", tmp_path / "good")
    assert same.decided == ""
    assert not same.numbers["success"].more_than_chance


def told(game: str, **scores: float) -> Result:
    return Result(f"{game} {len(scores)}", "counting", scores, {"game": game})


def test_episodes_of_a_game_are_drawn_together_and_count_where_they_have_a_number(counting, tmp_path) -> None:
    evaluate(counting.run_of("good", episodes=1), workers=1, out=tmp_path / "a")
    header = read_header(tmp_path / "a")
    games = [str(number) for number in range(10)]
    before = [each for game in games for each in (told(game, success=0), told(game, success=0, points=0))]
    better = [each for game in games for each in (told(game, success=1), told(game, success=1, points=0.5))]
    now = [*better[:10], *before[10:]]
    apart, together = (compared(header, header, before, now, by=by).numbers for by in ("", "game"))
    assert together["points"].second == apart["points"].second == 25.0
    widths = [high - low for low, high in (each["success"].interval for each in (apart, together))]
    assert widths[1] == pytest.approx(widths[0] * 2**0.5, rel=0.2)
    with pytest.raises(HousematesError, match=r"--by: expected a tag of the episodes \(game\), found 'map'"):
        compared(header, header, before, now, by="map")


def test_runs_of_other_episodes_are_refused(counting, tmp_path: Path) -> None:
    for seed in (0, 1):
        evaluate(counting.run_of("good", episodes=2, seed=seed), workers=1, out=tmp_path / str(seed))
    with pytest.raises(HousematesError, match="are about other episodes"):
        compare(tmp_path / "0", tmp_path / "1")
    with pytest.raises(HousematesError, match="expected a folder of results"):
        compare(tmp_path / "0", tmp_path / "2")


def test_a_campaign_is_run_by_one_command_and_goes_on(counting, tmp_path: Path, capsys) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(CAMPAIGN)
    words = ["campaign", str(plan), "--out", str(tmp_path / "runs"), "--workers", "1", "--json"]
    main(words)
    found = json.loads(capsys.readouterr().out)
    assert list(found) == [
        "counting-generated-good-0",
        "counting-generated-good-1",
        "counting-generated-counter-bad-0",
        "counting-generated-counter-bad-1",
    ]
    kept = {each: (tmp_path / "runs" / each / "episodes.jsonl").read_bytes() for each in found}
    main(words)
    assert json.loads(capsys.readouterr().out) == found
    assert kept == {each: (tmp_path / "runs" / each / "episodes.jsonl").read_bytes() for each in found}


def test_a_campaign_can_be_tried_with_few_episodes(counting, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(CAMPAIGN)
    assert {each.run.episodes for each in read_campaign(plan, 2)} == {2}
    assert {each.run.episodes for each in read_campaign(plan, 9)} == {3}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"counting"', '"conting"', "Unknown benchmark 'conting': did you mean"),
        ("counter=bad", "conter=bad", "has no role 'conter'"),
        ("seeds", "sedes", r"runs\[0\]: there is no field 'sedes'"),
        ("[0, 1]", "[0, 0]", "is listed twice"),
        ("[0, 1]", "[-1]", r"runs\[0\].seeds\[0\]: expected a whole number of at least 0, found -1"),
        ("= 3", "= 3\nact_timeout = nan", "act_timeout: expected a number of at least 0.001, found NaN"),
        ("= 3", "= 3\noptions = " + "[" * 5000, "too deep to read"),
        ("[[runs]]", "[[runs", "expected TOML"),
    ],
)
def test_a_mistake_in_a_campaign_is_one_sentence(counting, tmp_path: Path, old, new, said) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(CAMPAIGN.replace(old, new))
    with pytest.raises(HousematesError, match=said):
        read_campaign(plan)
