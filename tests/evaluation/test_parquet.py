"""Runs as Parquet: what is in the files is what is in the run, under the documented schema."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from housemates.cli.main import main
from housemates.evaluation.parquet import SCHEMAS
from housemates.evaluation.runner import evaluate

parquet = pytest.importorskip("pyarrow.parquet")


@pytest.fixture
def out(counting, tmp_path: Path, capsys) -> Path:
    evaluate(counting.run_of("good", episodes=4), workers=1, out=tmp_path / "run")
    words = ["export", "run", str(tmp_path / "run"), "--out", str(tmp_path / "out"), "--workers", "1"]
    main([*words, "--pictures", "3", "--json"])
    assert json.loads(capsys.readouterr().out)["episodes"] == 4
    return tmp_path / "out"


def test_the_files_hold_what_the_run_holds(out: Path) -> None:
    episodes = parquet.read_table(out / "episodes.parquet").to_pylist()
    assert [each["episode"] for each in episodes] == [f"count-{number}" for number in range(4)]
    assert episodes[3]["scores"] == [{"name": "success", "value": 1.0}, {"name": "steps", "value": 3.0}]
    assert episodes[0]["agents"] == [{"name": "counter", "value": "good"}]
    turns = parquet.read_table(out / "transcripts.parquet").to_pylist()
    assert [(each["episode"], each["step"], each["act"]) for each in turns[:3]] == [
        ("count-1", 1, "Take"),
        ("count-2", 1, "Take"),
        ("count-2", 2, "Take"),
    ]
    frames = parquet.read_table(out / "frames.parquet").to_pylist()
    assert [(each["episode"], each["step"]) for each in frames] == [
        ("count-1", 0),
        ("count-1", 1),
        ("count-2", 0),
        ("count-2", 1),
        ("count-2", 2),
    ]
    assert frames[0]["image"]["bytes"].startswith(b"\xff\xd8")


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schema_is_as_documented(out: Path, name: str) -> None:
    schema = parquet.read_schema(out / f"{name}.parquet")
    assert schema.names == list(SCHEMAS[name])
    document = (Path(__file__).parents[2] / "docs" / "parquet.md").read_text(encoding="utf-8")
    for column, kind in SCHEMAS[name].items():
        assert f"| `{column}` | `{kind}` |" in document


@pytest.mark.parametrize("library", ["pandas", "polars", "duckdb", "datasets"])
def test_others_open_it_among_the_doors(out: Path, library: str) -> None:
    module = pytest.importorskip(library)
    path = str(out / "episodes.parquet")
    read = {
        "pandas": lambda: len(module.read_parquet(path)),
        "polars": lambda: module.read_parquet(path).height,
        "duckdb": lambda: module.sql(f"select * from '{path}'").shape[0],
        "datasets": lambda: module.Dataset.from_parquet(path, cache_dir=str(out / "cache")).num_rows,
    }
    assert read[library]() == 4
