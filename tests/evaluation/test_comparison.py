"""Two runs beside each other, and campaigns of many."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from housemates.cli.main import main
from housemates.core import registry
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
    assert found.differs == ['agents: counter: name was "good", is now "bad"']
    assert (found.episodes, found.only, found.gained) == (20, (0, 0), [])
    assert found.lost == [f"count-{number}" for number in range(1, 20)]
    success = found.numbers["success"]
    assert (success.first, success.second, success.difference) == (100.0, 5.0, -95.0)
    assert success.more_than_chance
    assert success.interval[0] <= -95.0 <= success.interval[1]
    same = compare(tmp_path / "good", tmp_path / "good")
    assert same.differs == []
    assert not same.numbers["success"].more_than_chance


def test_two_episodes_are_too_few_whatever_came_of_them(counting, tmp_path: Path, capsys) -> None:
    """Walk 6: `p 0, more than chance yes` for 0 -> 100 in two episodes."""
    for agent in ("good", "bad"):
        evaluate(counting.run_of(agent, episodes=3), workers=1, out=tmp_path / agent)
    success = compare(tmp_path / "bad", tmp_path / "good").numbers["success"]
    assert (success.p, success.more_than_chance) == (1.0, None)
    main(["compare", str(tmp_path / "bad"), str(tmp_path / "good")])
    assert "too few to tell" in " ".join(capsys.readouterr().out.split())


def test_every_seat_that_differs_is_named(counting, tmp_path: Path) -> None:
    evaluate(counting.run_of("good", episodes=1), workers=1, out=tmp_path / "a")
    header = read_header(tmp_path / "a")
    seat = header.agents["counter"]
    first, second = (
        replace(header, agents={role: replace(seat, name=name) for role in ("leader", "follower")})
        for name in ("first", "random")
    )
    one = [Result("a", "", {"success": 1.0})]
    assert compared(first, second, one, one).differs == [
        'agents: leader: name was "first", is now "random"',
        'agents: follower: name was "first", is now "random"',
    ]


@pytest.mark.parametrize("name", ["handmethat", "alfred", "teach-tatc", "cerealbar"])
def test_a_number_is_the_same_in_eval_and_compare(name: str, counting, tmp_path: Path, monkeypatch) -> None:
    """Walk 11: `moves` was that of solved episodes in one, of all in the other."""
    evaluate(counting.run_of("good", episodes=1), workers=1, out=tmp_path / "a")
    header = read_header(tmp_path / "a")
    monkeypatch.undo()
    names = ("success", "goal_conditions", "score", "moves", "questions", "points", "turns", "steps")
    names += ("instructions", "success_weighted", "goal_conditions_weighted", "utterances", "leaks")
    results = [
        Result(str(number), "level 1", dict.fromkeys(names, 0.5) | {"success": won, "moves": 4 + 6 * won})
        for number, won in enumerate((0.0, 1.0, 1.0))
    ]
    benchmark = registry.benchmark(name)
    metrics = benchmark.summarise(results, "generated").metrics
    numbers = compared(header, header, results, results).numbers
    shared = metrics.keys() & numbers.keys()
    assert "success" in shared
    assert {key: numbers[key].first for key in shared} == {key: pytest.approx(metrics[key]) for key in shared}


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
    assert together["points"].second == apart["points"].second == 0.25
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
