"""What is finished of a long run is kept, and only what belongs to the same run is taken up again."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from housemates.data.journal import Journal
from housemates.errors import HousematesError


class Score(NamedTuple):
    """A result."""

    name: str
    points: float


RUN = {"files": [Path("a.json")], "seed": 1}
SCORES = [Score("one", 1.0), Score("two", 0.5)]


def test_results_are_read_back_as_they_were_kept(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "new" / "scores.jsonl", RUN, Score)
    assert journal.finished() == []
    assert list(journal.keep(SCORES)) == SCORES
    assert journal.finished() == SCORES


def test_a_line_that_was_cut_off_is_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    list(Journal(path, RUN, Score).keep(SCORES))
    path.write_text(path.read_text()[:-4])
    assert Journal(path, RUN, Score).finished() == SCORES[:1]
    list(Journal(path, RUN, Score).keep(SCORES[1:]))
    assert Journal(path, RUN, Score).finished() == SCORES


def test_a_broken_result_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    list(Journal(path, RUN, Score).keep(SCORES))
    path.write_text(path.read_text().replace("0.5", '"half"'))
    with pytest.raises(HousematesError, match=r"scores\.jsonl: line 3: expected a result"):
        Journal(path, RUN, Score).finished()


def test_another_run_is_refused(tmp_path: Path) -> None:
    list(Journal(tmp_path / "scores.jsonl", RUN, Score).keep(SCORES))
    with pytest.raises(HousematesError, match="holds the results of another run"):
        Journal(tmp_path / "scores.jsonl", {**RUN, "seed": 2}, Score).finished()


def test_without_a_file_nothing_is_kept() -> None:
    journal = Journal(None, RUN, Score)
    assert list(journal.keep(SCORES)) == SCORES
    assert journal.finished() == []
