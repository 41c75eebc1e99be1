"""New sessions: kept in the official form, the same every time, gone on with after an interruption."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from housemates.benchmarks.registry import register_environments
from housemates.benchmarks.teach.env import EdhEnv, TatcEnv, TfdEnv
from housemates.benchmarks.teach.files.episodes import read_games
from housemates.benchmarks.teach.generate.sessions import succeeds_again
from housemates.cli.main import main

SETTINGS = ["--tasks", "Coffee,Water Plant", "--seed", "4", "--workers", "1", "--json"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("generated")
    main(["generate", "teach", "--n", "3", *SETTINGS, "--out", str(out)])
    return out


def test_what_is_kept_replays_to_success(folder: Path) -> None:
    games = list(read_games([folder], []))
    assert [game.task.task_name for game in games] == ["Coffee", "Water Plant", "Coffee"]
    assert all(succeeds_again(game) for game in games)


def test_an_interrupted_run_goes_on_and_comes_out_the_same(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    last = folder / "s4-00002.game.json"
    before = last.read_bytes()
    last.unlink()
    log = folder / "log.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    log.write_text("".join(lines[:2]) + lines[2][:9], encoding="utf-8")
    main(["generate", "teach", "--n", "3", *SETTINGS, "--out", str(folder)])
    report = json.loads(capsys.readouterr().out)
    assert report["sessions"] == 3
    assert report["tasks"] == {"Coffee": 2, "Water Plant": 1}
    assert last.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--n", "0"], "--n: expected at least 1"),
        (["--pair", "nobody"], "Unknown pair 'nobody'"),
        (["--rooms", "castle"], "rooms: expected one of"),
        (["--tasks", "Fly"], "Unknown task 'Fly'"),
        (["--plans", "nowhere"], "no store there"),
    ],
)
def test_what_cannot_be_generated_is_one_sentence(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["generate", "teach", "--out", str(tmp_path / "new"), *arguments])
    assert left.value.code == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_folder_of_another_run_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["generate", "teach", "--n", "3", "--seed", "5", "--out", str(folder)])
    assert "another run" in capsys.readouterr().err


@pytest.mark.parametrize("env_class", [EdhEnv, TfdEnv])
def test_gymnasium_finds_nothing_wrong(env_class: type[EdhEnv], folder: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(env_class(games=str(folder), size=48), skip_render_check=True)


def test_gymnasium_knows_the_ids_and_needs_no_data() -> None:
    register_environments()
    env = gymnasium.make("housemates/teach-edh-v1", size=48)
    first, told = env.reset(seed=3)
    again, _ = env.reset(seed=3)
    assert env.observation_space.contains(first)
    assert first["dialogue"] == again["dialogue"] != ""
    assert (first["frame"] == again["frame"]).all()
    assert told["instance"]
    assert gymnasium.spec("housemates/teach-tfd-v1")


def test_nonsense_is_refused_and_thirty_times_of_it_end_the_episode(folder: Path) -> None:
    env = TfdEnv(games=str(folder), size=48)
    env.reset(seed=0, options={"instance": "s4-00001.tfd"})
    bad = [None, {}, {"action": 99}, {"action": 9, "point": (3, 0)}, {"action": 9, "point": "ab"}, "Fly"]
    for number in range(30):
        seen, reward, stopped, cut, info = env.step(bad[number % len(bad)])
        assert info["message"] and not seen["success"] and not stopped
        assert cut == (number == 29)
    assert reward == info["scores"]["success"] == 0.0


def test_following_the_recording_earns_the_reward(folder: Path) -> None:
    env = TfdEnv(games=str(folder), size=48)
    env.reset(options={"instance": "s4-00000.tfd"})
    for each in env.session.given.future:
        env.step({"name": each.action_name, "x": each.x, "y": each.y, "oid": each.oid})
    _, reward, stopped, _, info = env.step({"action": 0})
    assert stopped and reward == 1.0
    assert info["scores"]["success_length_weighted"] == 1.0


@pytest.mark.filterwarnings("ignore")
def test_pettingzoo_finds_nothing_wrong() -> None:
    api_test(TatcEnv(size=48), num_cycles=100)
    seed_test(lambda: TatcEnv(size=48), num_cycles=20)
