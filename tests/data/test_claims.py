"""A place has one writer at a time, and nothing stays of those who died."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from housemates.data.claims import LOCK, claimed, holds_nothing
from housemates.errors import HousematesError
from housemates.files import whole_file

DYING = """
import os, sys, pathlib
from housemates.data.claims import claimed
from housemates.files import whole_file
out = pathlib.Path(sys.argv[1])
with claimed(folders=[out], files=[out / "pack.jsonl"]):
    with whole_file(out / "deep" / "a.json") as half, whole_file(out / "pack.jsonl") as pack:
        half.write_text("ha")
        pack.write_text("ha")
        os.kill(os.getpid(), 9)
"""


def names(folder: Path) -> list[str]:
    return sorted(each.relative_to(folder).as_posix() for each in folder.rglob("*"))


@pytest.mark.parametrize("how", ["folders", "files"])
def test_a_second_writer_is_refused_until_the_first_is_done(tmp_path: Path, how: str) -> None:
    place = tmp_path / "out"
    with claimed(**{how: [place]}):
        with pytest.raises(HousematesError, match="out: another run is writing there"):
            claimed(**{how: [place]}).__enter__()
        with claimed(**{how: [tmp_path / "other"]}):
            pass
    with claimed(**{how: [place]}):
        pass
    assert names(tmp_path) == []


def test_a_place_has_one_claim_by_whatever_links_it_is_reached(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with claimed(folders=[tmp_path / "real", tmp_path / "link", None]), pytest.raises(HousematesError):
        claimed(folders=[tmp_path / "link"]).__enter__()


def test_what_a_killed_writer_left_is_taken_away(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert subprocess.run([sys.executable, "-c", DYING, str(out)]).returncode == -9
    left = names(out)
    assert len(left) == 5
    assert not {"deep/a.json", "pack.jsonl"} & set(left)
    (out / ".other.jsonl.0a1b2c3d.part").touch()
    with claimed(files=[out / "pack.jsonl"]):
        assert not holds_nothing(out)
    assert (out / ".other.jsonl.0a1b2c3d.part").exists()
    with claimed(folders=[out]):
        assert names(out) == [LOCK, "deep"]
    assert names(out) == ["deep"]


def test_files_that_only_look_unfinished_are_left_alone(tmp_path: Path) -> None:
    kept = ["a.part", ".a.part", ".a.0a1b2c3.part", ".a.0a1b2c3d.jpg", "a.0a1b2c3d.part"]
    for name in kept:
        (tmp_path / name).touch()
    with claimed(folders=[tmp_path]):
        pass
    assert names(tmp_path) == sorted(kept)


def test_folders_made_for_nothing_are_taken_away_again(tmp_path: Path) -> None:
    with claimed(folders=[tmp_path / "a" / "b"]):
        assert holds_nothing(tmp_path / "a" / "b")
    assert names(tmp_path) == []
    with claimed(folders=[tmp_path / "a" / "b"]), whole_file(tmp_path / "a" / "b" / "c") as half:
        half.write_text("kept")
    assert names(tmp_path) == ["a", "a/b", "a/b/c"]


def test_what_is_no_folder_or_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for places, said in (
        ({"folders": [tmp_path / "file"]}, "file: expected a folder, found a file"),
        ({"files": [tmp_path]}, "expected a file, found a folder"),
        ({"folders": [tmp_path / "file" / "out"]}, r"out: cannot be written \("),
        ({"files": [tmp_path / ("x" * 300)]}, r"x: cannot be written \(File name too long\)"),
    ):
        with pytest.raises(HousematesError, match=said), claimed(**places):
            pass
    assert names(tmp_path) == ["file"]
