"""Reading and writing JSON and compressed JSON lines, without half-written files or tracebacks."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import secrets
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from housemates.errors import HousematesError
from housemates.typed_json import Record, decode, parse_json

MAX_ZSTD_WINDOW = 2**31
LEVEL = 10
LONGEST_TEXT = 1 << 30
"""Bytes of a file that is read as a whole."""
LONGEST_LINE = 1 << 26
"""Bytes of a line."""
FREE_BYTES, MOST_TIMES = 1 << 26, 200
"""A packed file may unpack to so many bytes, and beyond that to so many times its size; real data are packed
40 times at most."""
MOST_BLANK_LINES = 10_000
LONGEST_NAME = 120
"""Bytes of a name that comes from data, as the name of a file."""
LONGEST_PART = 255
"""Bytes of a name between two slashes that file systems have room for."""
DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{name}{number}" for name in ("com", "lpt") for number in range(10)))
)
"""Names that some systems keep for devices, whatever ending they have."""
UNFINISHED = ".part"
"""How the names of files end that are being written."""


class Line(NamedTuple):
    """One JSON line of a file and its number, counted from 1."""

    number: int
    value: Any


def read_json(path: str | Path) -> Any:
    """Return the value of a `.json` file, perhaps packed; say where it breaks if it does."""
    return parse_json(read_text(path), str(path))


def read_record(path: str | Path, kind: type[Record]) -> Record:
    """Return what a `.json` or `.json.zst` file says as a record of a type; name the field that is wrong."""
    return decode(read_text(path), kind, str(path))


@cache
def shipped(package: str, name: str) -> dict[str, Any]:
    """A table that comes with the package, a `.toml` or `.json` file of this folder; not to be changed."""
    text = resources.files(package).joinpath(name).read_text(encoding="utf-8")
    found: dict[str, Any] = tomllib.loads(text) if name.endswith(".toml") else json.loads(text)
    return found


class IsADeviceError(OSError):
    """What stands there is read for ever."""


def is_device(path: Path) -> bool:
    """Whether it is no file but a device, such as `/dev/zero`."""
    return path.is_char_device() or path.is_block_device()


def read_text(path: str | Path) -> str:
    """Return a file's text, decompressed if its name ends in `.zst` or `.gz`."""
    try:
        with _open_text(Path(path)) as stream:
            text = stream.read(LONGEST_TEXT + 1)
            if len(text) > LONGEST_TEXT:
                raise ValueError(f"it is longer than {LONGEST_TEXT >> 20} MiB")
            return text
    except Exception as error:
        raise _unreadable(path, error) from None


def read_lines(path: str | Path) -> Iterator[Line]:
    """Yield the values of a `.jsonl` or `.jsonl.zst` file, one at a time."""
    for number, text in read_text_lines(path):
        yield Line(number, parse_json(text, f"{path}: line {number}"))


def read_text_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file that are not empty with their numbers, decompressed as by `read_text`."""
    number = blank = 0
    stream = None
    try:
        stream = _open_text(Path(path))
        while text := stream.readline(LONGEST_LINE + 1):
            number += 1
            if len(text) > LONGEST_LINE:
                raise ValueError(f"line {number} is longer than {LONGEST_LINE >> 20} MiB")
            if text.strip():
                yield number, text
                continue
            blank += 1
            if blank > MOST_BLANK_LINES:
                raise ValueError(f"more than {MOST_BLANK_LINES} lines are blank")
    except Exception as error:
        raise _unreadable(path, error, after_line=number) from None
    finally:
        if stream is not None:
            stream.close()


def write_json(path: str | Path, value: Any, indent: int | None = 2) -> None:
    """Write `value` so that the file is either whole or not there."""
    write_text(path, json.dumps(value, indent=indent, ensure_ascii=False) + "\n")


def write_lines(path: str | Path, values: Iterable[Any]) -> int:
    """Write one JSON value a line, compressed if the name ends in `.zst`; whole or not at all."""
    return write_text_lines(path, (json.dumps(value, ensure_ascii=False) for value in values))


def write_text_lines(path: str | Path, lines: Iterable[str]) -> int:
    """Write lines as they come, compressed if the name ends in `.zst`, whole or not at all.

    Returns:
        How many there were.
    """
    count = 0
    packed = str(path).endswith(".zst")
    with whole_file(path) as temporary, temporary.open("xb") as stream, _compressed(stream, packed) as sink:
        for line in lines:
            sink.write(f"{line}\n".encode())
            count += 1
    return count


def write_text(path: str | Path, text: str) -> None:
    """Write `text` as UTF-8, whole or not at all, compressed if the name ends in `.zst`.

    What has no UTF-8, such as a file's name that the system could not decode, is written as `?`.
    """
    data = text.encode(errors="replace")
    if str(path).endswith(".zst"):
        import zstandard

        data = zstandard.ZstdCompressor(level=LEVEL).compress(data)
    write_bytes(path, data)


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write `data`, whole or not at all."""
    with whole_file(path) as temporary:
        temporary.write_bytes(data)


def file_name(name: str) -> str:
    """A name that comes from data as the name of a file: never a path, never a device, never too long.

    Names of letters, digits, dots, dashes, spaces and underscores stay as they are; what has to be changed
    gets a short fingerprint, so that two names never become one.
    """
    kept = re.sub(r"[^\w.\-+ ]", "_", name).strip(" .").encode()[:LONGEST_NAME].decode(errors="ignore")
    harmless = bool(kept) and kept.split(".")[0].lower() not in DEVICES
    if harmless and kept == name:
        return name
    code = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f"{kept}-{code}" if harmless else f"_{code}"


def can_be_path(text: str) -> bool:
    """Whether a file or folder can have this name at all."""
    try:
        return "\0" not in text and all(len(os.fsencode(part)) <= LONGEST_PART for part in Path(text).parts)
    except UnicodeEncodeError:
        return False


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """A temporary name beside `path` that is renamed to it once all is written."""
    path = Path(path)
    temporary = path.with_name(f".{path.name[:60]}.{secrets.token_hex(4)}{UNFINISHED}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield temporary
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise HousematesError(f"{path}: cannot be written ({error.strerror or error}).") from None


def private_file(path: str | Path) -> None:
    """See that a file is there, empty if it is new, and that nobody but its owner can read or write it."""
    path = Path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        with suppress(PermissionError):  # it is another one's, who has let us write
            path.chmod(0o600)
    except OSError as error:
        raise HousematesError(f"{path}: cannot be written ({error.strerror or error}).") from None


def unfinished(folder: Path, name: str | None = None) -> Iterator[Path]:
    """What writers who died have left in a folder at any depth, or beside a file of this name."""
    found = folder.rglob(f".*{UNFINISHED}") if name is None else folder.glob(f".*{UNFINISHED}")
    beginning = "." if name is None else f".{name[:60]}."
    for path in found:
        if path.name.startswith(beginning) and re.fullmatch(r".+\.[0-9a-f]{8}", path.stem):
            yield path


@contextmanager
def _compressed(stream: BinaryIO, packed: bool) -> Iterator[BinaryIO]:
    if not packed:
        yield stream
        return
    import zstandard

    with zstandard.ZstdCompressor(level=LEVEL).stream_writer(stream, closefd=False) as sink:
        yield sink


def _open_text(path: Path) -> io.TextIOBase:
    if is_device(path):
        raise IsADeviceError
    begin = PACKED.get(path.suffix)
    if begin is None:
        return path.open(encoding="utf-8")
    return io.TextIOWrapper(io.BufferedReader(_Decompressed(path.open("rb"), begin)), encoding="utf-8")


def _begin_zst() -> Any:
    import zstandard

    return zstandard.ZstdDecompressor(max_window_size=MAX_ZSTD_WINDOW).decompressobj()


def _begin_gz() -> Any:
    import zlib

    return zlib.decompressobj(zlib.MAX_WBITS | 16)


PACKED = {".zst": _begin_zst, ".gz": _begin_gz}
"""How files are unpacked whose names end so."""


class _Decompressed(io.RawIOBase):
    """The content of a packed file; an end in the middle is an error, where the libraries are silent."""

    def __init__(self, source: io.BufferedReader, begin: Callable[[], Any]) -> None:
        self._source, self._begin = source, begin
        self._frame: Any = None
        self._left = FREE_BYTES + MOST_TIMES * os.fstat(source.fileno()).st_size
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Put the next bytes into the buffer and return how many they are."""
        while not self._ready:
            packed = self._source.read(1 << 12)
            if not packed:
                if self._frame is not None:
                    raise EOFError("it ends in the middle")
                return 0
            self._ready = memoryview(self._unpack(packed))
            self._left -= len(self._ready)
            if self._left < 0:
                raise ValueError("it unpacks to far more than it should")
        size = min(len(buffer), len(self._ready))
        buffer[:size], self._ready = self._ready[:size], self._ready[size:]
        return size

    def _unpack(self, packed: bytes) -> bytes:
        found = b""
        while packed:
            if self._frame is None:
                self._frame = self._begin()
            found += self._frame.decompress(packed)
            packed = self._frame.unused_data if self._frame.eof else b""
            self._frame = None if self._frame.eof else self._frame
        return found

    def close(self) -> None:
        """Close the file beneath."""
        self._source.close()
        super().close()


def _unreadable(path: str | Path, error: Exception, after_line: int | None = None) -> HousematesError:
    if isinstance(error, FileNotFoundError):
        return HousematesError(f"{path}: no such file.")
    if isinstance(error, IsADirectoryError):
        return HousematesError(f"{path}: expected a file, found a folder.")
    if isinstance(error, IsADeviceError):
        return HousematesError(f"{path}: expected a file, found a device.")
    where = f" after line {after_line}" if after_line else ""
    return HousematesError(f"{path}: cannot be read{where} ({_reason(error)}); is the download complete?")


def _reason(error: Exception) -> str:
    """Why a file cannot be read, in our words."""
    if isinstance(error, OSError):
        return error.strerror or "the system refuses"
    if isinstance(error, UnicodeDecodeError):
        return "it is no UTF-8 text"
    if type(error).__name__ in ("ZstdError", "error"):
        return "it cannot be unpacked"
    return str(error)
