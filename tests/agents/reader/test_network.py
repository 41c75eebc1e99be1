"""What the reader makes of words."""

from __future__ import annotations

from pathlib import Path

import pytest

from housemates.agents.reader.language import network
from housemates.agents.reader.language.decoding import decode_dialogue, decode_directive
from housemates.agents.reader.language.network import card_lists, card_of, load, shipped_network
from housemates.agents.reader.language.slots import (
    TeachTask,
    alfred_task,
    slots_of_alfred,
    slots_of_teach,
    teach_task,
)
from housemates.agents.reader.language.spelling import corrected
from housemates.agents.reader.language.text import dialogue, directive
from housemates.benchmarks.alfred.tasks.goals import Task
from housemates.core.percepts import Utterance
from housemates.errors import HousematesError


def heard(*lines: str) -> TeachTask:
    """What the Commander's lines ask for."""
    network = shipped_network()
    said = [Utterance("commander", line) for line in lines]
    words = dialogue(said)
    return decode_dialogue(network.card, network.log_probs(words), words)[0].task


def told(goal: str, *steps: str) -> Task:
    """What a directive asks for."""
    network = shipped_network()
    return decode_directive(network.card, network.log_probs(directive(goal, steps)))[0].task


@pytest.mark.parametrize(
    ("lines", "meant"),
    [
        (["hi, can you make me some coffee please"], TeachTask("Coffee", ())),
        (["please water the plant"], TeachTask("Water Plant", ())),
        (["boil a potato", "the potato is in the fridge"], TeachTask("Boil X", ("Potato",))),
        (["make a plate of toast", "the knife is in the drawer"], TeachTask("Plate Of Toast", ())),
        (
            ["put all the remote controls on one sofa"],
            TeachTask("Put All X In One Y", ("RemoteControl", "on", "Sofa")),
        ),
        (
            ["get the pencil from the black bin and place it onto a furniture"],
            TeachTask("Put All X On Y", ("Pencil", "on", "Furniture")),
        ),
        (["clean all the mugs", "rinse them in the sink"], TeachTask("Clean All X", ("Mug",))),
    ],
)
def test_plain_wishes_are_understood(lines: list[str], meant: TeachTask) -> None:
    assert heard(*lines) == meant


def test_a_directive_is_read_from_its_goal_alone_and_with_its_steps() -> None:
    meant = Task("pick_heat_then_place_in_recep", "Apple", "DiningTable")
    assert told("Put a heated apple on the dining table.") == meant
    assert told("Put a heated apple on the dining table.", "Walk to the fridge.", "Heat it.") == meant


def test_a_misspelt_word_is_taken_for_the_one_that_is_meant() -> None:
    assert corrected("boil the pottatoh") == "boil the potato"
    assert heard("can you boyl a pottato please") == TeachTask("Boil X", ("Potato",))


@pytest.mark.parametrize("text", ["", "x" * 10_000, "ok " * 5_000, "Mach mir bitte einen Kaffee", "¿?!"])
def test_whatever_is_said_gives_tasks_with_their_odds(text: str) -> None:
    network = shipped_network()
    words = dialogue([Utterance("commander", text)])
    found = decode_dialogue(network.card, network.log_probs(words), words)
    assert 0 < sum(each.probability for each in found) <= 1.001
    assert decode_directive(network.card, network.log_probs(directive(text, [text])))


def test_slots_and_tasks_are_the_same_thing() -> None:
    task = Task("pick_two_obj_and_place", "Watch", "Drawer")
    assert alfred_task(slots_of_alfred(task)) == task
    salad = TeachTask("Salad", ("1", "2", "0"))
    assert teach_task(slots_of_teach(*salad)) == salad
    assert teach_task(slots_of_teach("Put All X On Y", ("Fork", "in", "Sink"))).params == (
        "Fork",
        "in",
        "Sink",
    )


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
