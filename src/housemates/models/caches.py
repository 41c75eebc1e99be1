"""Feature cache: arrays computed once, stored on disk, memory-mapped, and keyed by what made them."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from housemates.data.claims import claimed
from housemates.data.journal import Lines, refusing
from housemates.errors import HousematesError
from housemates.file_locks import in_turn
from housemates.files import read_json, write_json
from housemates.folders import cache_folder

PATIENCE_S = 6 * 3600.0
"""How long one waits for somebody else who computes the same rows."""
_TYPES = {"U8": "u1", "I8": "i1", "I16": "<i2", "I32": "<i4", "F16": "<f2", "F32": "<f4"}
"""safetensors' names of number types -> numpy's."""


def features_folder() -> Path:
    """The folder of all feature caches: beside `HOUSEMATES_CACHE`, or temporary if that is off."""
    cache = cache_folder()
    return Path(tempfile.mkdtemp()) if cache is None else cache.with_name(f"{cache.name}-features")


class FeatureCache:
    """Rows of one shape and dtype by name, such as one row per frame of each episode.

    Rows computed before an interruption are kept; each maker has a folder of its own.
    """

    def __init__(
        self, folder: Path, maker: Mapping[str, Any], shape: Sequence[int], dtype: str = "float32"
    ) -> None:
        """Open the cache of a maker, which may be empty.

        Args:
            folder: Of the caches of all makers.
            maker: All that the values depend on: versions, fingerprints of data and weights, image sizes.
            shape: Of a row.
            dtype: Of its values.

        Raises:
            HousematesError: the folder was written by another maker.
        """
        key = json.dumps({"maker": maker, "shape": list(shape), "dtype": dtype}, sort_keys=True)
        self.folder = folder / hashlib.sha256(key.encode()).hexdigest()[:16]
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self._key = json.loads(key)
        self._lines: Lines[tuple[str, int, int]] = Lines(self.folder / "rows.jsonl", tuple[str, int, int])
        self._places: dict[str, tuple[int, int]] = {}
        self._mapped: NDArray[Any] | None = None
        self._read()

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The rows of a name, (rows, *shape), as a view of the memory-mapped file."""
        if self._mapped is None:
            total = max((start + count for start, count in self._places.values()), default=0)
            shape = (total, *self.shape)
            self._mapped = (
                np.memmap(self._data, self.dtype, "r", shape=shape) if total else np.empty(shape, self.dtype)
            )
        start, count = self._places[name]
        return self._mapped[start : start + count]

    def fill(
        self, names: Iterable[str], make: Callable[[list[str]], Iterator[tuple[str, NDArray[Any]]]]
    ) -> None:
        """Compute and store the rows of missing names; trainings that want the same rows wait for each other.

        Args:
            names: That are needed.
            make: Yields (name, rows) of the missing names it is given; each is stored as it comes.

        Raises:
            HousematesError: rows have another shape, or the disk is full.
        """
        missing = [name for name in names if name not in self._places]
        if not missing:
            return
        turn = in_turn(self.folder.with_suffix(".turn"), PATIENCE_S)
        with turn, claimed(folders=[self.folder]), refusing(self.folder, "written"):
            self._read()
            self._lines.arrange(range(len(self._places)))
            write_json(self.folder / "maker.json", self._key)
            try:
                self._append(make([name for name in missing if name not in self._places]))
            finally:
                self._lines.close()
                self._mapped = None

    def _append(self, made: Iterator[tuple[str, NDArray[Any]]]) -> None:
        end = sum(count for _, count in self._places.values())
        with self._data.open("ab") as stream:
            stream.truncate(end * self._row_bytes)
            for name, rows in made:
                if rows.shape[1:] != self.shape:
                    raise HousematesError(f"{name}: expected rows of {self.shape}, found {rows.shape[1:]}.")
                stream.write(np.ascontiguousarray(rows, self.dtype).tobytes())
                stream.flush()
                self._lines.append((name, end, len(rows)))
                self._places[name] = (end, len(rows))
                end += len(rows)

    @property
    def _data(self) -> Path:
        return self.folder / "rows.bin"

    @property
    def _row_bytes(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64)) * self.dtype.itemsize

    def _read(self) -> None:
        """Read the index; a folder of another maker is refused."""
        path = self.folder / "maker.json"
        if not path.exists():
            return
        if read_json(path) != self._key:
            raise HousematesError(f"{path}: was written by another maker; delete the folder.")
        self._places = {name: (start, count) for name, start, count in self._lines}


def pack(arrays: Mapping[str, NDArray[Any]]) -> NDArray[np.uint8]:
    """Named arrays as the bytes of one safetensors file, (bytes,)."""
    from safetensors.numpy import save

    return np.frombuffer(save({name: np.ascontiguousarray(each) for name, each in arrays.items()}), np.uint8)


def unpack(row: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
    """The arrays that `pack` joined, as views, so that only what is used is read from disk."""
    bytes_ = np.asarray(row)
    start = 8 + int(bytes_[:8].view("<u8")[0])
    header: dict[str, dict[str, Any]] = json.loads(bytes_[8:start].tobytes())
    found = {}
    for name, each in header.items():
        first, end = each["data_offsets"]
        found[name] = bytes_[start + first : start + end].view(_TYPES[each["dtype"]]).reshape(each["shape"])
    return found
