"""Runs as Parquet: what is in the files is what is in the run, under the documented schema."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from housemates.cli.main import main
from housemates.evaluation.parquet import SCHEMAS
from housemates.evaluation.runner import evaluate

parquet = pytest.importorskip("pyarrow.parquet")
ROOT = Path(__file__).parents[2]
ENVIRONMENTS = Path(os.environ.get("HOUSEMATES_DOORS_ENVIRONMENTS", ROOT / ".venv-doors"))


@pytest.fixture
def out(counting, tmp_path: Path, capsys) -> Path:
    evaluate(counting.run_of("good", episodes=4), workers=1, out=tmp_path / "run")
    words = ["export", "run", str(tmp_path / "run"), "--out", str(tmp_path / "out"), "--workers", "1"]
    main([*words, "--pictures", "3", "--json"])
    assert json.loads(capsys.readouterr().out)["episodes"] == 4
    return tmp_path / "out"


def said_by_others(code: str, folder: Path) -> str:
    """What a program prints where pandas, Polars, DuckDB and datasets are installed."""
    python = ENVIRONMENTS / "tables" / "bin" / "python"
    if not python.exists():
        pytest.skip(f"pandas and others are not installed in {python.parents[1]}: run make test-doors")
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [str(python), "-c", code], capture_output=True, text=True, env=environ, cwd=folder, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


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
    document = (ROOT / "docs" / "parquet.md").read_text(encoding="utf-8")
    for column, kind in SCHEMAS[name].items():
        assert f"| `{column}` | `{kind}` |" in document


@pytest.mark.parametrize(
    ("library", "read"),
    {
        "pandas": "pandas.read_parquet(path).episode.tolist()",
        "polars": "polars.read_parquet(path)['episode'].to_list()",
        "duckdb": "[name for name, in duckdb.sql(f\"select episode from '{path}'\").fetchall()]",
        "datasets": "datasets.Dataset.from_parquet(path, cache_dir=path + '-cache')['episode'][:]",
    }.items(),
)
@pytest.mark.parametrize("name", SCHEMAS)
def test_others_open_it(out: Path, library: str, read: str, name: str) -> None:
    """In the environment of their own that `make test-doors` prepares."""
    path = str(out / f"{name}.parquet")
    told = said_by_others(f"import json, {library}\npath = {path!r}\nprint(json.dumps({read}))", out)
    assert json.loads(told.splitlines()[-1]) == parquet.read_table(path)["episode"].to_pylist()


def test_the_sample_of_the_page_runs(out: Path) -> None:
    page = (ROOT / "docs" / "parquet.md").read_text(encoding="utf-8")
    (out.parent / "tables").symlink_to(out)
    (sample,) = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert "Take    1.0" in said_by_others(sample, out.parent)
