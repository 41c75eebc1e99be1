"""The published pickles of people's games: read as data, replayed, and refused in a sentence."""

from __future__ import annotations

import os
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.cerealbar.authors import Writer, authors
from housemates.benchmarks.cerealbar.formats.episodes import Recording, read_recordings, replay
from housemates.benchmarks.cerealbar.formats.released import read_released
from housemates.cli.main import main
from housemates.data.records import Skipped
from housemates.errors import HousematesError

MUTATIONS = 100


def write(path: Path, recordings: list[Recording], protocol: int = 3, **changes: Any) -> Path:
    """A file of one game, or of a dataset of several, with fields of the first game changed."""
    with authors() as classes:
        writer = Writer(classes)
        games = [writer.game(each) for each in recordings]
        games[0].__dict__.update(changes)
        held: Any = games[0]
        if len(games) > 1:
            dev = {each.id: game for each, game in zip(recordings, games, strict=True)}
            held = writer.make("GameDataset", _train_games={}, _dev_games=dev, _test_games={})
        path.write_bytes(pickle.dumps(held, protocol))
    return path


def boards(recording: Recording) -> list[Any]:
    """Cards, selection and poses after each move."""
    found: list[Any] = []
    for _, game in replay(recording):
        now = (dict(game.cards), sorted(game.selected), list(game.position), list(game.heading), game.score)
        if not found or now != found[-1]:
            found.append(now)
    return found


@pytest.mark.parametrize("protocol", [2, 3, 4])
def test_a_game_goes_the_way_it_went(protocol: int, corpus: list[Recording], tmp_path: Path) -> None:
    game = corpus[protocol]
    (read,) = read_released(write(tmp_path / "game.pkl", [game], protocol), [])
    assert boards(read) == boards(game)
    assert (read.id, read.split, read.score) == (game.id, game.split, game.score)
    assert [item.text for item in read.instructions] == [item.text for item in game.instructions]
    assert [item.completed for item in read.instructions] == [item.completed for item in game.instructions]


def test_the_command_imports_folders_and_datasets(
    corpus: list[Recording], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "preprocessed"
    (folder / "TRAIN").mkdir(parents=True)
    (folder / "DEV").mkdir()
    write(folder / "TRAIN" / "one.pkl", corpus[:1])
    write(folder / "DEV" / "dataset.pkl", corpus[1:3])
    (folder / "DEV" / "args.pkl").write_bytes(b"no game")
    (folder / "TRAIN" / "two.pkl").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    main(["import", "cerealbar", str(folder), "--out", str(tmp_path / "out"), "--workers", "1"])
    assert "two.pkl: expected a pickle, found where Git LFS keeps it (git lfs pull)" in " ".join(
        capsys.readouterr()
    )
    found = [each.id for path in (tmp_path / "out").iterdir() for each in read_recordings(path, [])]
    assert sorted(found) == sorted(each.id for each in corpus[:3])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"_score": 99}, "_score: expected the"),
        ({"_seed": -1}, "_seed: expected a whole number of at least 0, found -1"),
        ({"_hex_info": []}, "_hex_info: expected 625 hexes, found 0"),
        ({"_actions": []}, "_actions: expected at least one with the state before it"),
        ({"_split": "dive"}, '_split: expected a known value, found "dive"'),
        ({"_object_info": [[[[[[[[[[[[[[[]]]]]]]]]]]]]]]}, "records too deep in one another"),
    ],
)
def test_what_cannot_be_is_skipped_with_a_sentence(
    change: dict[str, Any], message: str, corpus: list[Recording], tmp_path: Path
) -> None:
    skipped: list[Skipped] = []
    assert read_released(write(tmp_path / "game.pkl", corpus[:1], **change), skipped) == []
    ((name, reason),) = skipped
    assert name == corpus[0].id
    assert message in reason


class Sabotage:
    """Runs a command when it is unpickled."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> Any:
        return os.system, (self.command,)


def test_a_file_that_calls_the_system_runs_nothing(corpus: list[Recording], tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    path = write(tmp_path / "game.pkl", corpus[:1], _args=Sabotage(f"touch {ran}"))
    with pytest.raises(HousematesError, match=r"asks for '(posix|nt)\.system', and only data are read"):
        read_released(path, [])
    assert not ran.exists()


def test_mutated_files_are_read_or_refused_in_one_sentence(corpus: list[Recording], tmp_path: Path) -> None:
    beginning = replace(corpus[0], actions=corpus[0].actions[:12], dealt=[], score=0, digest="")
    whole = write(tmp_path / "game.pkl", [beginning]).read_bytes()
    random = np.random.default_rng(0)
    path = tmp_path / "mutated.pkl"
    refused = 0
    for number in range(MUTATIONS):
        data = bytearray(whole)
        for place in random.integers(0, len(data), 1 + number % 8):
            data[place] = random.integers(256)
        if number % 5 == 0:
            data = data[: random.integers(len(data))]
        path.write_bytes(bytes(data))
        skipped: list[Skipped] = []
        try:
            read_released(path, skipped)
        except HousematesError as error:
            skipped.append(Skipped("", str(error)))
        refused += len(skipped)
        assert all(each.reason.startswith(str(path)) and "\n" not in each.reason for each in skipped)
    assert refused > MUTATIONS // 10
