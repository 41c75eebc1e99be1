"""What people call things."""

from __future__ import annotations

import pytest

from housemates.benchmarks.teach.world.names import types_named
from housemates.home.types import object_types


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("fridge", "Fridge"),
        ("coffee maker", "CoffeeMachine"),
        ("cutting tool", "Knife"),
        ("cup board", "Cabinet"),
        ("knives", "Knife"),
        ("Plates", "Plate"),
        ("letuce", "Lettuce"),
        ("kinfe", "Knife"),
        ("the clean mug?", "Mug"),
        ("tomatoes", "Tomato"),
        ("table", "DiningTable"),
        ("knife is in the sink", "Knife"),
        ("slice of bread", "BreadSliced"),
    ],
)
def test_people_find_what_they_mean(words: str, kind: str) -> None:
    assert types_named(words, object_types())[0] == kind


@pytest.mark.parametrize("words", ["", "  ", "asdfgh", "unicorn", "yeah", "i", "42", "on your left"])
def test_nonsense_finds_nothing(words: str) -> None:
    assert types_named(words, object_types()) == []


def test_what_is_not_there_is_not_found() -> None:
    assert types_named("fridge", ["Floor", "Sofa", "Bread"]) == []
    assert types_named("knife", ["ButterKnife"]) == ["ButterKnife"]
