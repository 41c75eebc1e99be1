"""`housemates verify`: our answers beside official ones."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

from housemates.cli.main import main
from housemates.files import read_text_lines


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    main([str(word) for word in words])
    return capsys.readouterr().out


def test_a_missing_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["verify", "tdl", "nowhere.jsonl.zst", "--json"])
    assert "nowhere.jsonl.zst" in capsys.readouterr().err


def test_a_list_of_instances_is_compared_with_what_we_cut(
    capsys: pytest.CaptureFixture[str], real_data: Path, tmp_path: Path
) -> None:
    lines = read_text_lines(real_data / "teach" / "valid_seen.jsonl.zst")
    (tmp_path / "few.jsonl").write_text("".join(text for _, text in islice(lines, 3)))
    made = printed(capsys, "export", "edh", tmp_path / "few.jsonl", "--out", tmp_path / "edh", "--json")
    names = sorted(path.name for path in (tmp_path / "edh").iterdir())
    assert json.loads(made)["instances"] == len(names)
    (tmp_path / "list.txt").write_text("\n".join([*names[1:], names[1].replace(".edh", ".edh9")]))
    found = printed(
        capsys, "verify", "split", tmp_path / "list.txt", "--games", tmp_path / "few.jsonl", "--json"
    )
    assert json.loads(found) == {
        "listed": len(names),
        "cut": len(names) - 1,
        "missing": 1,
        "unlisted": 1,
        "skipped": 0,
    }
