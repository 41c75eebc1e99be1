"""What commands print: one JSON object, or lines that a person reads."""

from __future__ import annotations

import json

import pytest

from housemates.reporting.facts import show_facts, told

FACTS = {"in_store": 1482, "moves": {"n": 18135, "agree": 17984, "share": 0.9917}, "note": None}


def test_json_is_one_object_and_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    show_facts(FACTS, as_json=True, skipped=[("a", "broken")])
    assert json.loads(capsys.readouterr().out) == FACTS


def test_people_read_a_line_a_fact_and_what_was_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    show_facts(FACTS, skipped=[("a", "broken")])
    assert capsys.readouterr().out.splitlines() == [
        "in the store  1,482",
        "moves         99.2 % (17,984 of 18,135; 95 %: 99.0 to 99.3)",
        "note          -",
        "skipped a: broken",
    ]


def test_a_long_fact_is_broken_into_lines_that_stand_below_one_another(capsys) -> None:
    show_facts({"tasks": {f"Task number {number}": number for number in range(9)}})
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("tasks  Task number 0 0, ")
    assert second.startswith("       ") and second[7] != " "
    assert len(first) <= 100


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (["a", "b"], "a, b"),
        ([], "none"),
        ({}, "none"),
        (True, "yes"),
        (0.25, "0.2"),
        ({"Mug": 0.5, "Cup": 1}, "Mug 0.5, Cup 1"),
        ({"n": 0, "agree": 0, "share": None}, "there are none"),
        (
            {"n": 4, "agree": 1, "share": 0.25, "siblings": 2},
            "25.0 % (1 of 4; 95 %: 4.6 to 69.9); 2 on another piece of the same whole",
        ),
    ],
)
def test_values_are_told_without_brackets(value: object, words: str) -> None:
    assert told(value) == words


def test_shares_are_told_in_percent_where_their_name_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    show_facts({"mask_iou": 0.537, "commonest_objects": {"Potato": 0.047}})
    assert [line.split("  ")[-1] for line in capsys.readouterr().out.splitlines()] == [
        "53.7 %",
        "Potato 4.7 %",
    ]
