"""Tables: one style, whole words, nothing cut, and every number of every benchmark explained."""

from __future__ import annotations

import pytest

from housemates.core import registry
from housemates.core.benchmark import Result
from housemates.reporting import tables
from housemates.reporting.evaluations import papers_rows, show_report
from housemates.reporting.words import heading, meanings, word

REPORT = {
    "agents": {"counter": "random"},
    "privileged": [],
    "pointing": [],
    "isolated": {},
    "options": {},
    "benchmark": "housemates/counting-v1",
    "split": "generated",
    "seed": 0,
    "episodes": 4,
    "errors": 0,
    "success": 50.0,
    "interval": (15.0, 85.0),
    "metrics": {"success": 50.0, "steps": 3.25},
    "tables": {"by the code": {"here": {"success": 75.0}}, "by task": {"odd": {"episodes": 4}}},
    "paper": {"people": {"success": 91.0}},
    "usage": {},
}


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_rows_are_printed_under_the_names_of_all_columns(capsys: pytest.CaptureFixture[str]) -> None:
    tables.show_rows([{"id": "kitchen-01", "things": 1104}, {"id": "kitchen-02", "share": 12.345}], "Rooms")
    assert printed(capsys) == [
        "",
        "Rooms",
        "id          things  share",
        "─────────────────────────",
        "kitchen-01   1,104",
        "kitchen-02           12.3",
    ]


def test_a_row_without_a_name_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    tables.show({"": {"episodes": 3}})
    assert printed(capsys)[-1].split() == ["3"]


def test_a_column_of_yes_and_no_has_no_unit(capsys: pytest.CaptureFixture[str]) -> None:
    tables.show_rows([{"level": 1, "success": True}, {"level": 2, "success": False}])
    assert [line.split() for line in printed(capsys)[1::2]] == [["level", "success"], ["1", "yes"]]


def test_no_word_of_a_heading_is_cut(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr(tables, "WIDTH", 50)
    names = ["success", "goal_conditions", "goal_conditions_weighted", "steps"]
    tables.show({"here": dict.fromkeys(names, 1.0)})
    lines = printed(capsys)
    words = {word for line in lines for word in line.split()}
    assert {part for name in names for part in heading(name).split()} <= words
    assert max(map(len, lines)) <= 50


def test_what_is_too_wide_follows_in_a_second_part_for_the_rows_that_have_it(monkeypatch, capsys) -> None:
    monkeypatch.setattr(tables, "WIDTH", 20)
    rows = {"here": {"first": 1, "second": 2, "third": 3}, "paper": {"first": 4}}
    tables.show(
        {name: {f"the {key} of them": value for key, value in row.items()} for name, row in rows.items()}
    )
    lines = printed(capsys)
    assert sum(line.startswith("here") for line in lines) == 2
    assert sum(line.startswith("paper") for line in lines) == 1


def test_long_words_are_broken_and_numbers_are_not(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr(tables, "WIDTH", 60)
    tables.show_rows([{"goal": "Put a clean mug into the coffee machine. " * 3, "acts": 123456789}])
    lines = printed(capsys)
    assert max(map(len, lines)) <= 60
    assert any("123,456,789" in line for line in lines)


def test_a_report_has_the_paper_beside_ours_and_explains_its_words(capsys) -> None:
    show_report(REPORT)
    lines = printed(capsys)
    assert "success 50.0 % (95 % interval 15.0 to 85.0), 4 episodes, 0 errors" in lines
    rows = {" ".join(line.split()) for line in lines}
    assert {"here 50.0 15.0 to 85.0 3.2", "here, by the code 75.0", "paper: people 91.0"} <= rows
    assert f"steps: {word('steps').means}" in rows


def test_what_agents_used_up_is_printed_for_each_role_and_together(capsys) -> None:
    """Walk 13: token counts were missing in the printed summary."""
    usage = {"leader": {"calls": 3.0, "tokens": 4500.0, "dollars": 0.0123}, "follower": {"calls": 2.0}}
    show_report({**REPORT, "usage": usage})
    rows = {" ".join(line.split()) for line in printed(capsys)}
    assert {"leader 3 4,500 0.0123", "follower 2", "together 5 4,500 0.0123"} <= rows


def test_only_the_papers_rows_that_belong_to_a_run_are_shown(capsys) -> None:
    """24 rows for one run: seven agents at four levels."""
    paper = {f"{who}, level {level}": {"success": 1.0} for who in ("human", "random") for level in (1, 2)}
    levels = {"by level": {"level 1": {"episodes": 1}, "level 2": {"episodes": 3}}}
    show_report({**REPORT, "agents": {"robot": "random"}, "paper": paper, "tables": levels})
    lines = "\n".join(printed(capsys))
    assert "paper: random, level 1" in lines and "human" not in lines
    assert "2 rows of the paper, of other agents or levels: see --json." in lines
    assert list(papers_rows({**REPORT, "agents": {"robot": "mine.py:Own"}})) == ["people"]


def test_what_is_not_scored_is_not_called_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    show_report({**REPORT, "success": None, "interval": None, "metrics": {"not_scored": 4}})
    said = "\n".join(printed(capsys))
    assert "not scored" in said
    assert "success" not in said


@pytest.mark.parametrize("name", [key for spec in registry.specs().values() for key in spec.benchmarks])
def test_every_number_of_an_evaluation_has_a_name_for_people(name: str) -> None:
    benchmark = registry.benchmark(name)
    summary = benchmark.summarise([Result("a", "", {"success": 1.0, "reference": 1.0})], "generated")
    for key in summary.metrics:
        assert word(key).said != key or "_" not in key
        assert meanings([key]) or key in ("median", "least", "most"), key
