"""The original engine's answers, step by step, and files that are not as they should be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fixtures.alfworld import made
from housemates.benchmarks.alfworld.formats.agreement import verify
from housemates.benchmarks.alfworld.formats.games import read_game
from housemates.benchmarks.alfworld.formats.places import places
from housemates.data.records import Skipped
from housemates.errors import HousematesError


def test_every_recorded_answer_of_the_original_comes_out_the_same(real_data: Path) -> None:
    folder, skipped = real_data / "alfworld", list[Skipped]()
    if not folder.is_dir():
        pytest.skip(f"no games of ALFWorld at {folder}")
    found = verify(folder / "games.jsonl.zst", folder / "traces.jsonl.zst", skipped)
    assert (found.steps, found.games, found.told, skipped) == (7212, 111, [], [])


def test_a_difference_is_counted_and_told(tmp_path: Path) -> None:
    (tmp_path / "game.tw-pddl").write_text(made(0).text, encoding="utf-8")
    play_intro = {"obs": "something else", "adm": ["look"], "won": False}
    trace = {"game": tmp_path.name, "intro": play_intro, "steps": []}
    lines = [json.dumps(each) for each in (trace, {**trace, "game": "another"}, {})]
    (tmp_path / "traces.jsonl").write_text("\n".join(lines), encoding="utf-8")
    skipped = list[Skipped]()
    found = verify(tmp_path / "game.tw-pddl", tmp_path / "traces.jsonl", skipped)
    assert (found.traces, found.differences) == (1, 2)
    assert "expected 'something else'" in found.told[0]
    assert [each.name.rpartition(" ")[2] for each in skipped] == ["2", "3"]


WRONG = {
    "another rule": (
        "pddl_domain",
        "(pickupable ?o) (atLocation ?a ?l)",
        "(atLocation ?a ?l)",
        "pickupobject",
    ),
    "an action more": ("pddl_domain", "(:action look\n", "(:action fly\n", "fly"),
    "a goal without an end": (
        "pddl_problem",
        "(:goal (and",
        "(:goal ((and",
        "a list stands where",
    ),
    "a goal about nothing": ("pddl_problem", "(:goal (and", "(:goal (and (isHot ?x)", r"what \?x is"),
    "a goal that is no formula": ("pddl_problem", "(:goal (and", "(:goal (and (exists) ", "cannot be read"),
    "a fact about nothing": ("pddl_problem", "(:init", "(:init (holds agent1)", "fits nothing"),
    "no start": ("pddl_problem", "(atLocation agent1", "(wasAtLocation agent1", "one agent at one place"),
    "a word without a rule": ("grammar", "#task#", "#asked#", "no rule 'asked'"),
    "no task": ("grammar", '"task"', '"job"', "no rule .task."),
    "a condition of its own": ("grammar", "holdsany(a:agent)", "likes(a:agent)", "unknown predicate likes"),
    "an expression": ("grammar", "{r.name}", "{r.name.upper()}", "expression that is not understood"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_game_of_an_unknown_kind_is_refused_in_one_sentence(wrong: str) -> None:
    field, old, new, said = WRONG[wrong]
    game = json.loads(made(0).text)
    assert old in game[field]
    game[field] = game[field].replace(old, new, 1)
    with pytest.raises(HousematesError, match=f"^mine: .*({said})") as refused:
        read_game(json.dumps(game), "mine")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "[]", '{"pddl_domain": 3}', "{" * 100_000, "\x00"])
def test_what_is_no_game_file_is_refused(text: str) -> None:
    with pytest.raises(HousematesError, match=r"^mine: "):
        read_game(text, "mine")


def test_games_are_found_one_at_a_time_without_those_that_cannot_be_solved(tmp_path: Path) -> None:
    for name in ("valid_seen/pick_two_obj_and_place-1", "train/a", "train/b-movable-c", "train/unsolvable"):
        (tmp_path / name).mkdir(parents=True)
        text = made(0).text
        if name.endswith("unsolvable"):
            text = text.replace('"solvable": true', '"solvable": false')
        (tmp_path / name / "game.tw-pddl").write_text(text, encoding="utf-8")
    found = places(tmp_path)
    assert next(found).name == "train/a"
    assert [(each.name, each.split) for each in found] == [
        ("valid_seen/pick_two_obj_and_place-1", "valid_seen")
    ]
