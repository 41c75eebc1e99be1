"""New games: the same for the same seed, read back as they are, harder where that is asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fixtures.alfworld import made, play
from housemates.agents.alfworld.expert import next_command
from housemates.benchmarks.alfworld.commands.generate import Generate
from housemates.benchmarks.alfworld.formats.places import kind_of, places, text_of
from housemates.benchmarks.alfworld.generate.games import Harder, make
from housemates.benchmarks.alfworld.tasks.types import TYPES
from housemates.benchmarks.alfworld.world.playthrough import Playthrough

HARD = Harder(goals=3, hidden=True, distractors=10, words="people")


def steps_to_win(game: Playthrough) -> int:
    steps = 0
    while not game.won:
        game.step(next_command(game))
        assert game.done_something
        steps += 1
        assert steps < 60
    return steps


def test_the_same_seed_gives_the_same_game() -> None:
    assert make("0-1", 0, 1, HARD) == make("0-1", 0, 1, HARD)
    assert make("0-1", 0, 1, HARD).text != make("1-1", 1, 1, HARD).text


@pytest.mark.parametrize("kind", TYPES)
def test_a_game_of_each_type_is_not_won_at_first_and_can_be(kind: str) -> None:
    game = play(0, kind=kind)
    assert made(0, kind=kind).type == kind and not game.won
    assert steps_to_win(game) > 2


def test_a_harder_game_asks_more_of_what_is_hidden() -> None:
    for number in range(4):
        game, easy = play(number, HARD), play(number)
        assert game.text.count(", and ") >= 3
        assert len(game.file.game.names["object"]) > 5
        assert steps_to_win(game) > steps_to_win(easy) - 1


def test_what_is_hidden_is_in_closed_receptacles() -> None:
    hidden = play(0, Harder(hidden=True), "pick_heat_then_place_in_recep").file.game
    (wanted,) = set(re.findall(r"objecttype \?o (\w+)", " ".join(map(str, _words(hidden.goal)))))
    for number, inside in enumerate(hidden.inside):
        if any(hidden.type_of[hidden.ids["object"][each]] == wanted for each in inside):
            assert hidden.openable >> number & 1 and not hidden.opened >> number & 1


def _words(tree: object) -> list[str]:
    return [str(tree)] if isinstance(tree, str) else [word for each in tree for word in _words(each)]  # type: ignore[attr-defined]


def test_games_are_written_as_files_that_say_their_type(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Generate(out=tmp_path / "games", episodes=3).run()
    found = list(places(tmp_path / "games"))
    assert sorted(text_of(each) for each in found) == sorted(made(number).text for number in range(3))
    assert sorted(map(kind_of, found)) == sorted(made(number).type for number in range(3))
    assert "3" in capsys.readouterr().out
