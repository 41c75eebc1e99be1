"""Runs as Parquet files for others: episodes, transcripts and frames (docs/parquet.md has the schema)."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from PIL import Image

from housemates.data.claims import claimed
from housemates.errors import HousematesError
from housemates.evaluation.episode_views import watch
from housemates.evaluation.replay import pieces
from housemates.evaluation.results import read_episodes, read_header, read_transcripts
from housemates.files import whole_file
from housemates.parallel import Workers, map_ordered

ROWS = 20_000
"""Of a group of rows."""
PAIRS = "list<struct<name, {}>>"
SCHEMAS: Mapping[str, Mapping[str, str]] = {
    "episodes": {
        "run": "string", "benchmark": "string", "split": "string", "seed": "int64",
        "agents": PAIRS.format("string"), "options": PAIRS.format("string"), "episode": "string",
        "task": "string", "scores": PAIRS.format("double"), "tags": PAIRS.format("string"), "steps": "int64",
        "failures": "int64", "ended": "string", "error": "string", "digest": "string", "seconds": "double",
        "usage": "string", "source": "string",
    },
    "transcripts": {
        "run": "string", "episode": "string", "step": "int32", "role": "string", "act": "string",
        "arguments": "string", "success": "bool", "reason": "string", "message": "string", "text": "string",
        "tokens": "int32", "answer": "string", "data": "string",
    },
    "frames": {
        "run": "string", "episode": "string", "step": "int32", "role": "string", "name": "string",
        "width": "int32", "height": "int32", "image": "struct<bytes, path>",
    },
}  # fmt: skip
"""File -> column -> type."""


def export_runs(
    folders: Sequence[Path], out: Path, frames: int, workers: Workers = None, label: str | None = None
) -> dict[str, int]:
    """Write the three files and return how many rows each has.

    Args:
        folders: What `housemates eval --out` wrote.
        out: A folder for the files.
        frames: Of how many episodes of each run what was seen is drawn again; 0 writes no frames.
        workers: Who draws them.
        label: Title of a progress bar.
    """
    headers = {folder: read_header(folder) for folder in folders}
    tables: dict[str, Iterator[dict[str, Any]]] = {
        "episodes": (row for folder in headers for row in _episodes(folder)),
        "transcripts": (row for folder in headers for row in _turns(folder)),
        "frames": (row for folder in headers for row in _frames(folder, frames, workers, label)),
    }
    with claimed(folders=[out]):
        return {name: _write(out / f"{name}.parquet", name, rows) for name, rows in tables.items()}


def _episodes(folder: Path) -> Iterator[dict[str, Any]]:
    header = read_header(folder)
    run = {
        "run": folder.resolve().name,
        "benchmark": header.benchmark,
        "split": header.split,
        "seed": header.seed,
        "agents": _pairs({role: seat.name for role, seat in header.agents.items()}),
        "options": _pairs(header.options),
    }
    for each in read_episodes(folder):
        found = msgspec.to_builtins(each)
        scores, tags = _pairs(each.scores), _pairs(each.tags)
        named = {"episode": each.id, "scores": scores, "tags": tags, "usage": json.dumps(each.usage)}
        yield {**found, **run, **named}


def _turns(folder: Path) -> Iterator[dict[str, Any]]:
    run = folder.resolve().name
    for told in read_transcripts(folder):
        for step, turn in enumerate(told.steps, start=1):
            yield {
                "run": run,
                "episode": told.id,
                "step": step,
                "role": turn.role,
                "act": turn.act and turn.act.name,
                "arguments": json.dumps(turn.act.arguments if turn.act else {}, ensure_ascii=False),
                "success": turn.success,
                "reason": turn.reason,
                "message": turn.message,
                "text": turn.text,
                "tokens": turn.tokens,
                "answer": turn.answer,
                "data": json.dumps(turn.data, ensure_ascii=False),
            }


def _frames(folder: Path, count: int, workers: Workers, label: str | None) -> Iterator[dict[str, Any]]:
    header, run = read_header(folder), folder.resolve().name
    chosen = [each.id for each in read_episodes(folder)][:count]
    if not chosen:
        return
    work = partial(watch, header.name, header.options)
    for found in map_ordered(work, pieces(folder, header, chosen), workers, label, lambda piece, loss: []):
        for views in found:
            sizes = [Image.open(io.BytesIO(each)).size for each in views.pictures]
            for step, seen in enumerate(views.steps):
                for key, number in seen.items():
                    role, _, name = key.partition(": ")
                    image = {"bytes": views.pictures[number], "path": None}
                    place = {"run": run, "episode": views.id, "step": step, "role": role, "name": name}
                    yield {**place, "width": sizes[number][0], "height": sizes[number][1], "image": image}


def _pairs(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"name": name, "value": value} for name, value in values.items()]


def _write(path: Path, table: str, rows: Iterable[dict[str, Any]]) -> int:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise HousematesError("Parquet needs pyarrow: pip install 'housemates[parquet]'.") from None
    schema = pyarrow.schema([(name, _type(pyarrow, kind)) for name, kind in SCHEMAS[table].items()])
    count = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as temporary, parquet.ParquetWriter(temporary, schema, compression="zstd") as sink:
        rest = iter(rows)
        while batch := list(islice(rest, ROWS)):
            kept = [{name: row.get(name) for name in schema.names} for row in batch]
            sink.write_table(pyarrow.Table.from_pylist(kept, schema=schema))
            count += len(batch)
    return count


def _type(arrow: Any, kind: str) -> Any:
    """A column's type as Arrow has it."""
    if kind.startswith("list<"):
        value = arrow.float64() if "double" in kind else arrow.string()
        return arrow.list_(arrow.struct([("name", arrow.string()), ("value", value)]))
    if kind.startswith("struct<"):
        return arrow.struct([("bytes", arrow.binary()), ("path", arrow.string())])
    names = {"bool": "bool_", "double": "float64"}
    return getattr(arrow, names.get(kind, kind))()
