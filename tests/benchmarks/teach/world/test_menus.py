"""What the two can do, as offers."""

from __future__ import annotations

import pytest

from housemates.benchmarks.teach.world import menus
from housemates.benchmarks.teach.world.actions import MOVES, TOUCHES, action_offered


@pytest.mark.parametrize("role", ["commander", "follower"])
def test_a_menu_is_a_constant_whose_names_are_those_of_the_official_actions(role: str) -> None:
    menu = menus.menu(role)
    assert menu is menus.menu(role) and tuple(menu)[:8] == MOVES
    assert all(name == offer.name and name.isidentifier() and offer.help for name, offer in menu.items())
    noted = [name for name in menu if name not in ("Pass", "Stop")]
    assert len({action_offered(name).id for name in noted}) == len(noted)
    with pytest.raises(TypeError):
        menu["Fly"] = menu["Stop"]  # type: ignore[index]


def test_a_follower_on_its_own_has_nobody_to_talk_to() -> None:
    assert set(menus.menu("follower")) - set(menus.menu("follower", talks=False)) == {"Say", "Pass"}


@pytest.mark.parametrize(("track", "ways"), menus.POINTING.items())
def test_a_track_says_how_things_are_pointed_at(track: str, ways: tuple[str, ...]) -> None:
    menu = menus.menu("follower", track)
    for name in TOUCHES:
        assert tuple(each.name for each in menu[name].arguments) == menu[name].one_of == ways
        assert not any(each.required for each in menu[name].arguments)


def test_choices_are_given_where_there_are_some() -> None:
    offers = menus.offers_now(
        menus.menu("follower", "any").values(), lambda name: ("Mug|1",) if name == "Pickup" else ()
    )
    found = {offer.name: offer for offer in offers}
    assert found["Pickup"].arguments[0].choices == ("Mug|1",)
    assert found["Pickup"].one_of == ("object", "point")
    assert found["Open"].one_of == ("point",)
    fewer = menus.offers_now(menus.menu("follower", "object").values(), lambda _: ())
    assert not {offer.name for offer in fewer} & set(TOUCHES)


def test_everybody_is_told_the_rules() -> None:
    told = [menus.rules("commander"), menus.rules("follower"), menus.rules("follower", alone=True)]
    assert [text.split(":")[0] for text in told] == [
        "You are the Commander",
        "You are the Follower",
        "You are the Follower",
    ]
    assert all("1.5 m" in text for text in told[1:]) and len(set(told)) == 3
