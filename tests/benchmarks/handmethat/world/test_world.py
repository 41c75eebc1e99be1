"""The household: categories, actions and what they change."""

from __future__ import annotations

import numpy as np
import pytest

from housemates.benchmarks.handmethat.generate.scenes import sample_world
from housemates.benchmarks.handmethat.world.catalog import LOCATIONS, categories
from housemates.benchmarks.handmethat.world.commands import Commands
from housemates.benchmarks.handmethat.world.dynamics import HUMAN, ROBOT, World, make_scene
from housemates.benchmarks.handmethat.world.operators import Action, perform


@pytest.fixture
def kitchen() -> World:
    """A rag and an apple on the table with a knife, a plate on the floor, a shut box in the shut cabinet."""
    scene = make_scene(
        [(name, None, None) for name in ("rag#0", "apple#0", "knife#0", "mug#0", "box#0", "hat#0")]
    )
    where = dict(zip(scene.names[16:], ("table", "table", "table", "floor", "cabinet", "box#0"), strict=True))
    parents = [0] * 16 + [scene.index[where[name]] for name in scene.names[16:]]
    return World.build(
        scene, parents, {scene.index["hat#0"]: ["dusty"], scene.index["refrigerator"]: ["toggled"]}
    )


def do(world: World, name: str, *names: str, agent: int = HUMAN) -> bool:
    return perform(world, agent, Action(name, tuple(world.scene.index[word] for word in names)))


def test_there_are_155_categories_and_16_places() -> None:
    assert len(categories()) == 155
    assert len(LOCATIONS) == 16


def test_what_a_receptacle_holds_travels_with_it(kitchen: World) -> None:
    assert do(kitchen, "move", "floor", "cabinet")
    assert not do(kitchen, "pick-up-at-location", "box#0", "cabinet")
    assert do(kitchen, "open-location", "cabinet")
    assert do(kitchen, "pick-up-at-location", "box#0", "cabinet")
    assert do(kitchen, "move", "cabinet", "bed")
    assert do(kitchen, "put-ontop-location", "box#0", "bed")
    assert kitchen.location(kitchen.scene.index["hat#0"]) == kitchen.scene.index["bed"]


def test_a_dry_rag_cleans_nothing_and_a_soaked_one_does(kitchen: World) -> None:
    hat = kitchen.scene.index["hat#0"]
    for step in (("move", "floor", "cabinet"), ("open-location", "cabinet")):
        assert do(kitchen, *step)
    assert do(kitchen, "open-receptacle-at-location", "box#0", "cabinet")
    assert do(kitchen, "pick-up-from-receptacle-at-location", "hat#0", "box#0", "cabinet")
    assert do(kitchen, "move", "cabinet", "table")
    assert do(kitchen, "put-ontop-location", "hat#0", "table")
    assert do(kitchen, "pick-up-at-location", "rag#0", "table")
    assert not do(kitchen, "clean-obj-at-location", "hat#0", "rag#0", "table")
    assert do(kitchen, "move", "table", "sink")
    assert do(kitchen, "put-inside-location", "rag#0", "sink")
    assert not do(kitchen, "soak-obj", "rag#0", "sink")
    assert do(kitchen, "toggle-on-location", "sink")
    assert do(kitchen, "soak-obj", "rag#0", "sink")
    assert not kitchen.flag(kitchen.scene.index["sink"], "toggled")
    assert do(kitchen, "pick-up-at-location", "rag#0", "sink")
    assert do(kitchen, "move", "sink", "table")
    assert do(kitchen, "clean-obj-at-location", "hat#0", "rag#0", "table")
    assert not kitchen.flag(hat, "dusty")


def test_slicing_takes_a_knife_in_hand_and_food_on_a_place(kitchen: World) -> None:
    do(kitchen, "move", "floor", "table")
    assert not do(kitchen, "slice-obj", "apple#0", "knife#0", "table")
    do(kitchen, "pick-up-at-location", "knife#0", "table")
    assert do(kitchen, "slice-obj", "apple#0", "knife#0", "table")
    assert kitchen.flag(kitchen.scene.index["apple#0"], "sliced")


def test_cooling_undoes_cooking(kitchen: World) -> None:
    apple = kitchen.scene.index["apple#0"]
    for step in (
        ("move", "floor", "table"),
        ("pick-up-at-location", "apple#0", "table"),
        ("move", "table", "stove"),
        ("put-ontop-location", "apple#0", "stove"),
        ("toggle-on-location", "stove"),
        ("heat-obj", "apple#0", "stove"),
    ):
        assert do(kitchen, *step)
    assert kitchen.flag(apple, "cooked") and not kitchen.flag(kitchen.scene.index["stove"], "toggled")
    for step in (
        ("pick-up-at-location", "apple#0", "stove"),
        ("move", "stove", "refrigerator"),
        ("open-location", "refrigerator"),
        ("put-inside-location", "apple#0", "refrigerator"),
        ("cool-obj", "apple#0", "refrigerator"),
    ):
        assert do(kitchen, *step)
    assert kitchen.flag(apple, "frozen") and not kitchen.flag(apple, "cooked")


def test_receptacles_do_not_go_into_receptacles(kitchen: World) -> None:
    for step in (("move", "floor", "cabinet"), ("open-location", "cabinet")):
        do(kitchen, *step)
    do(kitchen, "open-receptacle-at-location", "box#0", "cabinet")
    do(kitchen, "move", "cabinet", "floor")
    assert do(kitchen, "pick-up-at-location", "mug#0", "floor")
    do(kitchen, "move", "floor", "cabinet")
    assert not do(kitchen, "put-inside-receptacle-at-location", "mug#0", "box#0", "cabinet")
    assert do(kitchen, "put-inside-location", "mug#0", "cabinet")


def test_only_the_robot_hands_things_over(kitchen: World) -> None:
    mug = kitchen.scene.index["mug#0"]
    assert do(kitchen, "pick-up-at-location", "mug#0", "floor", agent=ROBOT)
    assert not do(kitchen, "bring-to-human", "mug#0", agent=ROBOT)
    assert perform(kitchen, ROBOT, Action("move", (0, -1)))
    assert not do(kitchen, "bring-to-human", "mug#0", agent=HUMAN)
    assert do(kitchen, "bring-to-human", "mug#0", agent=ROBOT)
    assert kitchen.parent(mug) == kitchen.scene.hand(HUMAN)


def test_a_snapshot_restores_everything_and_diff_names_what_changed(kitchen: World) -> None:
    before, digest = kitchen.snapshot(), kitchen.digest()
    other = kitchen.copy()
    do(kitchen, "pick-up-at-location", "mug#0", "floor")
    assert kitchen.digest() != digest
    assert set(kitchen.diff(other)) == {"mug#0 parent", "human holds"}
    kitchen.restore(before)
    assert kitchen.digest() == digest and kitchen.children == other.children


def test_scenes_are_as_large_as_the_paper_says_and_depend_on_the_seed_alone() -> None:
    worlds = [sample_world(np.random.default_rng(seed)) for seed in range(40)]
    sizes = [world.scene.size for world in worlds]
    kinds = [len(world.scene.instances) for world in worlds]
    assert 220 <= np.mean(sizes) <= 250 and 100 <= np.mean(kinds) <= 120
    assert worlds[3].digest() == sample_world(np.random.default_rng(3)).digest()


def test_food_is_cooked_where_it_is_hot_and_frozen_in_the_refrigerator() -> None:
    world = sample_world(np.random.default_rng(1))
    scene = world.scene
    for number in range(16, scene.size):
        if scene.kinds[number].class_ == "FOOD":
            place = world.parent(number)
            assert world.flag(number, "frozen") == (place == scene.index["refrigerator"])
            hot = place in {scene.index[name] for name in ("stove", "oven", "microwave")}
            assert world.flag(number, "cooked") == hot


def test_what_a_cloth_cleans_is_listed_once_it_has_been_soaked(kitchen: World) -> None:
    commands = Commands(kitchen)

    def robot(line: str) -> None:
        action = commands.parse(line)
        assert line in commands.possible() and action is not None and perform(kitchen, ROBOT, action), line

    for line in ("move to table", "pick up rag 0"):
        robot(line)
    assert not [line for line in commands.possible() if line.startswith("clean")]
    for line in ("move to sink", "put rag 0 into sink", "toggle on sink", "soak rag 0", "pick up rag 0"):
        robot(line)
    robot("move to table")
    assert "clean table with rag 0" in commands.possible()
