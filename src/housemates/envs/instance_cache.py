"""Instances that are made ahead: a folder in the user's cache, filled by one process in the background.

A file holds what one reference opens to, as compressed msgpack; it appears whole or not at all. Whatever
cannot be read is made again, so the folder can be deleted at any time. Of what is read, only instances that
are asked for are decoded: those of a recorded game hold all of it, each.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import zstandard

import housemates
from housemates.core import registry
from housemates.core.benchmark import Benchmark, Instance, Reference
from housemates.errors import HousematesError
from housemates.file_locks import lock
from housemates.files import user_folder

MOST_BYTES = 2**30
"""Of all folders together; those that were not used for longest go first."""
AGAIN_S = 30.0
"""If the background process ends before its work is done, the next one is not started sooner than this."""


Row = tuple[str, str, msgspec.Raw, int, dict[str, str]]
"""An instance, field by field; its data is not yet decoded."""


class Packed(Sequence[Instance]):
    """The instances of a file, each decoded when it is asked for the first time."""

    def __init__(self, rows: list[Row], data: Any) -> None:
        self._rows, self._data = rows, data
        self._decoded: dict[int, Instance] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        number = range(len(self))[number]
        if number not in self._decoded:
            name, task, raw, seed, tags = self._rows[number]
            data = msgspec.msgpack.decode(raw, type=self._data)
            self._decoded[number] = Instance(name, task, data, seed, tags)
        return self._decoded[number]


class Stock:
    """The instances of one benchmark with certain options, made from one seed.

    Args:
        benchmark: Makes them.
        split: Where its references come from.
        seed: And from which seed.
        size: How many references there are.
        root: The folder of all stocks.
    """

    def __init__(self, benchmark: Benchmark, split: str, seed: int, size: int, root: Path) -> None:
        options = plain_options(benchmark) or {}
        self.order = {
            "benchmark": benchmark.name,
            "options": {key: options[key] for key in sorted(options.keys() - benchmark.seat_options)},
            "split": split,
            "seed": seed,
        }
        self.size = size
        told = json.dumps([benchmark.id, housemates.__version__, _source(), self.order], sort_keys=True)
        name = hashlib.blake2b(told.encode(), digest_size=10).hexdigest()
        self.folder = root / f"{benchmark.name}-{name}"
        self._data = benchmark.Data
        self._started = -AGAIN_S

    def read(self, number: int) -> Packed | None:
        """What a reference opens to, if it is there."""
        try:
            packed = zstandard.ZstdDecompressor().decompress(self._file(number).read_bytes())
            rows = msgspec.msgpack.decode(packed, type=list[Row])
        except (OSError, zstandard.ZstdError, msgspec.MsgspecError, ValueError):
            return None
        return Packed(rows, self._data)

    def write(self, number: int, instances: Sequence[Instance]) -> None:
        """Keep what a reference opens to; if there is no room for it, nothing happens."""
        rows = [(each.id, each.task, each.data, each.seed, dict(each.tags)) for each in instances]
        packed = zstandard.ZstdCompressor(level=3, write_checksum=True).compress(msgspec.msgpack.encode(rows))
        target = self._file(number)
        half = target.with_name(f"{target.name}.{os.getpid()}.part")
        with suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            try:
                half.write_bytes(packed)
                half.replace(target)
            finally:
                half.unlink(missing_ok=True)

    def made(self) -> int:
        """How many references are there."""
        return sum(self._file(number).is_file() for number in range(self.size))

    def make_ahead(self) -> None:
        """See to it that a process makes what is missing, unless one does already."""
        now = time.monotonic()
        if now - self._started < AGAIN_S:
            return
        self._started = now
        if self.made() < self.size:
            with suppress(OSError):
                self.folder.mkdir(parents=True, exist_ok=True)
                with _locked(self.folder / "lock") as free:
                    pass
                if free:
                    _start({**self.order, "size": self.size, "root": str(self.folder.parent)})

    def fill(self, benchmark: Benchmark, references: Sequence[Reference]) -> None:
        """Make what is missing, if nobody else does."""
        with _locked(self.folder / "lock") as mine:
            if not mine:
                return
            for number, reference in enumerate(references):
                if number % 32 == 0 and not make_room(self.folder.parent, self.folder):
                    return
                if not self._file(number).is_file():
                    self.write(number, opened(benchmark, reference))

    def _file(self, number: int) -> Path:
        return self.folder / f"{number:06}.msgpack.zst"


def opened(benchmark: Benchmark, reference: Reference) -> list[Instance]:
    """What a generated reference opens to; nothing if this draw comes to nothing."""
    try:
        return list(benchmark.open(reference))
    except HousematesError:
        return []


def plain_options(benchmark: Benchmark) -> dict[str, Any] | None:
    """A benchmark's options as JSON; None if there is one that cannot be written down."""
    found = {key: str(value) if isinstance(value, Path) else value for key, value in _fields(benchmark)}
    plain = all(value is None or isinstance(value, str | int | float | bool) for value in found.values())
    return found if plain else None


def cache_folder() -> Path | None:
    """Where stocks are: `HOUSEMATES_CACHE`, or the user's cache; None if that variable is empty."""
    named = os.environ.get("HOUSEMATES_CACHE")
    if named is not None:
        return Path(named) if named else None
    return user_folder("cache") / "housemates" / "supply"


def make_room(root: Path, keep: Path) -> bool:
    """Delete folders, the least recently used first, but the one to keep, until there is room for more."""
    os.utime(keep)
    sizes = {each: _bytes(each) for each in root.iterdir() if each.is_dir()}
    total = sum(sizes.values())
    for each in sorted(sizes, key=lambda folder: folder.stat().st_mtime):
        if total > MOST_BYTES and each != keep:
            shutil.rmtree(each, ignore_errors=True)
            total -= sizes[each]
    return total <= MOST_BYTES


def _bytes(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.iterdir())


def _fields(benchmark: Benchmark) -> Iterator[tuple[str, Any]]:
    yield from sorted(asdict(benchmark.options).items())


@cache
def _source() -> str:
    """A fingerprint of this package's files, so that what an older one made is not used."""
    root = Path(housemates.__file__).parent
    files = sorted(path for path in root.rglob("*") if path.suffix in (".py", ".toml", ".json", ".zst"))
    told = [f"{path.relative_to(root)} {(stat := path.stat()).st_size} {stat.st_mtime_ns}" for path in files]
    return hashlib.blake2b("\n".join(told).encode(), digest_size=10).hexdigest()


@contextmanager
def _locked(path: Path) -> Iterator[bool]:
    """Hold a lock while this lasts, if nobody else holds it; it goes with the process."""
    with path.open("a+b") as file:
        mine = False
        with suppress(OSError):
            mine = lock(file)
        yield mine


def _start(order: dict[str, Any]) -> None:
    """Start a process that fills a stock; it ends with this one."""
    paths = [str(Path(housemates.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    maker = subprocess.Popen(
        [sys.executable, "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
    )
    assert maker.stdin is not None
    maker.stdin.write(json.dumps(order).encode() + b"\n")
    maker.stdin.flush()
    atexit.register(_end, maker, os.getpid())


def _end(maker: subprocess.Popen[bytes], owner: int) -> None:
    if os.getpid() == owner and maker.poll() is None:
        maker.kill()
        maker.wait()


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


def main() -> None:
    """Fill the stock that standard input names, until that is done or standard input ends."""
    order = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(10)
    benchmark = registry.benchmark(order["benchmark"], **order["options"])
    references = list(islice(benchmark.references(order["split"], order["seed"]), order["size"]))
    stock = Stock(benchmark, order["split"], order["seed"], order["size"], Path(order["root"]))
    stock.fill(benchmark, references)


if __name__ == "__main__":
    main()
