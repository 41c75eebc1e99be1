"""What commands print: one JSON object, or lines that a person reads."""

from __future__ import annotations

import json

import pytest

from housemates.reporting.facts import show_facts, told
from housemates.reporting.tables import show_rows

FACTS = {"in_store": 1482, "moves": {"n": 18135, "agree": 17984, "share": 0.9917}, "note": None}


def test_json_is_one_object_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    show_facts(FACTS, as_json=True, skipped=[("a", "broken")])
    assert json.loads(capsys.readouterr().out) == FACTS


def test_people_read_a_line_a_fact_and_what_was_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    show_facts(FACTS, skipped=[("a", "broken")])
    assert capsys.readouterr().out.splitlines() == [
        "in store: 1,482",
        "moves: 99.2 % of 18,135",
        "note: -",
        "skipped a: broken",
    ]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (["a", "b"], "a, b"),
        ([], "none"),
        (True, "yes"),
        (0.25, "0.25"),
        ({"Mug": 0.5, "Cup": 1}, "Mug 0.5, Cup 1"),
        ({"n": 0, "agree": 0, "share": None}, "none of 0"),
        ({"n": 4, "agree": 1, "share": 0.25, "siblings": 2}, "25.0 % of 4, siblings 2"),
    ],
)
def test_values_are_told_without_brackets(value: object, words: str) -> None:
    assert told(value) == words


def test_rows_are_printed_under_the_names_of_all_columns(capsys: pytest.CaptureFixture[str]) -> None:
    show_rows([{"id": "kitchen-01", "things": 104}, {"id": "kitchen-02", "share": 12.345}], "Rooms")
    said = capsys.readouterr().out
    assert said.split()[:4] == ["Rooms", "id", "things", "share"]
    assert "kitchen-02" in said and "12.3" in said
