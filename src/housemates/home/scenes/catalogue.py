"""The rooms that come with the package, by id, and any number more by seed."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import resources

import msgspec
import numpy as np

from housemates.errors import HousematesError
from housemates.home.scenes.generate import generate_room
from housemates.home.scenes.tables import room_table, tables
from housemates.home.things import Scene

SPLITS = {"train": range(1, 21), "seen": range(21, 26), "unseen": range(26, 31)}
"""Numbers of the rooms in each split; those of `unseen` are laid out in ways that no other room is."""
ROOMS_FILE = "rooms.jsonl.zst"
NAME = re.compile(r"(kitchen|living-room|bedroom|bathroom)-(?:(\d\d)|seed-(\d+))")


def rooms() -> list[str]:
    """The kinds of rooms, as scenes name them."""
    return list(tables().rooms)


def scene_ids(room: str | None = None, split: str | None = None) -> list[str]:
    """The ids of the rooms that come with the package.

    Args:
        room: Only this kind: kitchen, living room, bedroom or bathroom.
        split: Only this split: train, seen or unseen.
    """
    kinds = [room.replace("-", " ")] if room is not None and room_table(room) else rooms()
    if split is not None and split not in SPLITS:
        raise HousematesError(f"Unknown split {split!r}: expected one of {', '.join(SPLITS)}.")
    numbers = SPLITS[split] if split is not None else [n for each in SPLITS.values() for n in each]
    return [f"{kind.replace(' ', '-')}-{number:02}" for kind in kinds for number in numbers]


def split_of(scene_id: str) -> str:
    """The split that a room belongs to; empty for one made from a seed."""
    number = NAME.fullmatch(scene_id)
    if number is None or number[2] is None:
        return ""
    return next((name for name, numbers in SPLITS.items() if int(number[2]) in numbers), "")


@lru_cache(maxsize=512)
def load(scene_id: str) -> Scene:
    """The room of this id, such as `kitchen-03`, or `kitchen-seed-12345` for one made on the spot."""
    shipped = _shipped().get(scene_id)
    if shipped is not None:
        return msgspec.json.decode(shipped, type=Scene)
    return make(scene_id)


@cache
def _shipped() -> dict[str, bytes]:
    """The packed rooms by id, each still as JSON."""
    import zstandard

    packed = resources.files(__package__).joinpath(ROOMS_FILE)
    if not packed.is_file():
        return {}
    lines = zstandard.ZstdDecompressor().decompress(packed.read_bytes(), max_output_size=2**28).splitlines()
    return dict(zip(scene_ids(), lines, strict=True))


def make(scene_id: str) -> Scene:
    """Generate the room of this id; the same one each time."""
    found = NAME.fullmatch(scene_id)
    if found is None or (found[2] and not split_of(scene_id)):
        raise HousematesError(
            f"There is no room {scene_id!r}: expected an id such as kitchen-01 to kitchen-30, "
            "living-room-07, bedroom-12, bathroom-30 or kitchen-seed-12345."
        )
    room = found[1].replace("-", " ")
    by_seed = found[3] is not None
    seed = [rooms().index(room), int(by_seed), int(found[3] if by_seed else found[2])]
    family = None if by_seed else family_of(scene_id)
    return generate_room(room, np.random.default_rng(seed), family, scene_id)


def family_of(scene_id: str) -> str:
    """How a numbered room is laid out: the families of its split in turn."""
    room, number = scene_id.rsplit("-", 1)
    unseen = split_of(scene_id) == "unseen"
    families = room_table(room).families
    names = [name for name, family in families.items() if family.unseen == unseen]
    return names[int(number) % len(names)]
