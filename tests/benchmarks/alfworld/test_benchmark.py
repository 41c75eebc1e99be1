"""ALFWorld for the runner: splits, broken games among others, the seat, and who wins."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from fixtures.alfworld import made
from housemates.agents.alfworld.expert import next_command
from housemates.benchmarks.alfworld.formats.games import read_game
from housemates.benchmarks.alfworld.world.playthrough import Playthrough
from housemates.core import registry
from housemates.core.episode import play
from housemates.core.loading import maker
from housemates.errors import HousematesError, NothingDone


def packed(folder: Path, *lines: str) -> Path:
    path = folder / "games.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def line(name: str, text: str) -> str:
    return json.dumps({"game": name, "game_text": text})


def won_by(agent: str, benchmark: Any, split: str) -> list[bool]:
    made_agent, won = maker("alfworld", "agent", agent)(), []
    for reference in benchmark.references(split, 0):
        for instance in benchmark.open(reference):
            session = benchmark.session(instance)
            play(session, {"agent": made_agent}, instance)
            won.append(session.won)
    return won


def test_the_expert_wins_nearly_all_published_games(real_data: Path) -> None:
    data = real_data / "alfworld" / "games.jsonl.zst"
    if not data.exists():
        pytest.skip(f"no games of ALFWorld at {data}")
    benchmark = registry.benchmark("alfworld", data=data)
    won = won_by("expert", benchmark, "all")
    assert len(won) == 111 and sum(won) >= 0.95 * len(won)
    assert sum(won_by("heuristic", benchmark, "valid_seen")) > 0.8 * 30


def test_a_game_that_cannot_be_read_is_an_error_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = packed(
        tmp_path,
        line("train/one", made(0).text),
        line("train/two", "{}"),
        "nothing",
        line("three", made(1).text),
    )
    benchmark = registry.benchmark("alfworld", data=path)
    references = list(benchmark.references("all", 0))
    assert [each.id for each in references] == ["train/one", "train/two", "games.jsonl-3", "three"]
    for reference in (references[1], references[2]):
        with pytest.raises(HousematesError, match=r"line|two"):
            benchmark.open(reference)
    assert len(benchmark.open(references[3])) == 1
    assert [each.id for each in benchmark.references("train", 0)] == ["train/one", "train/two"]


def test_a_split_without_games_says_so(tmp_path: Path) -> None:
    path = packed(tmp_path, line("train/one", made(0).text))
    with pytest.raises(NothingDone, match="no games of split 'valid_seen'"):
        list(registry.benchmark("alfworld", data=path).references("valid_seen", 0))
    with pytest.raises(HousematesError, match="needs games"):
        next(registry.benchmark("alfworld").references("train", 0))


def test_the_seat_says_what_the_game_says_and_lists_what_is_possible() -> None:
    benchmark = registry.benchmark("alfworld")
    session = benchmark.session(benchmark.open(next(benchmark.references("generated", 0)))[0])
    brief, percept = session.brief("agent"), session.observe()
    assert brief.goal in percept.text and "Your task is to: " in brief.goal
    assert percept.text.startswith("-= Welcome to TextWorld, ALFRED! =-")
    choices = percept.offers[0].arguments[0].choices
    assert choices == percept.data.commands == tuple(sorted(choices))
    refused = session.act("fly to the moon")
    assert not refused.success and session.observe().text == "Nothing happens."
    assert session.act(choices[0]).success and session.reward("agent") == 0.0
    assert not session.act({"name": "Fly"}).success


def test_an_expert_that_holds_what_fits_nowhere_looks_about_and_does_not_fail() -> None:
    text = made(0, kind="pick_and_place_simple").text
    play, found = Playthrough(read_game(text, "game")), None
    going = (each for each in play.commands() if each.startswith("go to "))
    for place in going:
        play.step(place)
        takes = (re.match(r"take (\w+) \d+ from", each) for each in play.commands())
        found = next((each for each in takes if each and each[1] not in play.file.game.task), None)
        if found:
            break
    assert found
    lost = re.sub(rf"\(canContain \w+ {found[1]}Type\)", "", text, flags=re.IGNORECASE)
    play = Playthrough(read_game(lost, "game"))
    for command in (place, found.string):
        play.step(command)
    assert play.done_something and next_command(play) == "look"
