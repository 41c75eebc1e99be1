"""A small valid example of each kind of file, made by this package; none is official data."""

from __future__ import annotations

import json
import shutil
import tempfile
from contextlib import chdir
from functools import cache
from pathlib import Path
from typing import Any

from running import run

FEW = "--episodes 2 --seed 3 --workers 1 --json"
ONE = "--episodes 1 --seed 3 --workers 1 --json"
TRAINING = (
    "train handmethat-seq2seq --data HERE/data --threads 1 --json --set epochs=1 width=8 embedding=8 batch=16"
)
EVALUATION = "eval cerealbar --agents leader=random follower=first --episodes 2 --seed 3 --workers 1"


def housemates(command: str, folder: Path) -> None:
    """Run a command that makes an example."""
    folder.mkdir(parents=True, exist_ok=True)
    with chdir(folder):
        ran = run(words(command), limit_s=600)
    assert ran.code == 0 and not ran.fault, f"{command}: {ran.err} {ran.fault}"


def teach_games(folder: Path) -> None:
    """A short game with its home, and one without, as games from elsewhere are."""
    game = _short_game()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "own.game.json").write_text(game, encoding="utf-8")
    fields: dict[str, Any] = json.loads(game)
    fields |= {"definitions": {}, "game_id": "bare"}
    episode = fields["tasks"][0]["episodes"][0]
    for state in ("initial_state", "final_state"):
        episode[state]["objects"] = _fewer(episode[state]["objects"])
    for each in episode["interactions"]:
        if "utterance" in each:
            each |= {"is_corrected": 0, "corrected_utterance": each["utterance"]}
    (folder / "bare.game.json").write_text(json.dumps(fields), encoding="utf-8")


@cache
def _short_game() -> str:
    with tempfile.TemporaryDirectory() as folder:
        housemates(f"generate teach --tasks Coffee {ONE} --out HERE", Path(folder))
        (game,) = Path(folder).glob("*.game.json")
        return game.read_text(encoding="utf-8")


def _fewer(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Some of a home's objects, among them all that cannot be carried away."""
    return [each for index, each in enumerate(objects) if not each["pickupable"] or index % 3 == 0]


def teach_edh(folder: Path) -> None:
    """The instances of a game with what is said in it, beside the game."""
    housemates(f"generate teach --tasks Coffee --pair talk {ONE} --out HERE/games", folder)
    housemates("export edh HERE/games --out HERE/edh --json", folder)


def definitions(folder: Path) -> None:
    """Two tasks, one of which needs the other."""
    names = ("Toast", "Clean X", "Plate Of Toast", "Put All X In One Y")
    shown = [run(["tasks", "show", name, "--json"]).out for name in names]
    tasks = [{**json.loads(text), "task_id": 900 + number} for number, text in enumerate(shown)]
    (folder / "tasks.json").write_text(json.dumps({"tasks": tasks}), encoding="utf-8")


def tdl_cases(folder: Path) -> None:
    """A case of each kind, with the definitions, and the verdicts on a game."""
    teach_games(folder)
    definitions(folder)
    game = json.loads((folder / "bare.game.json").read_text(encoding="utf-8"))
    state = game["tasks"][0]["episodes"][0]["final_state"]
    objects = [
        {**each, **state["custom_object_metadata"].get(each["objectId"], {})} for each in state["objects"]
    ]
    answer = {"success": False, "goal_conditions_total": 6, "goal_conditions_satisfied": 5}
    problem = {
        "objectType": "Mug",
        "determiner": "a",
        "property_name": "isDirty",
        "desired_property_value": 0,
    }
    subgoal = {
        "representative_obj_id": "Mug|1|1|1",
        "step_successes": [False],
        "success": False,
        "description": "",
        "steps": [],
        "problem_keys": {"Mug|1|1|1": [problem]},
        "goal_conditions_total": 3,
        "goal_conditions_satisfied": 1,
    }
    expected = {
        **answer,
        "subgoals": [subgoal],
        "satisfied_objects": None,
        "candidate_objects": ["Mug|1|1|1"],
    }
    changes = {"Mug|+00.10|+01.00|+01.00": {"isDirty": False, "simbotLastParentReceptacle": "Sink|1|1|1"}}
    lines = [
        {"kind": "definitions", **json.loads((folder / "tasks.json").read_text(encoding="utf-8"))},
        {
            "kind": "task",
            "spec": ["Put All X In One Y", ["Mug", "in", "Sink"]],
            "objects": objects,
            "expected": expected,
        },
        {
            "kind": "edh",
            "spec": {"agents": {}, "objects": changes},
            "objects": objects,
            "expected": {"error": "KeyError"},
        },
    ]
    (folder / "cases.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    verdict = {
        "game_id": "bare",
        "task": "Coffee",
        "params": [],
        "initial_state": answer,
        "final_state": answer,
    }
    (folder / "verdicts.jsonl").write_text(json.dumps(verdict) + "\n", encoding="utf-8")


def alfred_trajectories(folder: Path) -> None:
    """A demonstration, alone and in a pack."""
    housemates(f"generate alfred --masks {ONE} --out HERE/made", folder)
    (found,) = folder.rglob("traj_data.json")
    trial = folder / "train" / "task" / "trial"
    trial.mkdir(parents=True)
    text = found.rename(trial / found.name).read_text(encoding="utf-8")
    (folder / "train.jsonl").write_text(text.strip() + "\n", encoding="utf-8")
    shutil.rmtree(folder / "made")


def store(folder: Path) -> None:
    """What was learnt from a game and a demonstration, with the games of it."""
    layouts(folder / "games")
    alfred_trajectories(folder / "demonstrations")
    housemates("import teach HERE/games --layouts HERE/games/layouts.json --store HERE/store --json", folder)
    housemates("import alfred HERE/demonstrations/train.jsonl --store HERE/store --json", folder)


def layouts(folder: Path) -> None:
    """Where one can stand in two plans, in ALFRED's form, beside a game."""
    teach_games(folder)
    plan = {
        "grid": [[-2, 1], [-1, 1], [0, 1], [0, 2]],
        "recep_pose": {"Sink|+00.10|+00.80|-01.20": [0.25, 1.0, 180, 30]},
        "object_types": ["Sink", "Mug"],
        "static_ids": ["Sink|+00.10|+00.80|-01.20", "Fridge|-01.00|+00.00|+00.50"],
    }
    (folder / "layouts.json").write_text(json.dumps({"1": plan, "301": plan}), encoding="utf-8")


def scene(folder: Path) -> None:
    """A small room."""
    shown = run(["scenes", "show", "bathroom-02", "--json"])
    (folder / "home.json").write_text(shown.out, encoding="utf-8")


def results(folder: Path) -> None:
    """The folder of an evaluation."""
    housemates(f"{EVALUATION} --out HERE/run --json", folder)


def journal(folder: Path) -> None:
    """The results of a replay, and the log of generated games."""
    teach_games(folder)
    housemates("replay teach HERE/bare.game.json --out HERE/replay.jsonl --workers 1 --json", folder)
    housemates(f"generate teach --tasks Coffee {ONE} --out HERE/made", folder)


def words(command: str) -> list[str]:
    """The words of a command that is run in the folder that it calls `HERE`."""
    return command.replace("HERE", ".").split()


def handmethat_lines(folder: Path) -> None:
    """Two episodes of each version in our short form."""
    for version in (1, 2):
        housemates(f"generate handmethat --version {version} {FEW} --out HERE/v{version}", folder)


def handmethat_official(folder: Path) -> None:
    """Two episodes in the official form, with the official list of them."""
    housemates(f"generate handmethat --version 1 --format official {FEW} --out HERE", folder)


def cerealbar_lines(folder: Path) -> None:
    """Two games in our form."""
    housemates(f"generate cerealbar {FEW} --out HERE", folder)


def cerealbar_official(folder: Path) -> None:
    """Two games in the published form, one of them without its map, as the published ones are."""
    cerealbar_lines(folder)
    housemates("export cerealbar HERE/train.jsonl.zst --out HERE/games.json --json", folder)
    games: dict[str, Any] = json.loads((folder / "games.json").read_text(encoding="utf-8"))
    del games[max(games)]["housemates"]
    (folder / "games.json").write_text(json.dumps(games), encoding="utf-8")


def reader_run(folder: Path) -> None:
    """The folder of an evaluation of the reader."""
    housemates(
        "eval teach-tatc --agents commander=talk follower=reader --agent-option eyes=given "
        f"{ONE} --out HERE/run",
        folder,
    )


def campaign(folder: Path) -> None:
    """All that a campaign can decide, for short runs."""
    (folder / "campaign.toml").write_text(
        """[[runs]]
benchmarks = ["handmethat"]
agents = ["first", "robot=random"]
seeds = [0, 1]
episodes = 1
split = "generated"
options = { level = 1 }
act_timeout = 5.0
memory = 4000
""",
        encoding="utf-8",
    )


def checkpoint(folder: Path) -> None:
    """A small network after a few steps, what it learnt from, and the same exported."""
    housemates(
        "generate handmethat --version 2 --episodes 30 --seed 3 --workers 1 --json --out HERE/data", folder
    )
    housemates(f"{TRAINING} --out HERE/trained", folder)
    housemates("export model HERE/trained --out HERE/exported", folder)
