"""Trajectories as datasets: LeRobot's own package and `datasets` show the frames and acts of the run."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from housemates.benchmarks.handmethat.benchmark import HandMeThat
from housemates.cli.main import main
from housemates.core.loading import seat_all
from housemates.evaluation.runner import Run, evaluate
from housemates.evaluation.trajectories import trajectories

parquet = pytest.importorskip("pyarrow.parquet")
ENVIRONMENTS = Path(
    os.environ.get("HOUSEMATES_DOORS_ENVIRONMENTS", Path(__file__).parents[2] / ".venv-doors")
)
OPENED_BY_DATASETS = """
import hashlib, json, sys
import datasets, numpy
rows = datasets.load_dataset(sys.argv[1], cache_dir=sys.argv[1] + "-cache")["train"]
print(json.dumps([[row["act"], json.loads(row["arguments"]), row["goal"],
    hashlib.sha256(numpy.asarray(row["view"].convert("RGB")).tobytes()).hexdigest()] for row in rows]))
"""
OPENED_BY_LEROBOT = """
import hashlib, json, sys
import torch
# torchvision's compiled operators are of another build than torch here; none of them is used
library = torch.library.Library("torchvision", "DEF")
for name in ("nms", "qnms"):
    library.define(name + "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
from lerobot.datasets.lerobot_dataset import LeRobotDataset
data = LeRobotDataset("local/housemates", root=sys.argv[1])
found = []
for number in range(len(data)):
    row = data[number]
    act = json.loads(row["act"])
    pixels = (row["observation.images.view"] * 255).round().to(torch.uint8).permute(1, 2, 0).contiguous()
    assert row["action"].shape == (3,), row["action"].shape
    seen = hashlib.sha256(pixels.numpy().tobytes()).hexdigest()
    found.append([act["name"], act["arguments"], row["task"], seen])
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    from housemates.benchmarks.home.benchmark import Home

    folder = tmp_path_factory.mktemp("runs") / "walk"
    options = {"size": "48x32", "steps": "4", "names": "short"}
    evaluate(Run("home", seat_all(Home, ["random"], {}), "train", 2, 3, options), 1, folder, progress=False)
    return folder


@pytest.fixture(scope="module", params=["datasets", "lerobot"])
def exported(run, request, tmp_path_factory) -> tuple[str, Path]:
    out = tmp_path_factory.mktemp(request.param) / "data"
    main(
        ["export", "run", str(run), "--format", request.param, "--out", str(out), "--workers", "1", "--json"]
    )
    return request.param, out


def expected(run: Path) -> list[list[Any]]:
    """Act, arguments, goal and the pixels' fingerprint of each moment."""
    import io

    from PIL import Image

    return [
        [
            moment.act,
            json.loads(moment.arguments),
            each.goal,
            hashlib.sha256(np.asarray(Image.open(io.BytesIO(moment.pictures["view"]))).tobytes()).hexdigest(),
        ]
        for each in trajectories([run], workers=1)
        for moment in each.moments
    ]


def test_the_packages_themselves_show_the_same_frames_and_acts(run, exported) -> None:
    """In the environments of their own that `make test-doors` prepares."""
    name, out = exported
    python = ENVIRONMENTS / {"datasets": "tables", "lerobot": "lerobot"}[name] / "bin" / "python"
    if not python.exists():
        pytest.skip(f"{name} is not installed in {python.parents[1]}: run make test-doors")
    code = {"datasets": OPENED_BY_DATASETS, "lerobot": OPENED_BY_LEROBOT}[name]
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | {
        "HF_HUB_OFFLINE": "1"
    }
    done = subprocess.run(
        [str(python), "-c", code, str(out)], capture_output=True, text=True, env=environ, timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == expected(run)


def test_the_files_follow_the_format(run, exported) -> None:
    name, out = exported
    told = expected(run)
    if name == "datasets":
        rows = parquet.read_table(out / "data" / "train-00000-of-00001.parquet").to_pylist()
        assert [[row["act"], json.loads(row["arguments"])] for row in rows] == [each[:2] for each in told]
        assert rows[0]["view"]["bytes"].startswith(b"\x89PNG") and rows[0]["text"].startswith("You are in")
        return
    info = json.loads((out / "meta" / "info.json").read_text(encoding="utf-8"))
    assert (info["codebase_version"], info["total_episodes"], info["total_frames"]) == ("v3.0", 2, len(told))
    assert info["features"]["observation.images.view"]["shape"] == [32, 48, 3]
    table = parquet.read_table(out / info["data_path"].format(chunk_index=0, file_index=0))
    assert set(table.column_names) == set(info["features"])
    assert [info["acts"][int(row[0])] for row in table["action"].to_pylist()] == [each[0] for each in told]
    episodes = parquet.read_table(out / "meta" / "episodes" / "chunk-000" / "file-000.parquet").to_pylist()
    assert [each["dataset_to_index"] for each in episodes][-1] == len(told)
    stats = json.loads((out / "meta" / "stats.json").read_text(encoding="utf-8"))
    actions = np.array(table["action"].to_pylist())
    assert np.allclose(stats["action"]["std"], actions.std(0), atol=1e-6)
    assert np.shape(stats["observation.images.view"]["mean"]) == (3, 1, 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--format", "lerobot", "--role", "cook"], "has no such role: expected one of agent"),
        (["--format", "lerobot", "--views", "aerial"], "has no picture 'aerial': expected view, map"),
        (["--format", "lerobot", "--views", "view", "map"], "map has another size than in"),
        (["--format", "datasets", "--out", "{run}"], "there is something already"),
    ],
)
def test_bad_input_is_one_sentence_and_writes_nothing(run, tmp_path, capsys, words, said) -> None:
    out = tmp_path / "out"
    with pytest.raises(SystemExit) as ended:
        main(["export", "run", str(run), "--out", str(out), *(word.format(run=run) for word in words)])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
    assert not out.exists()


def test_a_seat_without_pictures_is_no_dataset_of_lerobot(tmp_path, capsys) -> None:
    seats = seat_all(HandMeThat, ["first"], {})
    evaluate(Run("handmethat", seats, episodes=1), 1, tmp_path / "run", progress=False)
    words = ["export", "run", str(tmp_path / "run"), "--workers", "1", "--format"]
    with pytest.raises(SystemExit):
        main([*words, "lerobot", "--out", str(tmp_path / "out")])
    assert "the seat has no pictures" in capsys.readouterr().err
    main([*words, "datasets", "--out", str(tmp_path / "out"), "--json"])
    assert json.loads(capsys.readouterr().out)["rows"] > 0
