"""A person plays at the terminal and is told in percent how it went."""

from __future__ import annotations

import io
import re

import pytest

from housemates.cli.main import main


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def play(command: str, *lines: str) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        main(command.split())
        return capsys.readouterr().out

    return play


def test_a_commander_who_asks_for_coffee_gets_it_and_has_a_hundred_percent(typed) -> None:
    said = typed("play teach --role commander --seed 0", "say please make coffee")
    assert "Have this done: Make coffee in a clean mug." in said
    assert "3 of 3 conditions hold" in said
    assert re.search(r"(?m)^The episode is over after \d+ acts\.$", said)
    (you,) = [line for line in said.splitlines() if line.startswith("you ")]
    assert you.split()[:3] == ["you", "100.0", "100.0"]
    assert "\nleaks: utterances that hold an id" in said


def test_whoever_leaves_is_told_how_far_it_went(typed) -> None:
    said = typed("play alfred --seed 0", "RotateLeft", "what", "quit")
    assert "Unknown act 'what'" in said
    assert said.splitlines()[-6].split() == ["so", "far", *["0.0"] * 4, "1.0"]


def test_a_refusal_and_a_goal_are_told_once(typed) -> None:
    said = typed("play home --seed 0", "open 3", "open 3", "quit")
    assert said.count("there is no '3' here") == 2
    assert typed("play alfred --seed 0", "quit").count("Goal: ") == 1


def test_what_a_commander_types_is_said_if_it_is_no_act(typed) -> None:
    said = typed("play teach --role commander --agents follower=reader", "hi there", "hi there", "quit")
    assert said.count("follower: Hello! What should I do?") == 2
