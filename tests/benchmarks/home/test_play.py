"""Driving the agent by words."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from housemates.benchmarks.home.agents.coffee import make_coffee
from housemates.benchmarks.home.commands.play import KEYS, MOVES, TOUCHES, Player
from housemates.home import ACTIONS, World
from housemates.home.scenes import load, scene_ids
from housemates.render.terminal import blocks


@pytest.fixture
def player() -> Player:
    return Player(World(load("kitchen-03")))


def play(
    *lines: str, scene: str = "kitchen-03", options: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "housemates.cli.main", "play", "home", scene, *options]
    return subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True)


def test_commands_can_be_piped_in(tmp_path: Path) -> None:
    picture = tmp_path / "seen.png"
    run = play(
        "forward", "fly", "pickup unicorn", "look", "quit", "left", options=("--picture", str(picture))
    )
    assert run.returncode == 0, run.stderr
    assert "I do not know 'fly'" in run.stdout
    assert "There is no 'unicorn' here." in run.stdout
    assert "You stand at" in run.stdout
    assert run.stdout.count("> ") == 5
    assert Image.open(picture).size == (300, 300)


def test_an_unknown_room_is_one_sentence_and_exit_code_2() -> None:
    run = play("quit", scene="attic-99")
    assert run.returncode == 2
    assert run.stderr.count("\n") == 1
    assert "attic-99" in run.stderr


def test_every_word_stands_for_an_action() -> None:
    assert {*MOVES.values(), *TOUCHES.values()} == set(ACTIONS) - {"Teleport"}
    assert set(KEYS.values()) == set(MOVES)


def test_keys_can_be_given_together(player: Player) -> None:
    outcomes = player.obey("aad")
    assert [outcome.success for outcome in outcomes] == [True] * 3
    assert player.world.agent.rotation == (player.world.scene.agent.rotation - 90) % 360


def test_everything_can_be_undone(player: Player) -> None:
    before = player.world.digest()
    for line in ("aar", "open fridge", "pickup mug", "reset"):
        player.obey(line)
    while player.obey("undo")[0].success:
        pass
    assert player.world.digest() == before


def test_help_names_every_command(player: Player) -> None:
    told = player.obey("help")[0].message
    assert all(word in told for word in (*MOVES, *TOUCHES, "undo", "look"))


def test_a_picture_becomes_half_blocks() -> None:
    rgb = np.zeros((40, 80, 3), np.uint8)
    rgb[:20] = (255, 0, 0)
    lines = blocks(rgb, 20).split("\n")
    assert len(lines) == 5
    assert all(line.count("▀") == 20 for line in lines)
    assert "38;2;255;0;0" in lines[0]
    assert "255" not in lines[-1]


@pytest.mark.parametrize("scene", scene_ids("kitchen"))
def test_the_script_makes_coffee_in_every_kitchen(scene: str) -> None:
    world = World(load(scene))
    full = {thing.id for thing in world.of_type("Mug") if thing.liquid == "coffee"}
    deeds = list(make_coffee(world))
    assert all(deed.outcome.success for deed in deeds)
    used = [deed.target for deed in deeds if deed.action == "Pickup"]
    mug = world.things[used[-1]]
    assert (mug.liquid, mug.dirty) == ("coffee", False)
    assert mug.id not in full or "Pour" in {deed.action for deed in deeds}
    assert world.held is None
