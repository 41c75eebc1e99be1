"""The fidelity index: what it says of recorded people, of others like them, and of the wholly unlike."""

from __future__ import annotations

from collections import Counter

import pytest

from housemates.evaluation.fidelity import GROUPS, Session, distance, score

MEASURES = [each for group in GROUPS.values() for each in group]


def _sessions(values: list[str]) -> list[Session]:
    return [
        Session(str(at), {each: Counter([value]) for each in MEASURES}) for at, value in enumerate(values)
    ]


def test_people_are_as_far_from_themselves_as_their_halves() -> None:
    people = _sessions(["a", "b", "c", "a"] * 20)
    assert score(people, people).overall == pytest.approx(100, abs=3)


def test_who_shares_nothing_with_people_scores_nothing() -> None:
    assert score(_sessions(["x"] * 20), _sessions(["a", "b"] * 20)).overall == 0


def test_who_does_half_of_what_people_do_scores_about_half() -> None:
    found = score(_sessions(["a"] * 40), _sessions(["a", "b"] * 40))
    assert 40 < found.overall < 65 and set(found.groups) == set(GROUPS)


def test_distance_is_total_variation() -> None:
    assert distance({"a": 3, "b": 1}, {"a": 1, "b": 3}) == 0.5
    assert distance({}, {"a": 1}) == 1 and distance({}, {}) == 0
