"""What cannot be done is one sentence in every command; the exit code is 2, or 1 for nothing to do."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

import housemates
import housemates.benchmarks
import housemates.cli
from housemates.cli.main import main
from housemates.cli.options import BOUNDS
from housemates.cli.train import _sentence

MISTAKES = {
    "eval alfred --episodes 0": "--episodes: expected 1 or more, found 0",
    "eval cerealbar --episodes -1": "--episodes: expected 1 or more, found -1",
    "eval handmethat --seed -1": "--seed: expected 0 or more, found -1",
    "eval home --workers -1": "--workers: expected 1 or more, found -1",
    "eval alfred --act-timeout 0": "--act-timeout: expected 0.001 or more",
    "eval alfred --act-timeout nan": "--act-timeout: expected 0.001 or more, found nan",
    "eval alfred --seed 99999999999999999999": "--seed: expected 0 to 9223372036854775807",
    "train handmethat-seq2seq --data EMPTY --out OUT --threads -1": "--threads: expected 1 to 1024, found -1",
    "verify eyes --sure nan": "--sure: expected 0 to 1, found nan",
    "studio --port 99999": "--port: expected 0 to 65535, found 99999",
    "serve home --port -1": "--port: expected 0 to 65535, found -1",
    "mcp home --http 65536": "--http: expected 0 to 65535, found 65536",
    "scenes render kitchen-03 --size 0": "--size: expected 1 to 900, found 0",
    "generate alfred --directives 101 --out OUT": "--directives: expected 0 to 100, found 101",
    "generate teach --episodes -1 --out OUT": "--episodes",
    "generate alfred --seed -1 --out OUT": "--seed",
    "generate cerealbar --workers -1 --out OUT": "--workers",
    "replay teach EMPTY --limit -1": "--limit",
    "stats handmethat EMPTY --limit 0": "--limit",
    "eval cerealbar --option cards=0": "cards: expected 3 or more, found 0",
    f"export teach --store {256 * 'x'} --out OUT": "cannot be used (File name too long)",
    f"replay teach {256 * 'x'}": "too long",
    "eval alfred --split typo": "Unknown split 'typo'",
    "eval alfred --option directive=99": "directive",
    "eval teach-edh --option size=99999": "size",
    "eval teach-edh --option sizes=300": "size",
    "eval teach-edh --split valid_seen": "needs recorded games",
    "eval teach-tatc --agents commander=talk": "follower",
    "eval teach-tatc --agents tlak": "talk",
    "evl alfred": "Unknown verb 'evl': did you mean 'eval'?",
    "eval nonesuch": "Unknown benchmark 'nonesuch'",
    "eval alfred --agents nowhere.py:Agent": "nowhere.py",
    "eval": "something is missing: The benchmark",
    "scenes show": "something is missing: A room's id",
    "eval alfred --episodes x": "--episodes: expected a whole number, found 'x'",
    "eval alfred --act-timeout it's": "--act-timeout: expected a number, found 'it's'",
    "eval alfred --epsodes 3": "unknown option '--epsodes': did you mean --episodes?",
    "eval alfred --episodes": "--episodes: expected a value, found none",
    "replay teach EMPTY --by nose": "--by: expected one of object, point, found 'nose'",
    "generate handmethat --level 9 --out OUT": "--level: expected one of 1, 2, 3, 4, found '9'",
    "campaign nowhere.toml --out OUT": "nowhere.toml: no such file",
    "campaign NOTES": "--out PATH is missing",
    "replay teach nowhere": "nowhere: no such file or folder",
    "replay run EMPTY": "run.json",
    "export teach --store EMPTY --out OUT": "no store there",
    "scenes show nowhere-03": "nowhere-03",
    "tasks check NOTES": "expected JSON",
    "play teach --role cook": "cook",
    "eval alfred --episodes 1 --out NOTES": "expected a folder, found a file",
    "generate alfred --episodes 1 --out NOTES": "expected a folder, found a file",
    "import teach EMPTY --store NOTES": "expected a folder, found a file",
}
"""Command -> what is said."""
NOTHING = {
    "import teach EMPTY --store OUT": "there are no episodes",
    "import alfred EMPTY --store OUT": "there are no episodes",
    "replay teach EMPTY": "there are no episodes",
    "replay alfred EMPTY": "there are no episodes",
    "replay alfred EMPTY --only nope": "there is no episode nope",
    "replay teach": "name files or folders",
    "stats teach EMPTY": "there are no episodes",
    "stats alfred EMPTY": "there are no episodes",
    "export edh EMPTY --out OUT": "there are no episodes",
    "export tfd EMPTY --out OUT": "there are no episodes",
    "verify split NOTES --games EMPTY": "NOTES: nothing to do: there is no game that it lists",
    "verify games EMPTY": "there are no episodes",
    "verify cleaning --games EMPTY": "there are no episodes",
    "verify edh EMPTY --games EMPTY": "there are no episodes",
    "stats handmethat EMPTY": "",
}


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, a file that is none of ours, and nothing else; nobody has a store."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "EMPTY").mkdir()
    (tmp_path / "NOTES").write_text("nothing of the kind\n", encoding="utf-8")
    return tmp_path


def refused(command: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(SystemExit) as end:
        main(command.split())
    said = capsys.readouterr().err
    assert said.count("\n") == 1, said
    assert isinstance(end.value.code, int)
    return end.value.code, said


@pytest.mark.parametrize(("command", "sentence"), MISTAKES.items(), ids=str)
def test_a_mistake_is_one_sentence_and_nothing_is_written(
    command: str, sentence: str, places: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = refused(command, capsys)
    assert (code, sentence in said) == (2, True), said
    assert sorted(each.name for each in places.iterdir()) == ["EMPTY", "NOTES"]


@pytest.mark.parametrize(("command", "sentence"), NOTHING.items(), ids=str)
def test_nothing_done_is_said_and_no_success(
    command: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said = refused(command, capsys)
    assert (code, sentence in said) == (1, True), said


def commands() -> Iterator[type[Any]]:
    """Every class that is a command."""
    folders = [
        Path(housemates.cli.__file__).parent,
        *Path(housemates.benchmarks.__file__).parent.glob("*/commands"),
    ]
    above = Path(housemates.__file__).parent.parent
    for file in (each for folder in folders for each in folder.glob("*.py") if each.stem != "__main__"):
        module = importlib.import_module(".".join(file.relative_to(above).with_suffix("").parts))
        yield from (each for each in vars(module).values() if is_dataclass(each) and hasattr(each, "run"))


def test_every_flag_that_is_a_number_has_bounds_and_nothing_else_has() -> None:
    numbers = {
        name
        for command in commands()
        for name, kind in get_type_hints(command).items()
        if {int, float} & {kind, *get_args(kind)}
    }
    assert numbers == set(BOUNDS)


def test_what_a_training_came_to_is_told_in_round_numbers() -> None:
    """Walk 22: `best episodes 0.02500000037252903`, `1 epochs`."""
    found = {"model": "m", "step": 1200, "epoch": 1, "monitor": "episodes", "best": 0.02500000037252903}
    told = _sentence({**found, "best_step": 800, "out": "out"})
    assert told == "m: 1,200 steps, 1 epoch; best episodes 0.025 at step 800; in out."


def test_vectors_are_made_by_gymnasiums_own_name() -> None:
    """Walk 9: `num_envs` was a TypeError."""
    envs = housemates.make_vec("housemates/home-v3", num_envs=2, size=32)
    assert envs.num_envs == 2
    envs.close()
