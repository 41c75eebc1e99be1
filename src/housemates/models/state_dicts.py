"""The tensors of files that `torch.save` wrote, read without executing anything, and made safetensors.

Both forms are read: a zip archive with a pickle and the storages beside it, and the older one, in which
pickles follow one another and the storages come last.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from housemates import files
from housemates.data.pickles import Lent, Made, Name, read_pickle
from housemates.errors import HousematesError

MAGIC = 0x1950A86A20F9469CFC6C
"""The first pickle of the older form."""
KINDS = {
    "FloatStorage": "<f4",
    "DoubleStorage": "<f8",
    "HalfStorage": "<f2",
    "BFloat16Storage": "<u2",
    "LongStorage": "<i8",
    "IntStorage": "<i4",
    "ShortStorage": "<i2",
    "CharStorage": "<i1",
    "ByteStorage": "<u1",
    "BoolStorage": "?",
}
"""Storages of torch -> numpy's types; of bfloat16 the bits."""
BFLOAT16 = "BFloat16Storage"
ORDERED = Name("collections", "OrderedDict")
TENSOR = Name("torch._utils", "_rebuild_tensor_v2")
PARAMETER = Name("torch._utils", "_rebuild_parameter")
NESTED = ("state_dict", "model", "model_state_dict")
"""Keys under which checkpoints keep the state dict."""
Tensors = dict[str, NDArray[Any]]


def expected(name: Name) -> bool:
    """What a state dict may name: ordered dictionaries, tensors, parameters and storages."""
    return name in (ORDERED, TENSOR, PARAMETER) or (name.module == "torch" and name.name in KINDS)


def read_state_dict(path: Path) -> Tensors:
    """The tensors of a file that `torch.save` wrote, by their names; bfloat16 becomes float32.

    Raises:
        HousematesError: it is no such file, holds anything but tensors, or asks for anything but data.
    """
    try:
        with path.open("rb") as stream:
            value, storages = (_zipped if zipfile.is_zipfile(stream) else _in_a_row)(stream, str(path))
            return _tensors(value, storages, str(path))
    except HousematesError:
        raise
    except OSError as error:
        raise HousematesError(f"{path}: cannot be read ({error.strerror or error}).") from None
    except Exception as error:
        raise HousematesError(
            f"{path}: expected a state dict as torch.save writes it ({type(error).__name__})."
        ) from None


def convert_state_dict(path: Path, out: Path) -> int:
    """Write the tensors of a file as safetensors, and say how many there are."""
    from safetensors.numpy import save

    tensors = read_state_dict(path)
    files.write_bytes(out, save(tensors))
    return len(tensors)


def _zipped(stream: BinaryIO, source: str) -> tuple[Any, Mapping[str, bytes]]:
    """The value of a zip archive and its storages; archives that are packed are not torch's."""
    stream.seek(0)
    with zipfile.ZipFile(stream) as archive:
        if any(each.compress_type != zipfile.ZIP_STORED for each in archive.infolist()):
            raise HousematesError(
                f"{source}: expected an archive that is not packed, as torch.save writes it."
            )
        names = archive.namelist()
        (pickle,) = (name for name in names if name.endswith("/data.pkl"))
        root = pickle.removesuffix("data.pkl")
        order = f"{root}byteorder"
        if order in names and archive.read(order).strip() != b"little":
            raise HousematesError(f"{source}: expected little-endian storages.")
        value = read_pickle(io.BytesIO(archive.read(pickle)), expected, source)
        kept = {name: name.removeprefix(f"{root}data/") for name in names if name.startswith(f"{root}data/")}
        return value, {key: archive.read(name) for name, key in kept.items()}


def _in_a_row(stream: BinaryIO, source: str) -> tuple[Any, Mapping[str, bytes]]:
    """The value of the older form and its storages: their keys, and for each its length and its bytes."""
    end = stream.seek(0, io.SEEK_END)
    stream.seek(0)
    if read_pickle(stream, expected, source) != MAGIC:
        raise HousematesError(f"{source}: expected a file that torch.save wrote.")
    _version, _system = (read_pickle(stream, expected, source) for _ in range(2))
    value = read_pickle(stream, expected, source)
    widths = {str(lent.key[2]): np.dtype(KINDS[lent.key[1].name]).itemsize for lent in _lent(value)}
    storages = {}
    for key in read_pickle(stream, expected, source):
        count = int.from_bytes(stream.read(8), "little")
        storages[str(key)] = stream.read(min(end, count * widths[str(key)]))
    return value, storages


def _lent(value: Any) -> list[Lent]:
    """The storages that the tensors of a state dict are made of."""
    return [_rebuilt(each)[0] for each in _named(value).values()]


def _named(value: Any) -> Mapping[str, Any]:
    """Names and tensors, also of a checkpoint that keeps its state dict under a key."""
    found = value.items if isinstance(value, Made) and value.name == ORDERED else value
    for key in NESTED:
        if isinstance(found, dict) and key in found:
            return _named(found[key])
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise TypeError("no state dict")
    return found


def _rebuilt(value: Any) -> tuple[Any, ...]:
    """What a tensor, or a parameter of one, is rebuilt from: storage, offset, size and stride."""
    if isinstance(value, Made) and value.name == PARAMETER:
        value = value.arguments[0]
    if not isinstance(value, Made) or value.name != TENSOR:
        raise TypeError("no tensor")
    storage, offset, size, stride = value.arguments[:4]
    if not isinstance(storage, Lent) or len(size) != len(stride):
        raise TypeError("no tensor")
    return storage, int(offset), tuple(map(int, size)), tuple(map(int, stride))


def _tensors(value: Any, storages: Mapping[str, bytes], source: str) -> Tensors:
    found = {}
    for name, each in _named(value).items():
        storage, offset, size, stride = _rebuilt(each)
        kind = storage.key[1].name
        flat = np.frombuffer(storages[str(storage.key[2])], KINDS[kind])
        last = offset + sum((count - 1) * step for count, step in zip(size, stride, strict=True))
        inside = min((offset, *stride), default=0) >= 0 and last < len(flat) and math.prod(size) <= len(flat)
        if not inside and math.prod(size):
            raise HousematesError(f"{source}: {name}: expected values within its storage.")
        steps = tuple(step * flat.itemsize for step in stride)
        values = np.lib.stride_tricks.as_strided(flat[offset:], size, steps).copy()
        found[name] = (values.astype("<u4") << 16).view("<f4") if kind == BFLOAT16 else values
    return found
