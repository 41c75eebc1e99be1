"""What people and the talking Commander say is understood."""

from __future__ import annotations

import pytest

from housemates.agents.embodied.semantics import ALL, Fact, NounPhrase, Order, Question, Remark
from housemates.agents.teach.talk.parsing import parse
from housemates.agents.teach.talk.realisation import plural, sayings


def shown(phrase: NounPhrase | None) -> str:
    """A phrase in short: `2 TomatoSliced in Fridge`."""
    if phrase is None:
        return "-"
    count = "all " if phrase.count == ALL else f"{phrase.count} " if phrase.count > 1 else ""
    traits = "".join(f"{each} " for each in sorted(phrase.traits - {"sliced"}))
    places = "".join(f" {each.relation} {shown(each.anchor)}" for each in phrase.places)
    return f"{count}{traits}{phrase.types[0] if phrase.types else phrase.words or 'it'}{places}"


def heard(text: str) -> list[str]:
    """What an utterance says, in short."""
    found = []
    for each in parse(text):
        if isinstance(each, Order):
            goal = f" -> {each.goal.relation} {shown(each.goal.anchor)}" if each.goal is not None else ""
            parts = "".join(f" + {shown(part)}" for part in each.parts)
            found.append(f"{each.verb} {shown(each.theme)}{goal}{parts}")
        elif isinstance(each, Fact):
            found.append(f"fact {shown(each.theme)}")
        elif isinstance(each, Question):
            found.append(f"{each.about}? {shown(each.theme)}")
    return found


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        (
            "grab the knife from the counter and slice the tomato",
            ["take Knife in CounterTop", "slice Tomato"],
        ),
        ("The bread is in the fridge.", ["fact Bread in Fridge"]),
        ("put all forks in the sink", ["put all Fork -> in Sink"]),
        ("Can you boil a potato?", ["boil Potato"]),
        ("turn on the coffee machine", ["start CoffeeMachine"]),
        ("turn the faucet off please", ["stop Faucet"]),
        ("The knife is in the drawer left of the stove", ["fact Knife in Drawer left StoveBurner"]),
        ("look in bottom cabinet under toaster", ["fact it in bottom Cabinet below Toaster"]),
        ("It's behind you", ["fact it behind me -"]),
        ("take the mug to the sink", ["put Mug -> in Sink"]),
        ("cook 3 slices of potato and put them in a bowl", ["cook 3 PotatoSliced", "put it -> in Bowl"]),
        ("Next, put the toast on the plate.", ["put cooked BreadSliced -> on Plate"]),
        ("serve 1 slice of tomato on a plate", ["put TomatoSliced -> on Plate"]),
        ("make a plate of toast", ["make plate of toast"]),
        (
            "Make a salad with 1 slice of lettuce and 2 slices of tomato, on a clean plate.",
            ["make salad -> on clean Plate + LettuceSliced + 2 TomatoSliced"],
        ),
        ("fill the cup with water and pour it into the plant", ["fill Cup", "pour it -> in HousePlant"]),
        (
            "There is another newspaper on the sofa. Put it on the coffee table.",
            ["fact other Newspaper on Sofa", "put it -> on CoffeeTable"],
        ),
        ("No, the one to the left.", ["fact next left it"]),
        ("Where can I find the mug?", ["where? Mug"]),
        ("Which table?", ["which? DiningTable"]),
        ("Which cabinet, the one on my left?", ["which? Cabinet my left -"]),
        ("I see 4 of them. Which counter?", ["which? CounterTop"]),
        ("The one to the left of the stove.", ["fact it left StoveBurner"]),
        ("No, the top one next to the fridge", ["fact top it near Fridge"]),
        ("put the toast on the plate that is in the sink", ["put cooked BreadSliced -> on Plate in Sink"]),
        ("pour the water from the mug onto the plant", ["pour Mug -> on HousePlant"]),
        ("done, what next?", ["next? -"]),
    ],
)
def test_people_are_understood(text: str, meaning: list[str]) -> None:
    assert heard(text) == meaning


def test_trouble_is_told_from_orders() -> None:
    meanings = parse("I can't put the pot in the sink, there is no room.")
    assert [each.kind for each in meanings if isinstance(each, Remark)] == ["trouble"]
    assert not [each for each in meanings if isinstance(each, Order)]


@pytest.mark.parametrize("text", ["", "asdf qwer", "?!", "the the the", "put", "42", "in in the of"])
def test_nonsense_asks_for_nothing(text: str) -> None:
    assert not [each for each in parse(text) if isinstance(each, Order) and each.theme is not None]


@pytest.mark.parametrize("kind", sorted(set(sayings()["names"]) - {"Furniture", "SmallHandheldObjects"}))
def test_what_the_commander_calls_things_means_them(kind: str) -> None:
    same = {
        "StoveKnob": "StoveBurner",
        "SinkBasin": "Sink",
        "BathtubBasin": "Bathtub",
        "Tables": "DiningTable",
    }
    for name in sayings()["names"][kind]:
        for order in (f"take the {name}", f"take all the {plural(name)}"):
            found = parse(order)
            assert found and isinstance(found[0], Order) and found[0].theme is not None, order
            assert {kind, same.get(kind, kind), kind.removesuffix("s")} & set(found[0].theme.types), order
