"""The rooms that come with the package: ids, splits, the same scene every time."""

from __future__ import annotations

from collections import Counter

import msgspec
import numpy as np
import pytest

from housemates.errors import HousematesError
from housemates.home.scenes import catalogue, generate_room, load, scene_ids
from housemates.home.scenes.tables import tables
from housemates.home.world import World


def test_there_are_thirty_rooms_of_each_kind() -> None:
    rooms = Counter(load(name).room for name in scene_ids())
    assert rooms == {"kitchen": 30, "living room": 30, "bedroom": 30, "bathroom": 30}


def test_splits_share_no_room_and_leave_none_out() -> None:
    names = [name for split in ("train", "seen", "unseen") for name in scene_ids(split=split)]
    assert sorted(names) == sorted(scene_ids())
    assert len(set(names)) == 120


@pytest.mark.parametrize("room", ["kitchen", "living room", "bedroom", "bathroom"])
def test_unseen_rooms_are_laid_out_in_ways_no_other_room_is(room: str) -> None:
    layouts = {
        split: {catalogue.family_of(name) for name in scene_ids(room, split)}
        for split in ("train", "seen", "unseen")
    }
    assert layouts["seen"] <= layouts["train"]
    assert not layouts["unseen"] & layouts["train"]


@pytest.mark.parametrize("name", ["kitchen-26", "living-room-07", "bedroom-30", "bathroom-13"])
def test_a_room_made_again_is_the_one_in_the_file(name: str) -> None:
    assert catalogue.make(name) == load(name), "python -m housemates.home.scenes.build makes the file anew"


def test_a_room_by_seed_is_the_same_each_time_and_in_no_split() -> None:
    first, again = catalogue.make("bathroom-seed-12345"), catalogue.make("bathroom-seed-12345")
    assert msgspec.json.encode(first) == msgspec.json.encode(again)
    assert first.id == "bathroom-seed-12345"
    assert catalogue.split_of(first.id) == ""
    assert msgspec.structs.replace(first, id="") != msgspec.structs.replace(load("bathroom-01"), id="")


def test_no_two_rooms_are_alike() -> None:
    assert len({World(load(name)).digest() for name in scene_ids()}) == 120


@pytest.mark.parametrize("name", ["kitchen-31", "kitchen-00", "kitchen-1", "attic-01", "kitchen-seed-x", ""])
def test_an_unknown_room_is_named_in_one_sentence(name: str) -> None:
    with pytest.raises(HousematesError, match=f"There is no room '{name}'"):
        load(name)


def test_an_unknown_layout_is_refused() -> None:
    with pytest.raises(HousematesError, match="Unknown layout 'spiral' of a kitchen"):
        generate_room("kitchen", np.random.default_rng(0), "spiral")


def test_an_unknown_kind_of_room_is_refused() -> None:
    with pytest.raises(HousematesError, match="Unknown room 'attic'"):
        generate_room("attic", np.random.default_rng(0))


def test_a_split_nobody_knows_is_refused() -> None:
    with pytest.raises(HousematesError, match="train, seen, unseen"):
        scene_ids(split="test")


def test_every_family_of_the_tables_is_used() -> None:
    used = {(load(name).room, catalogue.family_of(name)) for name in scene_ids()}
    assert used == {(room, family) for room, table in tables().rooms.items() for family in table.families}
