"""Files are whole or not there, and readable by others."""

from __future__ import annotations

from pathlib import Path

import pytest

from housemates.errors import HousematesError
from housemates.files import file_name, read_json, read_lines, write_json, write_lines, write_text


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.zst"])
def test_lines_are_read_back_with_their_numbers(tmp_path: Path, name: str) -> None:
    write_lines(tmp_path / name, [{"n": 1}, {"n": "ü"}])
    assert list(read_lines(tmp_path / name)) == [(1, {"n": 1}), (2, {"n": "ü"})]


def test_a_written_file_has_the_usual_permissions(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.touch()
    write_text(tmp_path / "ours", "x")
    assert (tmp_path / "ours").stat().st_mode == plain.stat().st_mode


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", {"n": 1})
    with pytest.raises(TypeError):
        write_json(tmp_path / "a.json", {"n": object()})
    assert read_json(tmp_path / "a.json") == {"n": 1}
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_where_nothing_can_be_written_it_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(HousematesError, match="cannot be written"):
        write_text(tmp_path / "file" / "below", "x")


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"n": 1}\n{"n": \n', encoding="utf-8")
    with pytest.raises(HousematesError, match=r"a\.jsonl: line 2"):
        list(read_lines(tmp_path / "a.jsonl"))


def test_a_truncated_archive_is_named(tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl.zst", [{"n": number} for number in range(10_000)])
    data = (tmp_path / "a.jsonl.zst").read_bytes()
    (tmp_path / "half.jsonl.zst").write_bytes(data[: len(data) // 2])
    with pytest.raises(HousematesError, match=r"half\.jsonl\.zst"):
        list(read_lines(tmp_path / "half.jsonl.zst"))


def test_several_frames_in_one_archive_are_all_read(tmp_path: Path) -> None:
    for number in range(3):
        write_lines(tmp_path / f"{number}.jsonl.zst", [{"n": number}])
    whole = b"".join((tmp_path / f"{number}.jsonl.zst").read_bytes() for number in range(3))
    (tmp_path / "all.jsonl.zst").write_bytes(whole)
    assert [line.value["n"] for line in read_lines(tmp_path / "all.jsonl.zst")] == [0, 1, 2]


@pytest.mark.parametrize("filling", [b"\n", b" ", b'"' + b"x" * 1000 + b'"\n'])
def test_a_small_archive_that_unpacks_to_very_much_is_refused_soon(tmp_path: Path, filling: bytes) -> None:
    zstandard = pytest.importorskip("zstandard")
    packer = zstandard.ZstdCompressor().compressobj()
    block = filling * ((1 << 20) // len(filling))
    data = b"".join([*(packer.compress(block) for _ in range(80)), packer.flush()])
    (tmp_path / "bomb.jsonl.zst").write_bytes(data)
    with pytest.raises(HousematesError, match=r"bomb\.jsonl\.zst: cannot be read .*\((it|line|more) "):
        list(read_lines(tmp_path / "bomb.jsonl.zst"))


@pytest.mark.parametrize(("text", "said"), [("[" * 100_000, "too deep"), ("9" * 10_000, "too many digits")])
def test_json_that_cannot_be_held_is_refused_in_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "a.json").write_text(text, encoding="utf-8")
    with pytest.raises(HousematesError, match=said):
        read_json(tmp_path / "a.json")


@pytest.mark.parametrize("name", ["game_1", "a-b.c", "trial_T2019 é", "x+y"])
def test_harmless_names_stay_as_they_are(name: str) -> None:
    assert file_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "../../x",
        "/abs/x",
        "a\0b",
        "..",
        ".",
        "",
        "CON",
        "nul.txt",
        "x" * 5000,
        "a\\b",
        "c:x",
        " x",
        "\ud800",
        "語" * 200,
    ],
)
def test_names_from_data_are_never_paths(tmp_path: Path, name: str) -> None:
    made = file_name(name)
    path = tmp_path / made
    path.touch()
    assert path.parent.resolve() == tmp_path.resolve()
    assert made not in ("", ".", "..") and len(made.encode()) < 140
    assert made.split(".")[0].lower() not in ("con", "nul")


def test_two_names_never_become_one_file() -> None:
    names = ["a/b", "a_b", "a:b", "x" * 500, "x" * 501]
    assert len({file_name(name) for name in names}) == len(names)
