"""What the reader makes of words."""

from __future__ import annotations

from pathlib import Path

import pytest

from housemates.agents.reader.follower import corrected
from housemates.agents.reader.language import network
from housemates.agents.reader.language.decoding import decide_dialogue, decide_directive
from housemates.agents.reader.language.network import card_lists, card_of, load, shipped_network
from housemates.agents.reader.language.slots import Asked, asked, directive_task, of_directive, of_task
from housemates.agents.reader.language.text import dialogue, directive
from housemates.benchmarks.alfred.tasks.goals import Task
from housemates.core.percepts import Utterance
from housemates.errors import HousematesError


def heard(*lines: str) -> Asked:
    """What the Commander's lines ask for."""
    network = shipped_network()
    said = [Utterance("commander", line) for line in lines]
    words = dialogue(said)
    return decide_dialogue(network.card, network.odds(words), words)[0].asked


def told(goal: str, *steps: str) -> Task:
    """What a directive asks for."""
    network = shipped_network()
    return decide_directive(network.card, network.odds(directive(goal, steps)))[0].task


@pytest.mark.parametrize(
    ("lines", "meant"),
    [
        (["hi, can you make me some coffee please"], Asked("Coffee", ())),
        (["please water the plant"], Asked("Water Plant", ())),
        (["boil a potato", "the potato is in the fridge"], Asked("Boil X", ("Potato",))),
        (["make a plate of toast", "the knife is in the drawer"], Asked("Plate Of Toast", ())),
        (
            ["put all the remote controls on one sofa"],
            Asked("Put All X In One Y", ("RemoteControl", "on", "Sofa")),
        ),
        (
            ["get the pencil from the black bin and place it onto a furniture"],
            Asked("Put All X On Y", ("Pencil", "on", "Furniture")),
        ),
        (["clean all the mugs", "rinse them in the sink"], Asked("Clean All X", ("Mug",))),
    ],
)
def test_plain_wishes_are_understood(lines: list[str], meant: Asked) -> None:
    assert heard(*lines) == meant


def test_a_directive_is_read_from_its_goal_alone_and_with_its_steps() -> None:
    meant = Task("pick_heat_then_place_in_recep", "Apple", "DiningTable")
    assert told("Put a heated apple on the dining table.") == meant
    assert told("Put a heated apple on the dining table.", "Walk to the fridge.", "Heat it.") == meant


def test_a_misspelt_word_is_taken_for_the_one_that_is_meant() -> None:
    assert corrected("boil the pottatoh") == "boil the potato"
    assert heard("can you boyl a pottato please") == Asked("Boil X", ("Potato",))


@pytest.mark.parametrize("text", ["", "x" * 10_000, "ok " * 5_000, "Mach mir bitte einen Kaffee", "¿?!"])
def test_whatever_is_said_gives_tasks_with_their_odds(text: str) -> None:
    network = shipped_network()
    words = dialogue([Utterance("commander", text)])
    found = decide_dialogue(network.card, network.odds(words), words)
    assert 0 < sum(each.odds for each in found) <= 1.001
    assert decide_directive(network.card, network.odds(directive(text, [text])))


def test_slots_and_tasks_are_the_same_thing() -> None:
    task = Task("pick_two_obj_and_place", "Watch", "Drawer")
    assert directive_task(of_directive(task)) == task
    salad = Asked("Salad", ("1", "2", "0"))
    assert asked(of_task(*salad)) == salad
    assert asked(of_task("Put All X On Y", ("Fork", "in", "Sink"))).params == ("Fork", "in", "Sink")


def test_a_card_survives_as_lists() -> None:
    card = shipped_network().card
    assert card_of(card_lists(card)) == card


def test_other_files_are_refused(tmp_path) -> None:
    with pytest.raises(HousematesError, match="expected a checkpoint"):
        load(tmp_path)
    (tmp_path / "model.json").write_text('{"vocabulary": {"words": []}, "weights": "w"}')
    with pytest.raises(HousematesError, match=r"model\.json"):
        load(tmp_path)
    card = (Path(network.__file__).parent / "weights" / "model.json").read_text()
    (tmp_path / "model.json").write_text(card)
    (tmp_path / "weights.safetensors").write_bytes(b"\x80\x04 no weights")
    with pytest.raises(HousematesError, match="a pickle"):
        load(tmp_path)
