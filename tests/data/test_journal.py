"""What is finished of a long run is kept, and only what belongs to the same run is taken up again."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from housemates.data.journal import Journal, Lines, difference
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
    with pytest.raises(HousematesError, match=r'scores\.jsonl: line 3: \[1\]: .* found "half"'):
        Journal(path, RUN, Score).finished()


def test_another_run_is_refused(tmp_path: Path) -> None:
    list(Journal(tmp_path / "scores.jsonl", RUN, Score).keep(SCORES))
    with pytest.raises(HousematesError, match=r"the results of another run \(seed was 1, is now 2\); nam"):
        Journal(tmp_path / "scores.jsonl", {**RUN, "seed": 2}, Score).finished()


def test_without_a_file_nothing_is_kept() -> None:
    journal = Journal(None, RUN, Score)
    assert list(journal.keep(SCORES)) == SCORES
    assert journal.finished() == []


def test_a_header_that_was_cut_off_is_written_again(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    list(Journal(path, RUN, Score).keep([]))
    path.write_bytes(path.read_bytes()[:9])
    journal = Journal(path, RUN, Score)
    assert journal.finished() == []
    assert list(journal.keep(SCORES)) == SCORES
    assert Journal(path, RUN, Score).finished() == SCORES


@pytest.mark.parametrize("text", ["milk, bread", "milk, bread\n", '{"milk": 1}\n', "\x00\xff\n"])
def test_a_file_that_holds_no_results_is_refused_and_kept(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(HousematesError, match=r"notes\.txt"):
        Journal(path, RUN, Score).finished()
    assert path.read_text(encoding="latin-1") == text


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full disk to try")
def test_a_full_disk_and_an_unwritable_place_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(HousematesError, match=r"^/dev/full: cannot be written \(No space left on devi"):
        Lines(Path("/dev/full"), Score).append(SCORES[0])
    (tmp_path / "file").touch()
    with pytest.raises(HousematesError, match=r"cannot be written \((Not a directory|File exists)\)"):
        list(Journal(tmp_path / "file" / "scores.jsonl", RUN, Score).keep(SCORES))


def test_lines_can_be_arranged_anew(tmp_path: Path) -> None:
    lines = Lines[int](tmp_path / "numbers.jsonl", int)
    for number in range(5):
        lines.append(number)
    lines.arrange([3, 0, 4])
    assert list(lines) == [3, 0, 4]
    lines.append(7)
    lines.arrange([0, 1])
    assert list(lines) == [3, 0]
    lines.arrange([])
    assert list(lines) == []
    assert list(Lines[int](tmp_path / "gone", int)) == []


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        ({"a": 1}, {"a": 2}, "a was 1, is now 2"),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": "x"}}, 'a: c was not given, is now "x"'),
        ({"a": [1] * 99}, {"a": []}, "a was [1, 1, 1"),
    ],
)
def test_the_first_difference_is_told(before, now, said) -> None:
    assert difference(before, now).startswith(said)
    assert len(difference(before, now)) < 200
