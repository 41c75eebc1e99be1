"""Make the file of rooms that comes with the package: `python -m housemates.home.scenes.build`."""

from __future__ import annotations

from pathlib import Path

import msgspec
import zstandard

from housemates.files import write_bytes
from housemates.home.scenes.catalogue import ROOMS_FILE, make, scene_ids
from housemates.home.things import Thing
from housemates.parallel import map_ordered

USUAL = msgspec.to_builtins(Thing(id="", type="", position=(0.0, 0.0, 0.0), size=(0.0, 0.0, 0.0)))
NEEDED = ("id", "type", "position", "size")


def encoded(scene_id: str) -> bytes:
    """One room as a line of JSON, without the fields of things that have their usual value."""
    data = msgspec.to_builtins(make(scene_id))
    data["things"] = [
        {name: value for name, value in thing.items() if name in NEEDED or value != USUAL[name]}
        for thing in data["things"]
    ]
    return msgspec.json.encode(data)


def main() -> None:
    """Generate all rooms and write them beside this module."""
    lines = list(map_ordered(encoded, scene_ids(), label="rooms"))
    data = zstandard.ZstdCompressor(level=19).compress(b"\n".join(lines))
    write_bytes(Path(__file__).parent / ROOMS_FILE, data)
    print(f"{len(lines)} rooms, {len(data)} bytes")


if __name__ == "__main__":
    main()
