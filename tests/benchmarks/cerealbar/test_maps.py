"""Maps: what is on them, and that one can always play on them."""

from __future__ import annotations

import numpy as np
import pytest

from housemates.benchmarks.cerealbar.generate.maps import generate_map, new_game
from housemates.benchmarks.cerealbar.world.hexes import Size, edge
from housemates.benchmarks.cerealbar.world.hexmap import HexMap, map_from_json
from housemates.benchmarks.cerealbar.world.state import Options
from housemates.benchmarks.cerealbar.world.tables import NO_PROP, PATH, PROPS, TERRAINS
from housemates.errors import HousematesError


def maps(number: int) -> list[HexMap]:
    return [generate_map(np.random.default_rng(seed)) for seed in range(number)]


def test_maps_have_the_published_numbers_of_things() -> None:
    for hexmap in maps(40):
        families = [PROPS[prop].family for prop in hexmap.prop if prop != NO_PROP]
        assert families.count("tree") == 29
        assert sum(family in ("hut", "tent", "windmill", "tower") for family in families) == 8
        assert 15 <= sum(family in ("plant", "lamppost") for family in families) <= 25
        grounds = [TERRAINS[ground].name for ground in hexmap.terrain]
        assert 8 <= grounds.count("hill") + grounds.count("short hill") <= 17
        assert grounds.count("path") >= 30


def test_nothing_stands_on_the_edge_or_on_path_and_no_two_structures_touch() -> None:
    for hexmap in maps(40):
        placed = [at for at, prop in enumerate(hexmap.prop) if prop != NO_PROP]
        assert edge(hexmap.size).isdisjoint(placed)
        assert all(TERRAINS[hexmap.terrain[at]].name == "grass" for at in placed)
        built = {at for at in placed if PROPS[hexmap.prop[at]].family in ("hut", "tent", "windmill", "tower")}
        from housemates.benchmarks.cerealbar.world.hexes import neighbours

        assert all(built.isdisjoint(neighbours(hexmap.size)[at]) for at in built)


def test_cards_and_players_are_in_one_connected_region() -> None:
    for seed in range(60):
        game = new_game(seed)
        places = {*game.cards, *game.position}
        reached, todo = {game.position[0]}, [game.position[0]]
        while todo:
            for to in game.map.exit_table[todo.pop()].tolist():
                if to >= 0 and to not in reached:
                    reached.add(to)
                    todo.append(to)
        assert places <= reached
        assert len(game.cards) == 21
        assert all(game.map.terrain[at] == PATH for at in game.position)
        assert set(game.position).isdisjoint(game.cards)
        assert edge(game.map.size).isdisjoint(game.cards)


def test_the_same_seed_gives_the_same_map_and_another_seed_another() -> None:
    assert new_game(3).digest() == new_game(3).digest()
    assert new_game(3).map.digest != new_game(4).map.digest


def test_maps_of_other_sizes_are_playable() -> None:
    for side in (10, 15, 40):
        game = new_game(1, Options(width=side, height=side + 2, cards=9))
        assert game.map.size == Size(side, side + 2)
        assert len(game.cards) == 9


def test_a_map_survives_being_written_and_read() -> None:
    hexmap = maps(1)[0]
    assert map_from_json(hexmap.to_json()) == hexmap


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(width=3, height=3), "hexes a side"),
        (Options(width=6, height=6, cards=40), "no connected place"),
    ],
)
def test_a_map_without_room_is_refused(options: Options, words: str) -> None:
    with pytest.raises(HousematesError, match=words):
        new_game(0, options)


def test_a_map_of_water_has_no_place_for_cards() -> None:
    size = Size(8, 8)
    sea = HexMap(size, (2,) * 64, (NO_PROP,) * 64, (0,) * 64)
    with pytest.raises(HousematesError, match="connected place"):
        new_game(0, Options(width=8, height=8), sea)


@pytest.mark.parametrize("field", ["terrain", "props", "rotations"])
def test_a_map_with_too_few_hexes_names_the_field(field: str) -> None:
    value = maps(1)[0].to_json()
    value[field] = value[field][:-1]
    with pytest.raises(HousematesError, match=f"map.{field}: expected 625"):
        map_from_json(value)
