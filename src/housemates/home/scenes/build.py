"""Make the file of rooms that comes with the package: `python -m housemates.home.scenes.build`."""

from __future__ import annotations

from pathlib import Path

import msgspec
import zstandard

from housemates.files import write_bytes
from housemates.home.scenes.catalogue import ROOMS_FILE, make, scene_ids
from housemates.parallel import map_ordered


def encoded(scene_id: str) -> bytes:
    """One room as a line of JSON."""
    return msgspec.json.encode(make(scene_id))


def main() -> None:
    """Generate all rooms and write them beside this module."""
    lines = list(map_ordered(encoded, scene_ids(), label="rooms"))
    data = zstandard.ZstdCompressor(level=19).compress(b"\n".join(lines))
    write_bytes(Path(__file__).parent / ROOMS_FILE, data)
    print(f"{len(lines)} rooms, {len(data)} bytes")


if __name__ == "__main__":
    main()
