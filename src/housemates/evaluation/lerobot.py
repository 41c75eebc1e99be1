"""Trajectories as a dataset in LeRobot's format, version 3.0: frames, numbers of acts, tasks, and statistics.

An act is three numbers, that of its name in `info.json` and where on the picture it points, and in full the
text `act`. Pictures are PNG files in the frames' table, so that nothing of them is lost.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from housemates.errors import HousematesError
from housemates.evaluation.hub_dataset import features, picture_type, pyarrow
from housemates.evaluation.trajectories import Trajectory, new_folder, trajectories
from housemates.files import write_json
from housemates.parallel import Workers

VERSION = "v3.0"
FPS = 5
"""Acts a second, as the format wants a time for each frame."""
CHUNK, FILE_MB = 1000, 100
"""Files of a folder, and megabytes of a file."""
FILE = "chunk-{chunk_index:03d}/file-{file_index:03d}.parquet"
NUMBERS: Mapping[str, tuple[str, int]] = {
    "action": ("float32", 3), "act": ("string", 1), "observation.text": ("string", 1),
    "next.reward": ("float32", 1), "next.success": ("bool", 1), "next.done": ("bool", 1),
    "timestamp": ("float32", 1), "frame_index": ("int64", 1), "episode_index": ("int64", 1),
    "index": ("int64", 1), "task_index": ("int64", 1),
}  # fmt: skip
"""Column -> type and length, beside those of pictures."""
Stats = dict[str, dict[str, NDArray[np.float64]]]


def export_lerobot(
    folders: Sequence[Path],
    out: Path,
    role: str | None = None,
    episodes: int | None = None,
    views: Sequence[str] = (),
    workers: Workers = None,
    label: str | None = None,
) -> dict[str, int]:
    """Write a dataset folder and return how many episodes, frames and tasks it has."""
    with new_folder(out) as folder:
        found = trajectories(folders, role, episodes, views, workers, label)
        first = next((each for each in found if each.moments), None)
        if first is None:
            raise HousematesError(f"{folders[0]}: holds no episode that can be played again.")
        dataset = _Dataset(folder, first)
        dataset.add(first)
        for each in found:
            dataset.add(each)
        return dataset.finish()


class _Dataset:
    """The folder while it is written: one file of frames after another, the rest at the end."""

    def __init__(self, folder: Path, first: Trajectory) -> None:
        self._arrow, self._parquet = pyarrow()
        self._folder, self._acts = folder, first.acts
        self._run = first.run
        self._sizes = {name: _pixels(data).shape for name, data in first.moments[0].pictures.items()}
        if not self._sizes:
            raise HousematesError(
                f"{first.run}: the seat has no pictures: take --format datasets, or another --role."
            )
        self._tasks: dict[str, int] = {}
        self._episodes: list[dict[str, Any]] = []
        self._stats: list[Stats] = []
        self._frames = self._file = self._bytes = 0
        self._writer: Any = None

    def add(self, each: Trajectory) -> None:
        """Write the frames of an episode."""
        if not each.moments:
            return
        if each.acts != self._acts:
            raise HousematesError(f"{each.run}: has other acts than {self._run}: export them one by one.")
        rows = list(self._rows(each))
        pictures = {name: np.stack([_pixels(row[name]["bytes"]) for row in rows]) for name in self._keys()}
        if wrong := [name for name, seen in pictures.items() if seen.shape[1:] != self._sizes[_bare(name)]]:
            raise HousematesError(f"{each.run}: {wrong[0]} has another size than in {self._run}.")
        self._write(rows)
        stats = _statistics(rows, pictures)
        number = len(self._episodes)
        self._episodes.append(
            {
                "episode_index": number,
                "tasks": [each.goal],
                "length": len(rows),
                "data/chunk_index": self._file // CHUNK,
                "data/file_index": self._file % CHUNK,
                "dataset_from_index": self._frames,
                "dataset_to_index": self._frames + len(rows),
                "meta/episodes/chunk_index": 0,
                "meta/episodes/file_index": 0,
                "episode": each.episode,
                "success": each.success,
                **{
                    f"stats/{key}/{name}": value.tolist()
                    for key, of in stats.items()
                    for name, value in of.items()
                },
            }
        )
        self._stats.append(stats)
        self._frames += len(rows)

    def finish(self) -> dict[str, int]:
        """Write what is told of the frames, and count."""
        self._close()
        arrow, meta = self._arrow, self._folder / "meta"
        (meta / "episodes" / "chunk-000").mkdir(parents=True)
        table = arrow.Table.from_pylist(self._episodes)
        self._parquet.write_table(table, meta / "episodes" / FILE.format(chunk_index=0, file_index=0))
        tasks = arrow.table({"task_index": list(self._tasks.values()), "task": list(self._tasks)})
        tasks = tasks.replace_schema_metadata({b"pandas": json.dumps(_INDEXED).encode()})
        self._parquet.write_table(tasks, meta / "tasks.parquet")
        write_json(meta / "stats.json", _together(self._stats))
        counts = {"episodes": len(self._episodes), "frames": self._frames, "tasks": len(self._tasks)}
        write_json(meta / "info.json", self._info(counts))
        return counts

    def _keys(self) -> list[str]:
        return [f"observation.images.{name}" for name in self._sizes]

    def _rows(self, each: Trajectory) -> Iterator[dict[str, Any]]:
        task = self._tasks.setdefault(each.goal, len(self._tasks))
        last = len(each.moments) - 1
        for number, moment in enumerate(each.moments):
            act = {"name": moment.act, "arguments": json.loads(moment.arguments)}
            named = self._acts.index(moment.act) if moment.act in self._acts else -1
            pictures = {name: {"bytes": data, "path": None} for name, data in moment.pictures.items()}
            yield {
                **{f"observation.images.{name}": picture for name, picture in pictures.items()},
                "action": [float(named), *moment.point],
                "act": json.dumps(act, ensure_ascii=False),
                "observation.text": moment.text,
                "next.reward": moment.reward,
                "next.success": number == last and each.success == 1.0,
                "next.done": number == last,
                "timestamp": number / FPS,
                "frame_index": number,
                "episode_index": len(self._episodes),
                "index": self._frames + number,
                "task_index": task,
            }

    def _write(self, rows: Sequence[dict[str, Any]]) -> None:
        """Add rows to the file of the moment; a full one is closed before."""
        if self._bytes > FILE_MB * 2**20:
            self._close()
            self._file, self._bytes = self._file + 1, 0
        if self._writer is None:
            place = FILE.format(chunk_index=self._file // CHUNK, file_index=self._file % CHUNK)
            file = self._folder / "data" / place
            file.parent.mkdir(parents=True, exist_ok=True)
            self._writer = self._parquet.ParquetWriter(file, self._schema())
        self._writer.write_table(self._arrow.Table.from_pylist(list(rows), schema=self._writer.schema))
        self._bytes += sum(len(row[key]["bytes"]) for row in rows for key in self._keys())

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    def _schema(self) -> Any:
        arrow = self._arrow
        kinds = {
            "string": arrow.string(),
            "bool": arrow.bool_(),
            "float32": arrow.float32(),
            "int64": arrow.int64(),
        }
        columns = [
            (name, kinds[kind] if length == 1 else arrow.list_(kinds[kind], length))
            for name, (kind, length) in NUMBERS.items()
        ]
        told = features({name: kind for name, (kind, length) in NUMBERS.items() if length == 1}, self._keys())
        found = json.loads(told[b"huggingface"])
        value = {"dtype": "float32", "_type": "Value"}
        found["info"]["features"]["action"] = {"feature": value, "length": 3, "_type": "List"}
        pictures = [(name, picture_type(arrow)) for name in self._keys()]
        return arrow.schema([*columns, *pictures], metadata={b"huggingface": json.dumps(found).encode()})

    def _info(self, counts: Mapping[str, int]) -> dict[str, Any]:
        names = {"action": ["act", "x", "y"]}
        told: dict[str, Any] = {
            f"observation.images.{name}": {
                "dtype": "image",
                "shape": list(size),
                "names": ["height", "width", "channels"],
            }
            for name, size in self._sizes.items()
        }
        told |= {
            name: {"dtype": kind, "shape": [length], "names": names.get(name)}
            for name, (kind, length) in NUMBERS.items()
        }
        return {
            "codebase_version": VERSION,
            "robot_type": "housemates",
            **{f"total_{name}": number for name, number in counts.items()},
            "chunks_size": CHUNK,
            "data_files_size_in_mb": FILE_MB,
            "video_files_size_in_mb": FILE_MB,
            "fps": FPS,
            "splits": {"train": f"0:{counts['episodes']}"},
            "data_path": f"data/{FILE}",
            "video_path": None,
            "features": told,
            "acts": list(self._acts),
        }


def _flat(stats: Stats) -> dict[str, Any]:
    """Statistics as columns of an episode."""
    return {f"stats/{key}/{name}": each.tolist() for key, of in stats.items() for name, each in of.items()}


def _bare(key: str) -> str:
    return key.removeprefix("observation.images.")


def _pixels(data: bytes) -> NDArray[np.uint8]:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def _statistics(rows: Sequence[dict[str, Any]], pictures: Mapping[str, NDArray[np.uint8]]) -> Stats:
    """Least, most, mean, deviation and number of all that is no text; of pictures by channel, from 0 to 1."""
    values = {
        name: np.array([row[name] for row in rows], np.float64).reshape(len(rows), length)
        for name, (kind, length) in NUMBERS.items()
        if kind != "string"
    }
    found = {name: _moments(each) for name, each in values.items()}
    for name, seen in pictures.items():
        of = _moments(seen.reshape(-1, 3) / 255.0)
        shaped = {key: each.reshape(3, 1, 1) for key, each in of.items() if key != "count"}
        found[name] = {**shaped, "count": np.array([len(seen)], np.float64)}
    return found


def _moments(values: NDArray[np.float64]) -> dict[str, NDArray[np.float64]]:
    told = {"min": values.min(0), "max": values.max(0), "mean": values.mean(0), "std": values.std(0)}
    return {**told, "count": np.array([len(values)], np.float64)}


def _together(parts: Iterable[Stats]) -> dict[str, dict[str, Any]]:
    """The statistics of all episodes from those of each."""
    found: dict[str, dict[str, Any]] = {}
    parts = list(parts)
    for key in parts[0]:
        of = [part[key] for part in parts]
        counts = np.array([each["count"][0] for each in of], np.float64)
        shares = (counts / counts.sum()).reshape(-1, *[1] * of[0]["mean"].ndim)
        means, deviations = (np.stack([each[name] for each in of]) for name in ("mean", "std"))
        mean = (means * shares).sum(0)
        spread = np.sqrt(((deviations**2 + (means - mean) ** 2) * shares).sum(0))
        low, high = np.min([each["min"] for each in of], 0), np.max([each["max"] for each in of], 0)
        told = {"min": low, "max": high, "mean": mean, "std": spread, "count": np.array([int(counts.sum())])}
        found[key] = {name: value.tolist() for name, value in told.items()}
    return found


_INDEXED = {
    "index_columns": ["task"],
    "column_indexes": [],
    "columns": [
        {"name": name, "field_name": name, "pandas_type": kind, "numpy_type": stored, "metadata": None}
        for name, kind, stored in (("task_index", "int64", "int64"), ("task", "unicode", "object"))
    ],
    "pandas_version": "2.0.0",
}
"""What pandas has to know of the tasks: that their words are the index."""
