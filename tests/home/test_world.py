"""State as data: snapshots, digests, differences, and what contains what."""

from __future__ import annotations

import msgspec
import pytest

from housemates.home import World, act


def test_restore_brings_everything_back(kitchen) -> None:
    start, digest = kitchen.world.snapshot(), kitchen.world.digest()
    kitchen.do("Pickup", "Knife")
    kitchen.do("Slice", "Bread")
    kitchen.do("Open", "Fridge")
    assert kitchen.world.digest() != digest
    kitchen.world.restore(start)
    assert kitchen.world.digest() == digest
    assert kitchen.world.diff(start) == {}


def test_a_snapshot_does_not_change_with_the_world(kitchen) -> None:
    start = kitchen.world.snapshot()
    kitchen.do("Open", "Fridge")
    assert not start.things[kitchen["Fridge"].id].open


def test_an_open_door_blocks_and_a_restored_world_forgets_it(kitchen) -> None:
    act(kitchen.world, "Teleport", x=0.0, z=-0.75, rotation=270, horizon=0)
    start = kitchen.world.snapshot()
    free = [act(kitchen.world, "Forward").success for _ in range(9)]
    kitchen.world.restore(start)
    kitchen.do("Open", "Fridge")
    act(kitchen.world, "Teleport", x=0.0, z=-0.75, rotation=270, horizon=0)
    blocked = [act(kitchen.world, "Forward").success for _ in range(9)]
    kitchen.world.restore(start)
    assert sum(blocked) < sum(free)
    assert [act(kitchen.world, "Forward").success for _ in range(9)] == free


def test_reset_is_the_start(kitchen) -> None:
    fresh = World(kitchen.world.scene).digest()
    kitchen.do("Pickup", "Mug")
    kitchen.world.reset()
    assert kitchen.world.digest() == fresh


def test_a_difference_names_the_thing_the_field_and_both_values(kitchen) -> None:
    start = kitchen.world.snapshot()
    kitchen.do("Open", "Fridge")
    changes = kitchen.world.diff(start)
    assert changes[kitchen["Fridge"].id] == {"open": (False, True)}
    assert set(changes) == {kitchen["Fridge"].id, "agent"}


def test_a_difference_shows_what_came_into_being(kitchen) -> None:
    kitchen.do("Pickup", "Knife")
    start = kitchen.world.snapshot()
    kitchen.do("Slice", "Egg")
    changes = kitchen.world.diff(start)
    piece = kitchen["EggCracked"]
    assert changes[piece.id]["type"] == (None, "EggCracked")


def test_the_order_of_things_does_not_change_the_digest(kitchen) -> None:
    scene = kitchen.world.scene
    backwards = msgspec.structs.replace(scene, things=scene.things[::-1])
    assert World(backwards).digest() == kitchen.world.digest()


@pytest.mark.parametrize(
    ("field", "value"), [("dirty", True), ("look", 1), ("liquid", "water"), ("yaw", 90.0), ("warm_until", 3)]
)
def test_every_field_counts_in_the_digest(kitchen, field, value) -> None:
    before = kitchen.world.digest()
    kitchen.change("Mug", **{field: value})
    assert kitchen.world.digest() != before


def test_contents_are_direct_and_contents_deep_go_all_the_way(kitchen) -> None:
    kitchen.take("Apple", "Plate")
    kitchen.do("Open", "Fridge")
    kitchen.take("Plate", "Fridge")
    fridge, plate, apple = kitchen["Fridge"], kitchen["Plate"], kitchen["Apple"]
    assert kitchen.world.contents(fridge) == [plate]
    assert set(kitchen.world.contents_deep(fridge)) == {plate, apple}
    assert list(kitchen.world.ancestors(apple)) == [plate, fridge]
    assert kitchen.world.enclosing(apple) is None
    kitchen.do("Close", "Fridge")
    assert kitchen.world.enclosing(apple) == kitchen["Fridge"]


def test_moving_a_dish_turns_what_lies_on_it_with_it(kitchen) -> None:
    kitchen.take("Apple", "Plate")
    plate, apple = kitchen["Plate"], kitchen["Apple"]
    dx, dz = apple.position[0] - plate.position[0], apple.position[2] - plate.position[2]
    kitchen.world.move(plate, (1.0, 0.5, -0.5), plate.yaw + 90.0, ())
    x, y, z = kitchen["Apple"].position
    assert (x, z) == pytest.approx((1.0 + dz, -0.5 - dx))
    assert y - 0.5 == pytest.approx(apple.position[1] - plate.position[1])
