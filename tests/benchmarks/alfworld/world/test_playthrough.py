"""A text world while it is played: copies, pickles, threads, and what commands do."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from fixtures.alfworld import game, play
from housemates.benchmarks.alfworld.world.playthrough import Playthrough


def walked(playthrough: Playthrough, seed: int, steps: int = 40) -> list[str]:
    rng = np.random.default_rng(seed)
    told = []
    for _ in range(steps):
        commands = playthrough.commands()
        told.append(playthrough.step(commands[int(rng.integers(len(commands)))]))
        assert playthrough.done_something
    return [*told, playthrough.state.digest()]


def test_a_copy_goes_on_as_the_original_does_and_neither_shows_in_the_other() -> None:
    for number in range(5):
        first = play(number)
        walked(first, number)
        before = first.state.snapshot(), first.text, first.won
        for twin in (first.copy(), copy.deepcopy(first), pickle.loads(pickle.dumps(first))):
            walked(twin, 100)
            assert (first.state.snapshot(), first.text, first.won) == before
        assert walked(first.copy(), 7) == walked(pickle.loads(pickle.dumps(first)), 7)


def test_threads_that_play_the_same_game_do_not_disturb_each_other() -> None:
    alone = [walked(play(0), seed) for seed in range(8)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda seed: walked(Playthrough(game(0)), seed), range(8))) == alone


def test_what_is_listed_can_be_done_and_nothing_else_can() -> None:
    for number in range(6):
        first = play(number)
        walked(first, number, 30)
        possible = set(first.commands())
        names = [*first.file.game.called["object"], *first.file.game.called["receptacle"]]
        tried = {f"{verb} {name}" for verb in ("go to", "open", "close", "examine", "use") for name in names}
        for command in possible | tried:
            twin = first.copy()
            answer = twin.step(command)
            assert (answer != "Nothing happens.") == (command in possible), command


def test_blanks_around_a_command_do_not_matter_and_blanks_in_it_do() -> None:
    first = play(0)
    assert first.step("  look \n").startswith("You are in the middle of a room.")
    for command in ("Look", "go  to desk 1", "", "look around", "examine"):
        assert first.step(command) == "Nothing happens."


def test_a_game_goes_on_after_it_is_won() -> None:
    from housemates.agents.alfworld.expert import next_command

    first = play(0)
    while not first.won:
        first.step(next_command(first))
    took = first.step(next(each for each in first.commands() if each.startswith("take ")))
    assert took.startswith("You pick up")
