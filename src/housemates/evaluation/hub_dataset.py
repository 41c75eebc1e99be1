"""Trajectories as a folder that `datasets.load_dataset` reads: a row for each act, with its pictures."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from housemates.errors import HousematesError
from housemates.evaluation.trajectories import Trajectory, new_folder, trajectories
from housemates.files import write_text
from housemates.parallel import Workers

ROWS = 200
"""Of a group of rows, so that pictures of few are in memory."""
COLUMNS = {
    **dict.fromkeys(("run", "episode", "task", "goal"), "string"),
    "step": "int32",
    **dict.fromkeys(("text", "act", "arguments"), "string"),
    "success": "bool",
    **dict.fromkeys(("reason", "message"), "string"),
    **dict.fromkeys(("reward", "episode_success"), "float64"),
}
"""Column -> type, beside a column of pictures for each view of the role."""
CARD = """---
configs:
- config_name: default
  data_files: data/*.parquet
---

# Trajectories of Housemates

A row for each act of one role: what it saw and read before (`view` and other pictures, `text`), what it did
(`act`, `arguments` as JSON) and what came of it. Written by `housemates export run --format datasets`.
"""


def export_datasets(
    folders: Sequence[Path],
    out: Path,
    role: str | None = None,
    episodes: int | None = None,
    views: Sequence[str] = (),
    workers: Workers = None,
    label: str | None = None,
) -> dict[str, int]:
    """Write a folder for Hugging Face's `datasets` and return how many episodes and rows it has."""
    arrow, parquet = pyarrow()
    counts = {"episodes": 0, "rows": 0}
    with new_folder(out) as folder:
        found = trajectories(folders, role, episodes, views, workers, label)
        first = next(found, None)
        if first is None:
            raise HousematesError(f"{folders[0]}: holds no episode that can be played again.")
        pictures = list(first.moments[0].pictures) if first.moments else []
        columns = {name: getattr(arrow, _TYPES.get(kind, kind))() for name, kind in COLUMNS.items()}
        columns |= dict.fromkeys(pictures, picture_type(arrow))
        schema = arrow.schema(list(columns.items()), metadata=features(COLUMNS, pictures))
        (folder / "data").mkdir(parents=True, exist_ok=True)
        file = folder / "data" / "train-00000-of-00001.parquet"
        rows = _rows([first], counts), _rows(found, counts)
        with parquet.ParquetWriter(file, schema, compression="zstd") as sink:
            for part in rows:
                while batch := list(islice(part, ROWS)):
                    sink.write_table(arrow.Table.from_pylist(batch, schema=schema))
        write_text(folder / "README.md", CARD)
    return counts


_TYPES = {"bool": "bool_"}


def pyarrow() -> tuple[Any, Any]:
    """Arrow and its Parquet files; without them the export is refused."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise HousematesError("This export needs pyarrow: pip install 'housemates[parquet]'.") from None
    return pyarrow, parquet


def picture_type(arrow: Any) -> Any:
    """The column of a picture, in the form that `datasets` reads as an image."""
    return arrow.struct([("bytes", arrow.binary()), ("path", arrow.string())])


def features(columns: dict[str, str], pictures: Iterable[str]) -> dict[bytes, bytes]:
    """The metadata by which `datasets` knows what columns hold."""
    told: dict[str, Any] = {name: {"dtype": kind, "_type": "Value"} for name, kind in columns.items()}
    told |= {name: {"_type": "Image"} for name in pictures}
    return {b"huggingface": json.dumps({"info": {"features": told}}).encode()}


def _rows(found: Iterable[Trajectory], counts: dict[str, int]) -> Iterator[dict[str, Any]]:
    for each in found:
        counts["episodes"] += 1
        for step, moment in enumerate(each.moments):
            counts["rows"] += 1
            yield {
                "run": each.run,
                "episode": each.episode,
                "task": each.task,
                "goal": each.goal,
                "step": step,
                "text": moment.text,
                "act": moment.act,
                "arguments": moment.arguments,
                "success": moment.success,
                "reason": moment.reason,
                "message": moment.message,
                "reward": moment.reward,
                "episode_success": each.success,
                **{name: {"bytes": data, "path": None} for name, data in moment.pictures.items()},
            }
