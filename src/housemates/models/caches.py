"""Features that are computed once: rows of numbers on disk, mapped into memory, keyed by what made them."""

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
from housemates.files import read_json, write_json
from housemates.folders import cache_folder

_TYPES = {"U8": "u1", "I8": "i1", "I16": "<i2", "I32": "<i4", "F16": "<f2", "F32": "<f4"}
"""How safetensors and numpy call kinds of numbers."""


def features_folder() -> Path:
    """Where features are kept: beside the user's supply of instances (`HOUSEMATES_CACHE`)."""
    supply = cache_folder()
    return Path(tempfile.mkdtemp()) if supply is None else supply.with_name(f"{supply.name}-features")


class Features:
    """Rows of one shape and type for each of many names, such as one row a frame of each episode.

    What was computed before an interruption is kept, and other makers have other folders.
    """

    def __init__(
        self, folder: Path, maker: Mapping[str, Any], shape: Sequence[int], dtype: str = "float32"
    ) -> None:
        """Open the cache of a maker, which may be empty.

        Args:
            folder: Where the caches of all makers are.
            maker: What decides the numbers: names, versions, fingerprints of weights, sizes of pictures.
            shape: Of a row.
            dtype: Of its numbers.
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
        """The rows of a name, as a view of the file."""
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
        """Have the rows of all these names; `make` gives those that are missing, one after another."""
        missing = [name for name in names if name not in self._places]
        if not missing:
            return
        with claimed(folders=[self.folder]), refusing(self.folder, "written"):
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
        """What the folder holds; it must say that the same maker made it."""
        path = self.folder / "maker.json"
        if not path.exists():
            return
        if read_json(path) != self._key:
            raise HousematesError(f"{path}: was made by something else; take the folder away.")
        self._places = {name: (start, count) for name, start, count in self._lines}


def packed(arrays: Mapping[str, NDArray[Any]]) -> NDArray[np.uint8]:
    """Several arrays as the bytes of one, for rows of bytes."""
    from safetensors.numpy import save

    return np.frombuffer(save({name: np.ascontiguousarray(each) for name, each in arrays.items()}), np.uint8)


def unpacked(row: NDArray[np.uint8]) -> dict[str, NDArray[Any]]:
    """What `packed` made one, as views: of a row on disk only that is read which is looked at."""
    bytes_ = np.asarray(row)
    start = 8 + int(bytes_[:8].view("<u8")[0])
    header: dict[str, dict[str, Any]] = json.loads(bytes_[8:start].tobytes())
    found = {}
    for name, each in header.items():
        first, end = each["data_offsets"]
        found[name] = bytes_[start + first : start + end].view(_TYPES[each["dtype"]]).reshape(each["shape"])
    return found
