"""Single lines of packed files, read in one go as long as their numbers rise."""

from __future__ import annotations

from pathlib import Path

import pytest

from housemates.data import packs
from housemates.data.packs import Place, read_place
from housemates.errors import HousematesError
from housemates.files import write_text


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.zst"])
def test_lines_are_found_by_their_numbers_forwards_and_back(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_text(path, "one\n\nthree\nfour\n")
    wanted = [(1, "one"), (3, "three"), (3, "three"), (4, "four"), (1, "one")]
    assert [read_place(str(path), line).strip() for line, _ in wanted] == [text for _, text in wanted]


def test_going_forwards_opens_a_file_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    write_text(path, "".join(f"{number}\n" for number in range(1, 50)))
    opened = []
    reading = packs.read_text_lines
    monkeypatch.setattr(packs, "read_text_lines", lambda each: opened.append(each) or reading(each))
    for line in range(1, 50, 3):
        assert read_place(str(path), line) == f"{line}\n"
    assert len(opened) == 1
    read_place(str(path), 2)
    assert len(opened) == 2


def test_a_file_of_its_own_is_read_whole(tmp_path: Path) -> None:
    write_text(tmp_path / "b.json", "{}\n")
    assert read_place(*Place(str(tmp_path / "b.json"))) == "{}\n"


def test_a_line_that_is_not_there_is_named(tmp_path: Path) -> None:
    write_text(tmp_path / "a.jsonl", "one\n\nthree\n")
    for line in (2, 9):
        with pytest.raises(HousematesError, match=f"there is no line {line}"):
            read_place(str(tmp_path / "a.jsonl"), line)
    assert read_place(str(tmp_path / "a.jsonl"), 3) == "three\n"


def test_few_files_are_kept_open(tmp_path: Path) -> None:
    for number in range(2 * packs.OPEN):
        write_text(tmp_path / f"{number}.jsonl", f"{number}\n")
        assert read_place(str(tmp_path / f"{number}.jsonl"), 1) == f"{number}\n"
    assert len(packs._open.cursors) <= packs.OPEN
