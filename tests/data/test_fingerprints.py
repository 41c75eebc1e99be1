"""Fingerprints tell whether data are the same, without reading all of them."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from housemates.data import fingerprints
from housemates.data.fingerprints import by_name, fingerprint
from housemates.errors import HousematesError


def test_a_file_is_known_by_its_bytes_and_not_by_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"data")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.json").write_bytes(b"data")
    found = fingerprint(tmp_path / "a.json")
    assert (found.name, found.size, found.sha256) == ("a.json", 4, hashlib.sha256(b"data").hexdigest())
    assert fingerprint(tmp_path / "deep" / "a.json") == found


def test_of_a_large_file_the_beginning_the_end_and_the_size_count(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(fingerprints, "READ", 10)
    path = tmp_path / "large"
    seen = set()
    for content in (b"a" * 100, b"b" + b"a" * 99, b"a" * 99 + b"b", b"a" * 101):
        path.write_bytes(content)
        seen.add(fingerprint(path).sha256)
    assert len(seen) == 4


def test_a_folder_is_known_by_the_names_and_sizes_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "game").write_bytes(b"1")
    (tmp_path / "a").write_bytes(b"22")
    first = fingerprint(tmp_path)
    assert first.size == 2
    os.utime(tmp_path / "a", (0, 0))
    (tmp_path / ".hidden").write_bytes(b"x")
    assert fingerprint(tmp_path) == first
    (tmp_path / "b" / "game").write_bytes(b"333")
    assert fingerprint(tmp_path) != first


def test_what_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(HousematesError, match=r"gone: cannot be read \(No such file or directory\)\.$"):
        fingerprint(tmp_path / "gone")
    with pytest.raises(HousematesError, match=r"x00: no such file or folder\.$"):
        fingerprint(tmp_path / "\0")


def test_two_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for name in ("x", "y"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "games").write_text(name)
    first, second = (fingerprint(tmp_path / name / "games") for name in ("x", "y"))
    assert by_name([first, second]) == {"games": first.sha256, "games'": second.sha256}
